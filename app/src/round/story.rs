//! The log of a round as its page tells it. Fields of `data` that are missing or unknown are passed over: logs outlive versions.

use std::collections::BTreeMap;

use pipeline::model::{
    element::ElementId,
    results::ResultItem,
    round::{Answer, References, RoundError, Stage, StageStatus, TraceEvent},
};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;

use crate::words;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Story {
    pub answer: Option<Answer>,
    /// What a language model has written so far.
    pub draft: String,
    /// The cards: those cited in citation order, then the rest of the evidence.
    pub references: Vec<ResultItem>,
    pub error: Option<RoundError>,
    pub stages: Vec<StageLine>,
    pub methods: Vec<MethodLine>,
    pub fusion: Vec<FusionLine>,
    pub model_calls: usize,
    /// Until the last event.
    pub elapsed_ms: f64,
}

/// One stage of one iteration.
#[derive(Clone, Debug, PartialEq)]
pub struct StageLine {
    pub stage: Stage,
    pub iteration: u32,
    pub status: StageStatus,
    pub began_ms: f64,
    pub ended_ms: f64,
    /// Sentences that say what it did.
    pub notes: Vec<String>,
}

/// What one method brought.
#[derive(Clone, Debug, PartialEq)]
pub struct MethodLine {
    pub name: String,
    pub iteration: u32,
    pub query: String,
    pub hits: Vec<(ElementId, u32)>,
    pub total: u64,
    pub elapsed_ms: Option<f64>,
    /// Why it failed or was not asked.
    pub reason: Option<String>,
    pub failed: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct FusionLine {
    pub position: u32,
    pub id: ElementId,
    pub ranks: BTreeMap<String, u32>,
}

impl Story {
    pub fn read(events: &[TraceEvent]) -> Self {
        let mut story = Self::default();
        for event in events {
            story.elapsed_ms = story.elapsed_ms.max(event.elapsed_ms);
            story.model_calls += event.data.get("calls").and_then(Value::as_array).map_or(0, Vec::len);
            match event.stage {
                Stage::Answer => story.answer = read(&event.data).or(story.answer),
                Stage::References => {
                    story.references = read(&event.data).map_or(story.references, |cards: References| cards.items)
                }
                Stage::Error => story.error = read(&event.data).or(story.error),
                Stage::Generation => story.draft.push_str(text(&event.data, "text").unwrap_or_default()),
                Stage::Retrieval => story.methods.extend(method_line(event)),
                Stage::Fusion => story.fusion = read(&event.data).map_or(story.fusion, FusionData::lines),
                _ => {}
            }
            story.add_to_stage(event);
        }
        story
    }

    /// The name of an element among the cards; its id where it is not among them.
    pub fn title_of(&self, id: &ElementId) -> String {
        self.references.iter().find(|item| item.id == *id).map_or_else(|| id.to_string(), |item| item.title.clone())
    }

    /// The number of an element's card.
    pub fn card_of(&self, id: &ElementId) -> Option<u32> {
        (1..).zip(&self.references).find(|(_, item)| item.id == *id).map(|(number, _)| number)
    }

    fn add_to_stage(&mut self, event: &TraceEvent) {
        let same = self.stages.iter_mut().find(|line| line.stage == event.stage && line.iteration == event.iteration);
        let notes = notes(event.stage, &event.data);
        match same {
            Some(line) => {
                line.ended_ms = event.elapsed_ms;
                line.status = worst(line.status, event.status);
                line.notes.extend(notes);
            }
            None => {
                // an event that finishes its stage alone has taken the time since the one before
                let began_ms = match event.status {
                    StageStatus::Started => event.elapsed_ms,
                    _ => self.stages.last().map_or(0.0, |line| line.ended_ms),
                };
                self.stages.push(StageLine {
                    stage: event.stage,
                    iteration: event.iteration,
                    status: event.status,
                    began_ms,
                    ended_ms: event.elapsed_ms,
                    notes,
                });
            }
        }
    }
}

/// A stage that once was degraded or failed stays so.
fn worst(before: StageStatus, now: StageStatus) -> StageStatus {
    match before {
        StageStatus::Degraded if now != StageStatus::Failed => before,
        StageStatus::Failed => before,
        _ => now,
    }
}

#[derive(Deserialize)]
struct FusionData {
    items: Vec<FusionItem>,
}

#[derive(Deserialize)]
struct FusionItem {
    id: ElementId,
    #[serde(default)]
    ranks: BTreeMap<String, u32>,
    position: u32,
}

impl FusionData {
    fn lines(self) -> Vec<FusionLine> {
        self.items.into_iter().map(|item| FusionLine { position: item.position, id: item.id, ranks: item.ranks }).collect()
    }
}

#[derive(Deserialize)]
struct RetrievalData {
    method: String,
    #[serde(default)]
    query: Value,
    #[serde(default)]
    hits: Vec<RetrievedHit>,
    #[serde(default)]
    total: u64,
    #[serde(default)]
    elapsed_ms: Option<f64>,
    #[serde(default)]
    reason: Option<String>,
}

#[derive(Deserialize)]
struct RetrievedHit {
    id: ElementId,
    rank: u32,
}

fn method_line(event: &TraceEvent) -> Option<MethodLine> {
    let data: RetrievalData = read(&event.data)?;
    if event.status == StageStatus::Started {
        return None;
    }
    Some(MethodLine {
        name: data.method,
        iteration: event.iteration,
        query: plain(&data.query),
        hits: data.hits.into_iter().map(|hit| (hit.id, hit.rank)).collect(),
        total: data.total,
        elapsed_ms: data.elapsed_ms,
        reason: data.reason,
        failed: matches!(event.status, StageStatus::Degraded | StageStatus::Failed),
    })
}

fn notes(stage: Stage, data: &Value) -> Vec<String> {
    let mut notes = Vec::new();
    let mut note = |text: Option<String>| notes.extend(text.filter(|text| !text.is_empty()));
    match stage {
        Stage::Memory | Stage::Augmentation | Stage::Reasoning => {
            note(text(data, "rewritten").map(|rewritten| format!("rewritten as “{rewritten}”")));
            note(data.get("added").map(plain).filter(|added| !added.is_empty()).map(|added| format!("added {added}")));
            note(text(data, "action").map(str::to_owned));
            note(text(data, "sub_question").map(|question| format!("“{question}”")));
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
            note(text(data, "verdict").map(|verdict| format!("{check}: {}", verdict.replace('-', " "))));
            for finding in data.get("findings").and_then(Value::as_array).into_iter().flatten() {
                let sentence = text(finding, "sentence").map(|sentence| format!("“{sentence}”: ")).unwrap_or_default();
                note(text(finding, "problem").map(|problem| format!("{sentence}{problem}")));
            }
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

/// By way of text: reading from text is what the browser's program holds already, for every type.
fn read<T: DeserializeOwned>(data: &Value) -> Option<T> {
    serde_json::from_str(&data.to_string()).ok()
}

fn text<'a>(data: &'a Value, name: &str) -> Option<&'a str> {
    data.get(name).and_then(Value::as_str)
}

/// A value as a person reads it: text without quotes, lists with commas, nothing for what is empty or false; of an outcome
/// that explains itself, such as that of a place, its sentence.
fn plain(value: &Value) -> String {
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn events(lines: &[(&str, &str, f64, Value)]) -> Vec<TraceEvent> {
        let event = |(seq, (stage, status, elapsed_ms, data)): (u64, &(&str, &str, f64, Value))| {
            serde_json::from_value(
                json!({"seq": seq, "round": "r", "stage": stage, "status": status, "elapsed_ms": elapsed_ms, "data": data}),
            )
        };
        (1..).zip(lines).map(|line| event(line).unwrap()).collect()
    }

    #[test]
    fn a_log_becomes_stages_methods_and_an_answer() {
        let story = Story::read(&events(&[
            ("routing", "finished", 1.0, json!({"methods": [{"name": "keyword", "by": "trigger", "why": "always"}]})),
            ("retrieval", "started", 1.2, json!({"method": "keyword"})),
            (
                "retrieval",
                "finished",
                3.0,
                json!({"method": "keyword", "query": "ice", "hits": [{"id": "a", "rank": 1, "score": 2.0}], "total": 1}),
            ),
            ("retrieval", "degraded", 4.0, json!({"method": "semantic", "reason": "no model is installed"})),
            ("fusion", "finished", 4.5, json!({"items": [{"id": "a", "ranks": {"keyword": 1}, "position": 1}]})),
            (
                "answer",
                "finished",
                5.0,
                json!({"text": "Ice. [1]", "citations": [{"n": 1, "id": "a", "quote": "Ice."}], "kind": "extractive"}),
            ),
        ]));
        let stages: Vec<_> = story.stages.iter().map(|line| (line.stage.name(), line.began_ms, line.ended_ms)).collect();
        assert_eq!(stages, [("routing", 0.0, 1.0), ("retrieval", 1.2, 4.0), ("fusion", 4.0, 4.5), ("answer", 4.5, 5.0)]);
        assert_eq!(story.stages[0].notes, ["keyword (trigger): always"]);
        assert_eq!(story.stages[1].notes, ["keyword: 1 candidate", "semantic: no model is installed"]);
        assert_eq!(story.stages[1].status, StageStatus::Degraded, "one method down is not a clean stage");
        let methods: Vec<_> = story.methods.iter().map(|line| (line.name.as_str(), line.hits.len(), line.failed)).collect();
        assert_eq!(methods, [("keyword", 1, false), ("semantic", 0, true)]);
        assert_eq!(story.fusion[0].ranks["keyword"], 1);
        assert_eq!(story.answer.unwrap().citations[0].quote, "Ice.");
        assert_eq!(story.elapsed_ms, 5.0);
    }

    #[test]
    fn what_was_added_to_a_question_is_read_without_its_empty_parts() {
        let added =
            json!({"place": null, "kinds": [], "popular": false, "topic": ["enhanced", "index"], "time_range": "2015/.."});
        let story = Story::read(&events(&[("augmentation", "finished", 1.0, json!({"question": "q", "added": added}))]));
        assert_eq!(story.stages[0].notes, ["added topic: enhanced, index, time range: 2015/.."]);
    }

    #[test]
    fn what_a_later_version_adds_is_passed_over() {
        let story =
            Story::read(&events(&[("fusion", "finished", 1.0, json!({"blend": 3})), ("answer", "finished", 2.0, json!("?"))]));
        assert_eq!((story.fusion.len(), story.answer), (0, None));
    }
}
