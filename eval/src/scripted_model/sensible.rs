//! Replies that a well-behaved model could give: the smallest JSON of a schema, sentences of the documents with their numbers.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Map, Value, json};

use super::chat::Message;

/// Documents that an answer cites.
const CITED: usize = 2;
const NOT_ENOUGH: &str = "NOT ENOUGH INFORMATION";

/// Matches nothing, should a pattern ever be wrong; the tests would tell.
fn pattern(pattern: &str) -> Option<Regex> {
    Regex::new(pattern).ok()
}

static DOCUMENT: LazyLock<Option<Regex>> = LazyLock::new(|| pattern(r#"(?s)<document n="(\d+)">(.*?)</document>"#));
static QUESTION: LazyLock<Option<Regex>> = LazyLock::new(|| pattern("(?s)<question>(.*?)</question>"));
static CLAIM: LazyLock<Option<Regex>> = LazyLock::new(|| pattern(r"(?m)^(\d+)\. .*$"));

pub(super) fn reply(messages: &[Message], schema: Option<&Value>) -> String {
    // examples come before, in turns of their own
    let prompt = messages.iter().rfind(|message| message.role == "user" && message.content.contains('<'));
    let prompt = prompt.map_or("", |message| message.content.as_str());
    match schema {
        Some(schema) => value(schema, "", prompt).to_string(),
        None => answer(prompt),
    }
}

/// Yes to whether something is supported, relevant or answered; no rewrite; the standard path; nothing where nothing is asked.
fn value(schema: &Value, name: &str, prompt: &str) -> Value {
    if let Some(variants) = schema["enum"].as_array() {
        let usual = variants.iter().find(|variant| matches!(variant.as_str(), Some("standard" | "answer" | "relevant")));
        return usual.or(variants.first()).cloned().unwrap_or_default();
    }
    if let Some(variants) = schema["oneOf"].as_array().or_else(|| schema["anyOf"].as_array()) {
        return variants.first().map(|schema| value(schema, name, prompt)).unwrap_or_default();
    }
    if let Some(constant) = schema.get("const") {
        return constant.clone();
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) => kinds.first().and_then(Value::as_str),
        kind => kind.as_str(),
    };
    match kind {
        Some("object") => object(schema, prompt),
        Some("array") => array(&schema["items"], name, prompt),
        Some("boolean") => json!(!matches!(name, "follow_up")),
        Some("integer" | "number") => schema.get("maximum").or_else(|| schema.get("minimum")).cloned().unwrap_or(json!(1)),
        Some("string") if name == "question" => json!(last(&QUESTION, prompt)),
        Some("string") => json!(""),
        _ => Value::Null,
    }
}

fn object(schema: &Value, prompt: &str) -> Value {
    let properties = schema["properties"].as_object().into_iter().flatten();
    Value::Object(properties.map(|(name, schema)| (name.clone(), value(schema, name, prompt))).collect())
}

fn array(items: &Value, name: &str, prompt: &str) -> Value {
    match name {
        "claims" => numbered(items, prompt),
        "methods" => json!(["keyword", "semantic"]),
        _ => json!([]),
    }
}

/// One for each numbered line of the prompt.
fn numbered(items: &Value, prompt: &str) -> Value {
    let Some(pattern) = CLAIM.as_ref() else { return json!([]) };
    let claims = prompt.rsplit_once("<claims>").map_or("", |(_, claims)| claims);
    let entry = |number: u64| -> Value {
        let mut entry: Map<String, Value> = object(items, prompt).as_object().cloned().unwrap_or_default();
        entry.insert("number".to_owned(), json!(number));
        Value::Object(entry)
    };
    pattern.captures_iter(claims).filter_map(|claim| claim[1].parse().ok()).map(entry).collect()
}

/// The title and the first sentence of the first documents, word for word.
fn answer(prompt: &str) -> String {
    let Some(pattern) = DOCUMENT.as_ref() else { return NOT_ENOUGH.to_owned() };
    let sentences = pattern.captures_iter(prompt).take(CITED).map(|document| {
        let (number, body) = (&document[1], unescape(&document[2]));
        let field = |name: &str| body.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default().trim().to_owned();
        let (title, text) = (field("Title: "), field("Text: "));
        let first = text.split_inclusive(". ").next().unwrap_or_default().trim().trim_end_matches('.');
        if first.is_empty() { format!("{title} [{number}].") } else { format!("{title}: {first} [{number}].") }
    });
    let sentences: Vec<String> = sentences.collect();
    if sentences.is_empty() { NOT_ENOUGH.to_owned() } else { sentences.join("\n") }
}

fn last(pattern: &Option<Regex>, text: &str) -> String {
    let found = pattern.as_ref().and_then(|pattern| pattern.captures_iter(text).last().map(|found| unescape(&found[1])));
    found.unwrap_or_default()
}

fn unescape(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(content: &str) -> Vec<Message> {
        let example = Message { role: "user".to_owned(), content: "<question>An example</question>".to_owned() };
        vec![example, Message { role: "user".to_owned(), content: content.to_owned() }]
    }

    #[test]
    fn an_answer_copies_the_first_documents() {
        let prompt = "<document n=\"1\">\nTitle: Ice &amp; snow\nKind: dataset\nText: It covers 1979 to 2020. More.\n</document>\n\
            <document n=\"4\">\nTitle: A map\n</document>\n<document n=\"5\">\nTitle: Another\n</document>\n<question>Where?</question>";
        assert_eq!(reply(&user(prompt), None), "Ice & snow: It covers 1979 to 2020 [1].\nA map [4].");
        assert_eq!(reply(&user("<question>Where?</question>"), None), NOT_ENOUGH);
    }

    #[test]
    fn a_schema_is_filled() {
        let plan = json!({ "type": "object", "properties": {
            "follow_up": { "type": "boolean" },
            "question": { "type": "string" },
            "path": { "type": "string", "enum": ["multi-hop", "standard"] },
            "sub_questions": { "type": "array", "items": { "type": "string" } },
            "place": { "type": ["string", "null"] },
            "grade": { "type": "integer", "minimum": 0, "maximum": 3 },
        }});
        let expected = json!({ "follow_up": false, "question": "Is a < b?", "path": "standard", "sub_questions": [], "place": "", "grade": 3 });
        assert_eq!(reply(&user("<question>Is a &lt; b?</question>"), Some(&plan)), expected.to_string());
    }

    #[test]
    fn every_claim_is_supported() {
        let entry =
            json!({ "type": "object", "properties": { "number": { "type": "integer" }, "supported": { "type": "boolean" } } });
        let check = json!({ "type": "object", "properties": { "claims": { "type": "array", "items": entry } } });
        let prompt =
            "<document n=\"1\">\n1. not a claim\n</document>\n<claims>\n1. Ice melts. [1]\n2. It grows. [1, 2]\n</claims>";
        let expected = json!({ "claims": [{ "number": 1, "supported": true }, { "number": 2, "supported": true }] });
        assert_eq!(reply(&user(prompt), Some(&check)), expected.to_string());
    }
}
