//! The demo catalogue: valid to the last line, all kinds and edges present, and every DOI and address found in its named source.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fs,
    path::{Path, PathBuf},
};

use pipeline::{
    catalog::{ImportOptions, import_file, validate},
    engines::{gazetteer::Gazetteer, sqlite::SqliteRecords},
    model::element::{Element, Kind, RelatedRel},
    testing::shared_data,
};
use serde_json::Value;

const DEMO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../server/demo/elements.ndjson");

fn elements() -> Vec<Element> {
    let text = fs::read_to_string(DEMO).unwrap();
    let validated = |(at, line): (usize, &str)| {
        let validated =
            validate(serde_json::from_str(line).unwrap()).unwrap_or_else(|faults| panic!("line {}: {faults:?}", at + 1));
        assert_eq!(validated.warnings, [], "line {}", at + 1);
        validated.element
    };
    text.lines().enumerate().map(validated).collect()
}

#[test]
fn every_line_is_an_element_and_every_edge_leads_to_one() {
    let elements = elements();
    let ids: BTreeSet<&str> = elements.iter().map(|element| element.id.0.as_str()).collect();
    assert_eq!(ids.len(), elements.len(), "an id stands twice");
    for element in &elements {
        assert!(element.is_public() && !element.description.is_empty(), "{}", element.id);
        for edge in &element.related {
            assert!(ids.contains(edge.id.0.as_str()), "{} names {}", element.id, edge.id);
        }
    }
}

#[test]
fn all_kinds_edges_and_places_are_there() {
    let elements = elements();
    assert!(elements.len() >= 150, "{}", elements.len());
    let count = |fits: &dyn Fn(&Element) -> bool| elements.iter().filter(|element| fits(element)).count();
    for kind in Kind::ALL {
        assert!(count(&|element| element.kind == kind) >= 5, "few of {kind}");
    }
    for rel in [RelatedRel::Cites, RelatedRel::RelatedTo, RelatedRel::DerivedFrom, RelatedRel::UsedIn] {
        assert!(count(&|element| element.related.iter().any(|edge| edge.rel == rel)) >= 5, "few edges {rel:?}");
    }
    assert!(count(&|element| !element.authors.is_empty()) >= 5);
    assert_eq!(count(&|element| element.contributor.is_none()), 0);
    assert!(count(&|element| !element.bookmarked_by.is_empty()) >= 5);
    let bbox = |fits: &dyn Fn(f64, f64, f64, f64) -> bool| {
        count(&|element| element.bbox().is_some_and(|bbox| fits(bbox.west(), bbox.south(), bbox.east(), bbox.north())))
    };
    assert!(bbox(&|west, _, east, _| west > east) >= 3, "few footprints over the antimeridian");
    assert!(bbox(&|_, south, _, _| south >= 60.0) >= 2, "few footprints in the Arctic");
    assert!(bbox(&|_, _, _, north| north <= -60.0) >= 2, "few footprints in the Antarctic");
    let languages: BTreeSet<&str> = elements.iter().filter_map(|element| element.language.as_deref()).collect();
    assert!(languages.len() >= 3, "{languages:?}");
}

#[tokio::test]
async fn it_is_imported_without_a_word_and_again_without_a_change() {
    let folder = tempfile::tempdir().unwrap();
    let records = SqliteRecords::open(folder.path()).await.unwrap();
    let gazetteer = Gazetteer::open().unwrap();
    let count = elements().len() as u64;
    let options = ImportOptions::default();
    let first = import_file(&records, &gazetteer, Path::new(DEMO), &options, &|_| {}).await.unwrap();
    assert_eq!((first.created, first.refused), (count, 0));
    assert_eq!((first.failed, first.warnings, first.without_suggestions), (Vec::new(), Vec::new(), None));
    let again = import_file(&records, &gazetteer, Path::new(DEMO), &options, &|_| {}).await.unwrap();
    assert_eq!((again.created, again.updated, again.unchanged), (0, 0, count));
}

/// `extra.source`, a text or a list of texts: `shared/data/<path>#<key>` or the address of a page.
fn sources(element: &Element) -> Vec<&str> {
    match element.extra.get("source") {
        Some(Value::String(source)) => vec![source],
        Some(Value::Array(sources)) => sources.iter().map(|source| source.as_str().unwrap()).collect(),
        other => panic!("{}: no source but {other:?}", element.id),
    }
}

#[test]
fn dois_and_addresses_stand_in_their_sources() {
    let Some(collections) = shared_data("eo-collections/collections.ndjson") else { return };
    let data = collections.parent().and_then(Path::parent).unwrap().to_owned();
    let mut library = Library { data, files: HashMap::new() };
    let (mut looked_up, mut in_a_pdf) = (0, Vec::new());
    for element in elements() {
        let sources = sources(&element);
        let texts: Vec<String> = sources.iter().filter_map(|source| library.text(source)).collect();
        // pages were read by eye
        if sources.iter().any(|source| source.starts_with("http")) {
            continue;
        }
        for wanted in element.doi.iter().chain(element.links.iter().map(|link| &link.href)) {
            if texts.iter().any(|text| text.contains(&wanted.to_lowercase())) {
                looked_up += 1;
            } else if sources.iter().any(|source| source.contains(".pdf#")) {
                in_a_pdf.push(element.id.0.clone());
            } else {
                panic!("{}: {wanted} stands in none of {sources:?}", element.id);
            }
        }
    }
    assert!(looked_up >= 150, "{looked_up} were looked up");
    assert_eq!(in_a_pdf, ["pub-monitoring-counts"], "what stands within a PDF is looked up by server/demo/check.py");
}

/// The records of the shared data as text, by `path#key`.
struct Library {
    data: PathBuf,
    /// Per file the text of each record, in lower case.
    files: HashMap<String, BTreeMap<String, String>>,
}

impl Library {
    /// `None` for pages, PDFs and the papers beside the data.
    fn text(&mut self, source: &str) -> Option<String> {
        let (path, key) = source.strip_prefix("shared/data/")?.split_once('#').unwrap_or_else(|| panic!("no key in {source}"));
        if path.ends_with(".pdf") {
            assert!(self.data.join(path).exists(), "{source}");
            return None;
        }
        if !self.files.contains_key(path) {
            let text = fs::read_to_string(self.data.join(path)).unwrap_or_else(|error| panic!("{source}: {error}"));
            self.files.insert(path.to_owned(), records(path, &text));
        }
        let found = self.files[path].get(key.split('|').next().unwrap_or(key));
        Some(found.unwrap_or_else(|| panic!("{source} is not there")).clone())
    }
}

fn records(path: &str, text: &str) -> BTreeMap<String, String> {
    let mut records: BTreeMap<String, String> = BTreeMap::new();
    let mut add = |key: &str, value: &Value| collect_text(value, records.entry(key.to_owned()).or_default());
    let parsed = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    match path {
        _ if path.ends_with(".ndjson") => {
            for record in text.lines().map(parsed) {
                add(record.get("id").or(record.get("name")).and_then(Value::as_str).unwrap(), &record);
            }
        }
        _ if path.ends_with(".ipynb") => {
            let notebook = parsed(text);
            for at in 0..notebook["cells"].as_array().unwrap().len() {
                add(&format!("cell-{at}"), &notebook);
            }
        }
        "iguide-resources.json" => {
            parsed(text).as_array().unwrap().iter().for_each(|record| add(record["_id"].as_str().unwrap(), record))
        }
        "facts/spectral-indices.json" => {
            parsed(text)["SpectralIndices"].as_object().unwrap().iter().for_each(|(key, record)| add(key, record))
        }
        "facts/geodatasets.json" => {
            for (provider, sets) in parsed(text).as_object().unwrap() {
                sets.as_object().unwrap().iter().for_each(|(name, record)| add(&format!("{provider}.{name}"), record));
            }
        }
        _ => parsed(text).as_object().unwrap().iter().for_each(|(key, record)| add(key, record)),
    }
    records
}

/// All texts of a value, a line each; the texts of a list joined as well, since a notebook keeps its cells in pieces.
fn collect_text(value: &Value, text: &mut String) {
    match value {
        Value::String(string) => {
            text.push_str(&string.to_lowercase());
            text.push('\n');
        }
        Value::Array(items) => {
            text.push_str(&items.iter().filter_map(Value::as_str).collect::<String>().to_lowercase());
            text.push('\n');
            items.iter().for_each(|item| collect_text(item, text));
        }
        Value::Object(map) => {
            for (key, item) in map {
                text.push_str(&key.to_lowercase());
                text.push('\n');
                collect_text(item, text);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
