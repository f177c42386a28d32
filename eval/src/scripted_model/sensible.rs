//! Replies that a well-behaved model could give: the smallest JSON of a schema, sentences of the documents with their numbers.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Map, Value, json};

use super::chat::Message;

/// Documents that an answer cites.
const CITED: usize = 2;
/// Of several values the one that makes no fuss.
const USUAL: [&str; 3] = ["standard", "answer", "relevant"];
const NOT_ENOUGH: &str = "NOT ENOUGH INFORMATION";

static DOCUMENT: LazyLock<Regex> = LazyLock::new(|| pattern(r#"(?s)<document n="(\d+)">(.*?)</document>"#));
static QUESTION: LazyLock<Regex> = LazyLock::new(|| pattern("(?s)<question>(.*?)</question>"));
static CLAIM: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?m)^(\d+)\. .*$"));

#[expect(clippy::expect_used, reason = "the patterns are constants, and each has a test")]
fn pattern(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a pattern")
}

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
    let constants = constants(schema);
    if !constants.is_empty() {
        let usual = constants.iter().find(|constant| USUAL.iter().any(|usual| *constant == usual));
        return usual.or(constants.first()).cloned().unwrap_or_default();
    }
    if let Some(variant) = list(schema, "anyOf").first() {
        return value(variant, name, prompt);
    }
    let kind = match schema.get("type") {
        Some(Value::Array(kinds)) => kinds.first().and_then(Value::as_str),
        kind => kind.and_then(Value::as_str),
    };
    match kind {
        Some("object") => object(schema, prompt),
        Some("array") => array(schema.get("items").unwrap_or(&Value::Null), name, prompt),
        Some("boolean") => json!(!matches!(name, "follow_up")),
        Some("integer" | "number") => schema.get("maximum").or_else(|| schema.get("minimum")).cloned().unwrap_or(json!(1)),
        Some("string") if name == "question" => json!(question(prompt)),
        Some("string") => json!(""),
        _ => Value::Null,
    }
}

/// What a value may be, where the schema lists it: in one list, or each with a description.
fn constants(schema: &Value) -> Vec<Value> {
    let described = list(schema, "oneOf").iter().flat_map(constants);
    list(schema, "enum").iter().cloned().chain(described).chain(schema.get("const").cloned()).collect()
}

fn list<'a>(schema: &'a Value, key: &str) -> &'a [Value] {
    schema.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn object(schema: &Value, prompt: &str) -> Value {
    let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
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
    let claims = prompt.rsplit_once("<claims>").map_or("", |(_, claims)| claims);
    let entry = |number: u64| -> Value {
        let mut entry: Map<String, Value> = object(items, prompt).as_object().cloned().unwrap_or_default();
        entry.insert("number".to_owned(), json!(number));
        Value::Object(entry)
    };
    CLAIM.captures_iter(claims).filter_map(|claim| claim.get(1)?.as_str().parse().ok()).map(entry).collect()
}

/// The title and the first sentence of the first documents, word for word.
fn answer(prompt: &str) -> String {
    let sentences = DOCUMENT.captures_iter(prompt).take(CITED).map(|document| {
        let (_, [number, body]) = document.extract();
        let body = unescape(body);
        let field = |name: &str| body.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default().trim().to_owned();
        let (title, text) = (field("Title: "), field("Text: "));
        let first = text.split_inclusive(". ").next().unwrap_or_default().trim().trim_end_matches('.');
        if first.is_empty() { format!("{title} [{number}].") } else { format!("{title}: {first} [{number}].") }
    });
    let sentences: Vec<String> = sentences.collect();
    if sentences.is_empty() { NOT_ENOUGH.to_owned() } else { sentences.join("\n") }
}

fn question(prompt: &str) -> String {
    let found = QUESTION.captures_iter(prompt).last().and_then(|found| found.get(1));
    found.map(|question| unescape(question.as_str())).unwrap_or_default()
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
            "action": { "oneOf": [{ "const": "search" }, { "type": "string", "enum": ["answer", "give-up"] }] },
            "sub_questions": { "type": "array", "items": { "type": "string" } },
            "place": { "type": ["string", "null"] },
            "grade": { "type": "integer", "minimum": 0, "maximum": 3 },
        }});
        let expected = json!({ "follow_up": false, "question": "Is a < b?", "path": "standard", "action": "answer", "sub_questions": [], "place": "", "grade": 3 });
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
