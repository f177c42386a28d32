//! Sentences that say what a stage did.

use pipeline::model::round::Stage;
use serde_json::Value;

use super::text;
use crate::words;

pub fn notes(stage: Stage, data: &Value) -> Vec<String> {
    let mut notes = Vec::new();
    let mut note = |text: Option<String>| notes.extend(text.filter(|text| !text.is_empty()));
    match stage {
        Stage::Memory | Stage::Augmentation => {
            note(text(data, "rewritten").map(|rewritten| format!("read as “{rewritten}”")));
            note(data.get("added").map(plain).filter(|added| !added.is_empty()).map(|added| format!("added {added}")));
            note(text(data, "because").map(str::to_owned));
        }
        Stage::Reasoning => {
            note(step(data));
            for question in data.get("sub_questions").and_then(Value::as_array).into_iter().flatten() {
                note(question.as_str().map(|question| format!("to find out: “{question}”")));
            }
            note(text(data, "because").map(str::to_owned));
        }
        Stage::Routing => {
            for method in data.get("methods").and_then(Value::as_array).into_iter().flatten() {
                let name = text(method, "name").unwrap_or("?");
                let by = text(method, "by").map(|by| format!(" ({by})")).unwrap_or_default();
                let why = text(method, "why").map(|why| format!(": {why}")).unwrap_or_default();
                note(Some(format!("{name}{by}{why}")));
            }
        }
        Stage::Validation => {
            let check = text(data, "check").unwrap_or("check");
            let findings = data.get("findings").and_then(Value::as_array).map_or(0, Vec::len) as u64;
            let found =
                if findings > 0 { format!(", {}", words::counted(findings, "finding", "findings")) } else { String::new() };
            note(text(data, "verdict").map(|verdict| format!("{check}: {}{found}", verdict.replace('-', " "))));
        }
        Stage::MemoryUpdate => {
            note(data.get("cited").and_then(Value::as_array).map(Vec::len).map(|cited| {
                format!("the next question can lean on {}", words::counted(cited as u64, "cited element", "cited elements"))
            }));
            note(text(data, "because").map(str::to_owned));
        }
        Stage::Error => note(text(data, "detail").map(str::to_owned)),
        Stage::Retrieval => {
            let hits = data.get("total").and_then(Value::as_u64).map(|total| words::counted(total, "candidate", "candidates"));
            let outcome = text(data, "reason").map(str::to_owned).or(hits);
            note(text(data, "method").zip(outcome).map(|(method, outcome)| format!("{method}: {outcome}")));
        }
        Stage::Fusion => {
            let joined = data.get("items").and_then(Value::as_array).map(Vec::len);
            note(joined.map(|joined| words::counted(joined as u64, "element in one list", "elements in one list")));
        }
        _ => note(text(data, "reason").map(str::to_owned)),
    }
    notes
}

/// A step of the reasoning in words.
fn step(data: &Value) -> Option<String> {
    let sub_question = text(data, "sub_question").filter(|question| !question.is_empty());
    Some(match (text(data, "action")?, sub_question) {
        ("plan", _) => match text(data, "path") {
            Some("multi-hop") => "plan: step by step".to_owned(),
            _ => "plan: one search".to_owned(),
        },
        ("search", Some(question)) => format!("search for “{question}”"),
        ("answer", _) => "enough: answer".to_owned(),
        (action, _) => action.to_owned(),
    })
}

/// A value as a person reads it: text without quotes, lists with commas, nothing for what is empty or false; of an outcome
/// that explains itself, such as that of a place, its sentence.
pub fn plain(value: &Value) -> String {
    match value {
        Value::Null | Value::Bool(false) => String::new(),
        Value::Bool(true) => "yes".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(items) => listed(items.iter().map(plain)),
        Value::Object(fields) => match text(value, "reason") {
            Some(reason) => reason.to_owned(),
            None => listed(fields.iter().map(|(name, value)| match plain(value) {
                value if value.is_empty() => value,
                value => format!("{}: {value}", name.replace('_', " ")),
            })),
        },
        other => other.to_string(),
    }
}

fn listed(parts: impl Iterator<Item = String>) -> String {
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}
