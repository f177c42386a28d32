//! An element as a document of the text index.

use std::collections::BTreeSet;

use tantivy::TantivyDocument;

use super::schema::Fields;
use crate::{
    model::element::Element,
    ports::{PortError, PortResult},
    text::identifiers::{find_dois, identifiers, normalise_doi, normalise_identifier, partial_codes},
};

/// Titles longer than this are no codes.
const MAX_TITLE_CODE_BYTES: usize = 200;

/// The part of an element that attributes and footprints are made of, which the index keeps to fill them when it is opened.
pub fn kept(element: &Element) -> Element {
    Element {
        authors: Vec::new(),
        description: String::new(),
        license: None,
        language: None,
        doi: None,
        links: Vec::new(),
        details: Default::default(),
        related: Vec::new(),
        bookmarked_by: Vec::new(),
        created: None,
        extra: serde_json::Map::new(),
        id: element.id.clone(),
        kind: element.kind,
        title: element.title.clone(),
        tags: element.tags.clone(),
        spatial: element.spatial.clone(),
        temporal: element.temporal.clone(),
        contributor: element.contributor.clone(),
        visibility: element.visibility,
        click_count: element.click_count,
        updated: element.updated.clone(),
    }
}

pub fn document(fields: &Fields, element: &Element, row: u32) -> PortResult<TantivyDocument> {
    let mut document = TantivyDocument::default();
    document.add_text(fields.id, &element.id.0);
    document.add_u64(fields.row, u64::from(row));
    let kept = serde_json::to_vec(&kept(element)).map_err(PortError::internal("tantivy: write an element"))?;
    document.add_bytes(fields.element, &kept);
    document.add_text(fields.title, &element.title);
    for text in texts(element) {
        // each value for itself, so that no phrase reaches from one into the next
        document.add_text(fields.text, text);
        if !text.is_ascii() {
            document.add_text(fields.accented, text);
        }
    }
    let own = own_codes(element);
    for code in mentioned_codes(element).difference(&own) {
        document.add_text(fields.mentioned, code);
    }
    for code in &own {
        document.add_text(fields.own, code);
    }
    if let Some(doi) = &element.doi {
        document.add_text(fields.doi, normalise_doi(doi).unwrap_or_else(|| doi.to_lowercase()));
    }
    Ok(document)
}

/// Everything of an element that a person may have words of.
fn texts(element: &Element) -> impl Iterator<Item = &str> {
    let details = &element.details;
    let spatial = element.spatial.iter().flat_map(|spatial| &spatial.places);
    let named = [&details.format, &details.venue, &details.repository, &details.service, &details.level, &details.audience];
    let period = element.temporal.as_ref().and_then(|period| period.text.as_deref());
    [element.title.as_str(), element.description.as_str()]
        .into_iter()
        .chain(element.authors.iter().map(|author| author.name.as_str()))
        .chain(element.contributor.iter().map(|person| person.name.as_str()))
        .chain(
            element
                .tags
                .iter()
                .chain(spatial)
                .chain(&details.functions)
                .chain(&details.imports)
                .chain(&details.tasks)
                .map(String::as_str),
        )
        .chain(named.into_iter().flatten().map(String::as_str))
        .chain(element.links.iter().filter_map(|link| link.title.as_deref()))
        .chain(period)
        .filter(|text| !text.is_empty())
}

/// What the element itself is called: id, title and codes in it, DOI, names of its files.
fn own_codes(element: &Element) -> BTreeSet<String> {
    let mut codes = BTreeSet::from([normalise_identifier(&element.id.0)]);
    if element.title.len() <= MAX_TITLE_CODE_BYTES {
        codes.insert(normalise_identifier(&element.title));
    }
    codes.extend(element.doi.as_deref().map(normalise_identifier));
    add_codes(&element.id.0, &mut codes);
    add_codes(&element.title, &mut codes);
    for link in &element.links {
        let path = link.href.split(['?', '#']).next().unwrap_or_default();
        add_codes(path.rsplit('/').next().unwrap_or_default(), &mut codes);
    }
    codes.remove("");
    codes
}

/// Codes and DOIs anywhere in the text and the links.
fn mentioned_codes(element: &Element) -> BTreeSet<String> {
    let mut codes = BTreeSet::new();
    let links = element.links.iter().map(|link| link.href.as_str());
    for text in texts(element).chain(links) {
        codes.extend(find_dois(text).into_iter().map(|found| normalise_identifier(&found.doi)));
    }
    texts(element).for_each(|text| add_codes(text, &mut codes));
    codes.remove("");
    codes
}

/// The codes of a text, whole and in parts.
fn add_codes(text: &str, codes: &mut BTreeSet<String>) {
    for found in identifiers(text) {
        codes.extend(partial_codes(text.get(found.start..found.end).unwrap_or_default()));
        codes.insert(found.normalised);
    }
}
