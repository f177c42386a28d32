//! From a JSON object of our own format to an element: everything that enters the catalogue passes here.

pub(crate) mod fields;
pub(crate) mod footprint;
pub mod identity;
pub(crate) mod period;
mod syntax;

use std::str::FromStr;

use serde_json::{Map, Value};

use self::{
    fields::{Fields, Findings, type_name},
    syntax::{is_language, is_license},
};
use super::fault::{Fault, FaultKind};
use crate::{
    model::element::{Author, Details, Element, ElementId, Kind, Link, LinkRel, Person, Related, RelatedRel, Visibility},
    text::identifiers::normalise_doi,
};

pub use syntax::{is_http_address, normalise_orcid};

pub const MAX_TITLE_BYTES: usize = 1_000;
pub const MAX_DESCRIPTION_BYTES: usize = 200_000;
pub const MAX_TAGS: usize = 200;
pub const MAX_TAG_BYTES: usize = 200;
pub const MAX_AUTHORS: usize = 5_000;
pub const MAX_NAME_BYTES: usize = 500;
pub const MAX_LINKS: usize = 200;
pub const MAX_ADDRESS_BYTES: usize = 2_000;
pub const MAX_RELATED: usize = 1_000;
pub const MAX_EXTRA_BYTES: usize = 500_000;
const MAX_DETAIL_BYTES: usize = 2_000;
const MAX_DETAIL_ITEMS: usize = 5_000;
const MAX_BOOKMARKS: usize = 100_000;

/// An element that may be registered, with what was repaired or left out on the way.
#[derive(Clone, Debug, PartialEq)]
pub struct Validated {
    pub element: Element,
    pub warnings: Vec<Fault>,
}

/// Reads one record of our own format. An absent id is assigned such that the same record gets the same id again. Faults of
/// footprint and period are warnings, since they never cost the record; everything else that is wrong refuses it.
///
/// # Errors
/// Every fault found, by field; unknown fields are among them.
pub fn validate(record: Value) -> Result<Validated, Vec<Fault>> {
    let Value::Object(map) = record else {
        let message = format!("a record is a JSON object, not {}", type_name(&record));
        return Err(vec![Fault::new(FaultKind::NotAnObject, "", message)]);
    };
    let mut findings = Findings::default();
    let element = read_element(&mut findings, map);
    match element {
        Some(element) if findings.errors.is_empty() => Ok(Validated { element, warnings: findings.warnings }),
        _ => Err(findings.errors),
    }
}

fn read_element(findings: &mut Findings, map: Map<String, Value>) -> Option<Element> {
    let mut fields = findings.object("", Value::Object(map))?;
    let id = fields.take("id").and_then(|value| id(findings, "id", value));
    let kind = match fields.take("kind") {
        Some(value) => named(findings, "kind", value, FaultKind::UnknownKind, Kind::from_str),
        None => {
            findings.error(
                FaultKind::MissingKind,
                "kind",
                "every element needs a kind: dataset, notebook, publication, map, code or oer",
            );
            None
        }
    };
    let title = fields.line(findings, "title", MAX_TITLE_BYTES);
    if title.is_none() && !findings.errors.iter().any(|error| error.field == "title") {
        findings.error(FaultKind::MissingTitle, "title", "every element needs a title");
    }
    let mut element = Element::new("", kind.unwrap_or(Kind::Dataset), &title.clone().unwrap_or_default());
    let authors = fields.take("authors");
    element.authors = findings.list("authors", authors, MAX_AUTHORS, author);
    element.tags = fields.lines(findings, "tags", MAX_TAGS, MAX_TAG_BYTES);
    let description = fields.take("description").and_then(|value| findings.text("description", value, MAX_DESCRIPTION_BYTES));
    element.description = description.unwrap_or_default();
    element.license = fields.take("license").and_then(|value| license(findings, value));
    element.language = fields.take("language").and_then(|value| language(findings, value));
    element.doi = fields.take("doi").and_then(|value| doi(findings, value));
    let links = fields.take("links");
    element.links = findings.list("links", links, MAX_LINKS, link);
    element.spatial = fields.take("spatial").and_then(|value| footprint::spatial(findings, value));
    element.temporal = fields.take("temporal").and_then(|value| period::period(findings, value));
    element.details = fields.take("details").and_then(|value| details(findings, value)).unwrap_or_default();
    let related = fields.take("related");
    let related = findings.list("related", related, MAX_RELATED, related_to);
    element.contributor = fields.take("contributor").and_then(|value| person(findings, "contributor", value));
    let bookmarks = fields.take("bookmarked_by");
    element.bookmarked_by = findings.list("bookmarked_by", bookmarks, MAX_BOOKMARKS, person);
    element.visibility = fields.take("visibility").and_then(|value| visibility(findings, value)).unwrap_or_default();
    element.click_count = fields.take("click_count").and_then(|value| click_count(findings, value)).unwrap_or_default();
    element.created = fields.take("created").and_then(|value| timestamp(findings, "created", value));
    element.updated = fields.take("updated").and_then(|value| timestamp(findings, "updated", value));
    element.extra = fields.take("extra").and_then(|value| extra(findings, value)).unwrap_or_default();
    fields.refuse_the_rest(findings);

    element.id = ElementId(id.unwrap_or_else(|| identity::assign_id(&element)));
    for edge in related {
        if edge.id == element.id {
            findings.error(FaultKind::RelatedToItself, "related", "an element cannot be related to itself");
        } else if !element.related.contains(&edge) {
            element.related.push(edge);
        }
    }
    Some(element)
}

fn id(findings: &mut Findings, field: &str, value: Value) -> Option<String> {
    let text = findings.text(field, value, MAX_ADDRESS_BYTES)?;
    if identity::is_id(&text) {
        return Some(text);
    }
    let shown: String = text.chars().take(80).collect();
    let most = identity::MAX_ID_BYTES;
    let message =
        format!("`{shown}` cannot be an id: letters, digits and - _ . : ~ of ASCII, at most {most}, not starting with a dot");
    findings.error(FaultKind::WrongId, field, message);
    None
}

/// A text that must be one of a few names.
fn named<T, E: std::fmt::Display>(
    findings: &mut Findings,
    field: &str,
    value: Value,
    fault: FaultKind,
    read: impl FnOnce(&str) -> Result<T, E>,
) -> Option<T> {
    let text = findings.line(field, value, MAX_NAME_BYTES)?;
    read(&text).map_err(|error| findings.error(fault, field, error.to_string())).ok()
}

fn author(findings: &mut Findings, path: &str, value: Value) -> Option<Author> {
    let mut fields = findings.object(path, value)?;
    let name = required_name(findings, path, &mut fields);
    let orcid = fields.line(findings, "orcid", MAX_NAME_BYTES).and_then(|text| {
        let orcid = normalise_orcid(&text);
        if orcid.is_none() {
            let message = format!("`{text}` is not an ORCID such as 0000-0002-1825-0097 with its check digit");
            findings.error(FaultKind::WrongOrcid, &format!("{path}.orcid"), message);
        }
        orcid
    });
    fields.refuse_the_rest(findings);
    Some(Author { name: name?, orcid })
}

fn person(findings: &mut Findings, path: &str, value: Value) -> Option<Person> {
    let mut fields = findings.object(path, value)?;
    let name = required_name(findings, path, &mut fields);
    fields.refuse_the_rest(findings);
    Some(Person { name: name? })
}

fn required_name(findings: &mut Findings, path: &str, fields: &mut Fields) -> Option<String> {
    let before = findings.errors.len();
    let name = fields.line(findings, "name", MAX_NAME_BYTES);
    if name.is_none() && findings.errors.len() == before {
        findings.error(FaultKind::WrongType, &format!("{path}.name"), "a person needs a name");
    }
    name
}

fn license(findings: &mut Findings, value: Value) -> Option<String> {
    let text = findings.line("license", value, MAX_NAME_BYTES)?;
    if !is_license(&text) {
        findings.error(
            FaultKind::UnknownValue,
            "license",
            format!("`{text}` is not an SPDX identifier such as CC-BY-4.0; use `other`"),
        );
        return None;
    }
    Some(text)
}

fn language(findings: &mut Findings, value: Value) -> Option<String> {
    let text = findings.line("language", value, MAX_NAME_BYTES)?;
    if !is_language(&text) {
        findings.error(FaultKind::WrongLanguage, "language", format!("`{text}` is not a BCP 47 tag such as en or pt-BR"));
        return None;
    }
    Some(text)
}

fn doi(findings: &mut Findings, value: Value) -> Option<String> {
    let text = findings.line("doi", value, MAX_ADDRESS_BYTES)?;
    let doi = normalise_doi(&text);
    if doi.is_none() {
        findings.error(FaultKind::WrongDoi, "doi", format!("`{text}` is not a DOI such as 10.5067/MODIS/MOD13Q1.061"));
    }
    doi
}

fn link(findings: &mut Findings, path: &str, value: Value) -> Option<Link> {
    let mut fields = findings.object(path, value)?;
    let href_path = fields.path_of("href");
    let before = findings.errors.len();
    let href = fields.line(findings, "href", MAX_ADDRESS_BYTES);
    if !href.as_deref().is_some_and(is_http_address) && findings.errors.len() == before {
        findings.error(
            FaultKind::LinkNotHttp,
            &href_path,
            "a link needs an address that starts with http:// or https:// and has no spaces",
        );
    }
    let rel = match fields.take("rel") {
        Some(value) => named(findings, &fields.path_of("rel"), value, FaultKind::UnknownValue, |name| {
            serde_json::from_value::<LinkRel>(Value::String(name.to_owned()))
                .map_err(|_| format!("`{name}` is not a rel; use about, download, repository, preview, service or related"))
        })?,
        None => LinkRel::default(),
    };
    let media_type = fields.line(findings, "type", MAX_NAME_BYTES);
    let title = fields.line(findings, "title", MAX_TITLE_BYTES);
    fields.refuse_the_rest(findings);
    Some(Link { href: href.filter(|href| is_http_address(href))?, rel, media_type, title })
}

fn details(findings: &mut Findings, value: Value) -> Option<Details> {
    let mut fields = findings.object("details", value)?;
    // a count of pages is often a number
    let pages = fields.take("pages").map(|pages| if pages.is_u64() { Value::String(pages.to_string()) } else { pages });
    let pages = pages.and_then(|pages| findings.line("details.pages", pages, MAX_DETAIL_BYTES));
    let mut line = |findings: &mut Findings, name: &str| fields.line(findings, name, MAX_DETAIL_BYTES);
    let mut details = Details {
        format: line(findings, "format"),
        venue: line(findings, "venue"),
        pages,
        repository: line(findings, "repository"),
        service: line(findings, "service"),
        level: line(findings, "level"),
        audience: line(findings, "audience"),
        ..Details::default()
    };
    details.size_bytes = fields.take("size_bytes").and_then(|value| findings.whole_number("details.size_bytes", value));
    details.year = fields.take("year").and_then(|value| findings.whole_number("details.year", value));
    details.functions = fields.lines(findings, "functions", MAX_DETAIL_ITEMS, MAX_DETAIL_BYTES);
    details.imports = fields.lines(findings, "imports", MAX_DETAIL_ITEMS, MAX_DETAIL_BYTES);
    details.tasks = fields.lines(findings, "tasks", MAX_DETAIL_ITEMS, MAX_DETAIL_BYTES);
    fields.refuse_the_rest(findings);
    Some(details)
}

fn related_to(findings: &mut Findings, path: &str, value: Value) -> Option<Related> {
    let mut fields = findings.object(path, value)?;
    let rel = fields.take("rel").unwrap_or(Value::String(String::new()));
    let rel = named(findings, &fields.path_of("rel"), rel, FaultKind::UnknownValue, |name| {
        serde_json::from_value::<RelatedRel>(Value::String(name.to_owned()))
            .map_err(|_| format!("`{name}` is not a relation; use cites, related-to, derived-from or used-in"))
    });
    let id = fields.take("id").and_then(|value| id(findings, &fields.path_of("id"), value));
    if id.is_none() || rel.is_none() {
        findings.error(FaultKind::WrongType, path, "a relation needs a rel and the id of the other element");
    }
    fields.refuse_the_rest(findings);
    Some(Related { rel: rel?, id: ElementId(id?) })
}

fn visibility(findings: &mut Findings, value: Value) -> Option<Visibility> {
    named(findings, "visibility", value, FaultKind::UnknownValue, |name| {
        serde_json::from_value::<Visibility>(Value::String(name.to_owned()))
            .map_err(|_| format!("`{name}` is not a visibility; use public, private or withdrawn"))
    })
}

fn click_count(findings: &mut Findings, value: Value) -> Option<u64> {
    findings.whole_number("click_count", value)
}

fn timestamp(findings: &mut Findings, field: &str, value: Value) -> Option<String> {
    let text = findings.line(field, value, MAX_NAME_BYTES)?;
    if text.parse::<jiff::Timestamp>().is_err() {
        findings.error(
            FaultKind::WrongTimestamp,
            field,
            format!("`{text}` is not an RFC 3339 time such as 2024-05-01T12:00:00Z"),
        );
        return None;
    }
    Some(text)
}

fn extra(findings: &mut Findings, value: Value) -> Option<Map<String, Value>> {
    let Value::Object(map) = value else {
        findings.error(FaultKind::WrongType, "extra", format!("give an object, not {}", type_name(&value)));
        return None;
    };
    let bytes = serde_json::to_vec(&map).map_or(usize::MAX, |text| text.len());
    if bytes > MAX_EXTRA_BYTES {
        findings.error(FaultKind::TooLong, "extra", format!("this is {bytes} bytes long; at most {MAX_EXTRA_BYTES} are kept"));
        return None;
    }
    Some(map)
}
