//! STAC items and collections as datasets. <https://github.com/radiantearth/stac-spec>

mod extent;
mod links;
mod repair;

use serde_json::{Map, Value, json};

use super::{
    draft::{Draft, text_of, texts_of},
    license::spdx,
};
use crate::{
    catalog::{
        fault::{Fault, FaultKind},
        validate::{
            MAX_EXTRA_BYTES,
            identity::{id_from_foreign, is_id},
            is_http_address,
        },
    },
    text::{fold::fold, identifiers::normalise_doi},
};

/// The elements a value holds: one for an item or a collection, many for a list of them, none for a catalogue, which only points.
pub(super) fn drafts(value: Value) -> Vec<Result<Draft, Fault>> {
    let Value::Object(mut object) = value else {
        return vec![Err(Fault::new(FaultKind::NotAnObject, "", "a STAC record is a JSON object"))];
    };
    for list in ["features", "collections"] {
        if matches!(object.get(list), Some(Value::Array(_))) {
            let Some(Value::Array(members)) = object.shift_remove(list) else { continue };
            return members.into_iter().flat_map(member).collect();
        }
    }
    one(object)
}

/// Lists do not hold lists, so that this does not go deeper.
fn member(value: Value) -> Vec<Result<Draft, Fault>> {
    match value {
        Value::Object(object) => one(object),
        _ => vec![Err(Fault::new(FaultKind::NotAnObject, "", "a STAC record is a JSON object"))],
    }
}

fn one(object: Map<String, Value>) -> Vec<Result<Draft, Fault>> {
    let type_is = |name: &str| object.get("type").and_then(Value::as_str) == Some(name);
    let draft = match () {
        () if type_is("Feature") => item(object),
        () if type_is("Collection") || object.contains_key("extent") => collection(object),
        () if type_is("Catalog") => return Vec::new(),
        () => {
            let message = "this is neither a STAC Item (type Feature) nor a Collection (type Collection)";
            return vec![Err(Fault::new(FaultKind::NotOfTheFormat, "type", message))];
        }
    };
    vec![Ok(draft)]
}

fn collection(mut object: Map<String, Value>) -> Draft {
    let mut draft = Draft::default();
    let own_id = id_text(&object);
    describe(&mut draft, &object, &own_id);
    extent::set_extent(&mut draft, object.get("extent"));
    let summaries = object.get("summaries").and_then(Value::as_object).cloned().unwrap_or_default();
    set_tags(&mut draft, &summaries, &object, &own_id);
    set_license(&mut draft, object.get("license"));
    set_providers(&mut draft, object.get("providers"));
    links::set_links(&mut draft, &object);
    set_doi(&mut draft, object.get("sci:doi"), object.get("links"));
    for used in ["type", "stac_version", "title", "description", "keywords", "links", "assets", "sci:doi"] {
        object.shift_remove(used);
    }
    // a sound extent and a plain licence are in the element already; a faulty extent is kept as it was given
    if !draft.faults.iter().any(|fault| fault.field.starts_with("extent")) {
        object.shift_remove("extent");
    }
    if draft.record.get("license").is_some_and(|license| Some(license) == object.get("license")) {
        object.shift_remove("license");
    }
    keep_rest(&mut draft, object);
    draft
}

fn item(mut object: Map<String, Value>) -> Draft {
    let mut draft = Draft::default();
    let own_id = id_text(&object);
    let collection = text_of(&object, "collection").map(str::to_owned);
    let properties = object.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
    describe(&mut draft, &properties, &own_id);
    if let Some(collection) = &collection {
        // the id of an item is its own within its collection only
        draft.set("id", id_from_foreign(&format!("{}:{own_id}", id_from_foreign(collection))));
        draft.push("related", json!({"rel": "related-to", "id": id_from_foreign(collection)}));
    }
    let mut spatial = Map::new();
    spatial.extend(["geometry", "bbox"].into_iter().filter_map(|field| Some((field.to_owned(), object.get(field)?.clone()))));
    draft.set("spatial", spatial);
    extent::set_item_period(&mut draft, &properties);
    set_tags(&mut draft, &properties, &properties, &own_id);
    set_license(&mut draft, properties.get("license"));
    set_providers(&mut draft, properties.get("providers"));
    links::set_links(&mut draft, &object);
    set_doi(&mut draft, properties.get("sci:doi"), object.get("links"));
    for used in ["type", "stac_version", "geometry", "bbox", "links", "assets", "collection"] {
        object.shift_remove(used);
    }
    keep_rest(&mut draft, object);
    draft
}

/// Ids are texts; some catalogues write numbers.
fn id_text(object: &Map<String, Value>) -> String {
    match object.get("id") {
        Some(Value::String(id)) => id.trim().to_owned(),
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    }
}

fn describe(draft: &mut Draft, object: &Map<String, Value>, own_id: &str) {
    draft.set("kind", "dataset");
    if !own_id.is_empty() {
        draft.set("id", id_from_foreign(own_id));
    }
    match text_of(object, "title") {
        Some(title) => draft.set("title", title),
        None if own_id.is_empty() => {}
        None => draft.set("title", own_id),
    }
    if let Some(description) = text_of(object, "description") {
        draft.set("description", description);
    }
}

/// Platform and instruments first: they are written as they are called, where keywords often are in lower case. An id that could
/// not be kept as it is comes last, whole, so that an exact search finds it.
fn set_tags(draft: &mut Draft, facts: &Map<String, Value>, object: &Map<String, Value>, own_id: &str) {
    let fact = |name: &str| texts_of(facts.get(name)).into_iter().flat_map(|text| text.split(','));
    let facts = fact("constellation").chain(fact("platform")).chain(fact("instruments"));
    let keywords = texts_of(object.get("keywords"));
    let is_there = ["id", "title"].iter().any(|field| draft.record.get(*field).and_then(Value::as_str) == Some(own_id));
    let id_tag = if is_there { None } else { Some(own_id) };
    draft.set_tags(facts.chain(keywords).chain(id_tag));
}

fn set_license(draft: &mut Draft, value: Option<&Value>) {
    let texts = texts_of(value);
    let Some(text) = texts.first().map(|text| text.trim()).filter(|text| !text.is_empty()) else { return };
    let license = spdx(text);
    // names STAC gives to what has no SPDX identifier
    let has_none = matches!(fold(text).as_str(), "other" | "proprietary" | "various");
    if license.is_none() && !has_none {
        draft.fault(
            FaultKind::UnknownLicense,
            "license",
            format!("`{text}` is not an SPDX identifier; it was kept under extra, with `other` as the licence"),
        );
        if is_http_address(text) {
            draft.link("license", text, "related", None, Some("Licence"));
        }
    }
    draft.set("license", license.unwrap_or_else(|| "other".to_owned()));
}

/// Producers are the authors; the host is who contributed the record.
fn set_providers(draft: &mut Draft, value: Option<&Value>) {
    let mut host = None;
    for provider in value.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_object) {
        let Some(name) = text_of(provider, "name") else { continue };
        let roles = texts_of(provider.get("roles"));
        if roles.contains(&"producer") {
            draft.push("authors", json!({"name": name}));
        }
        if roles.contains(&"host") && host.is_none() {
            host = Some(name.to_owned());
        }
    }
    if let Some(name) = host {
        draft.set("contributor", json!({"name": name}));
    }
}

/// `sci:doi`, else the DOI of the link that says how to cite.
fn set_doi(draft: &mut Draft, value: Option<&Value>, links: Option<&Value>) {
    let stated = value.and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
    let cited = links
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .find(|link| link.get("rel").and_then(Value::as_str) == Some("cite-as"));
    let cited = cited.and_then(|link| link.get("href")).and_then(Value::as_str);
    match stated.map(normalise_doi) {
        Some(Some(doi)) => draft.set("doi", doi),
        Some(None) => {
            let shown: String = stated.unwrap_or_default().chars().take(120).collect();
            draft.fault(FaultKind::WrongDoi, "sci:doi", format!("`{shown}` is not a DOI; it was left out"));
        }
        None => {
            if let Some(doi) = cited.and_then(normalise_doi) {
                draft.set("doi", doi);
            }
        }
    }
}

/// What has no field of its own stays whole under `extra.stac`.
fn keep_rest(draft: &mut Draft, mut object: Map<String, Value>) {
    if text_of(&object, "id").is_some_and(is_id) && !object.contains_key("properties") {
        object.shift_remove("id");
    }
    object.retain(|_, value| !value.is_null());
    if object.is_empty() {
        return;
    }
    let bytes = serde_json::to_vec(&object).map_or(usize::MAX, |text| text.len());
    if bytes > MAX_EXTRA_BYTES / 2 {
        draft.fault(FaultKind::TooLong, "extra", format!("{bytes} bytes of further fields were left out"));
        return;
    }
    draft.keep_aside("stac", Value::Object(object));
}
