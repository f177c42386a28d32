//! The OpenAPI document is what clients are generated from: it changes knowingly or not at all.

use pipeline::model::query::SearchQuery;
use serde_json::Value;

fn document() -> Value {
    serde_json::to_value(server::api::router().into_openapi()).unwrap()
}

#[test]
fn the_document_is_the_one_that_was_agreed() {
    insta::assert_json_snapshot!(document(), { ".info.version" => "[version]" });
}

#[test]
fn it_is_openapi_3_1() {
    assert!(document()["openapi"].as_str().unwrap().starts_with("3.1"));
}

#[test]
fn every_documented_parameter_of_a_search_is_read() {
    let document = document();
    let parameters = document["paths"]["/api/v1/search"]["get"]["parameters"].as_array().unwrap();
    let names: Vec<&str> = parameters.iter().map(|parameter| parameter["name"].as_str().unwrap()).collect();
    assert!(names.len() > 10);
    for name in names {
        // a value that no parameter takes is refused for itself, not for its name
        let errors = SearchQuery::from_pairs([(name, "?")]).err().unwrap_or_default();
        assert!(errors.iter().all(|error| !error.message.contains("not a parameter")), "{name} is not read");
    }
}

#[test]
fn every_reference_leads_somewhere() {
    let document = document();
    let mut references = Vec::new();
    collect(&document, &mut references);
    assert!(!references.is_empty());
    for reference in references {
        assert!(document.pointer(reference.trim_start_matches('#')).is_some(), "{reference} leads nowhere");
    }
}

fn collect(value: &Value, references: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            references.extend(fields.get("$ref").and_then(Value::as_str).map(str::to_owned));
            fields.values().for_each(|value| collect(value, references));
        }
        Value::Array(values) => values.iter().for_each(|value| collect(value, references)),
        _ => {}
    }
}
