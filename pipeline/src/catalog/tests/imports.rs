//! Whole imports of small hand-made files: the report as a snapshot, then what became of single records.

use std::sync::Mutex;

use serde_json::json;

use super::stand_ins::{MemoryRecords, WordGeocoder, import_bytes};
use crate::{
    catalog::{
        fault::FaultKind,
        import::{Format, ImportError, ImportOptions, ImportReport, import},
    },
    model::element::{Kind, RelatedRel, Visibility},
    testing::fakes::DownGeocoder,
};

const OWN: &str = include_str!("../testdata/own.ndjson");
const IGUIDE: &str = include_str!("../testdata/iguide.json");
const COLLECTIONS: &str = include_str!("../testdata/stac-collections.ndjson");
const ITEMS: &str = include_str!("../testdata/stac-items.json");

async fn imported(text: &str) -> (MemoryRecords, ImportReport) {
    let records = MemoryRecords::new();
    let report = import_bytes(&records, text, None).await.unwrap();
    (records, report)
}

#[tokio::test]
async fn own_format() {
    let (records, report) = imported(OWN).await;
    insta::assert_json_snapshot!("own_format_report", report);
    insta::assert_json_snapshot!("own_format_elements", records.all());
}

#[tokio::test]
async fn iguide() {
    let (records, report) = imported(IGUIDE).await;
    insta::assert_json_snapshot!("iguide_report", report);
    insta::assert_json_snapshot!("iguide_elements", records.all());
}

#[tokio::test]
async fn stac_collections() {
    let (records, report) = imported(COLLECTIONS).await;
    insta::assert_json_snapshot!("stac_collections_report", report);
    insta::assert_json_snapshot!("stac_collections_elements", records.all());
}

#[tokio::test]
async fn stac_items() {
    let (records, report) = imported(ITEMS).await;
    insta::assert_json_snapshot!("stac_items_report", report);
    insta::assert_json_snapshot!("stac_items_elements", records.all());
}

#[tokio::test]
async fn the_same_file_again_changes_nothing() {
    for (text, count) in [(OWN, 5), (IGUIDE, 6), (COLLECTIONS, 9), (ITEMS, 3)] {
        let (records, first) = imported(text).await;
        let before = records.all();
        let again = import_bytes(&records, text, None).await.unwrap();
        assert_eq!((first.created, first.updated, first.unchanged), (count, 0, 0));
        assert_eq!((again.created, again.updated, again.unchanged), (0, 0, count));
        assert_eq!((first.failed, first.warnings), (again.failed, again.warnings));
        assert_eq!(records.all(), before);
    }
}

#[tokio::test]
async fn edges_of_iguide_point_from_what_is_used() {
    let (records, report) = imported(IGUIDE).await;
    let dataset = records.get("ds-Chicago");
    let ids = |rel: RelatedRel| {
        let edges = dataset.related.iter().filter(move |edge| edge.rel == rel);
        edges.map(|edge| edge.id.0.as_str()).collect::<Vec<_>>()
    };
    // one notebook is named by the dataset, the other names the dataset
    assert_eq!(ids(RelatedRel::UsedIn), ["nb-Heat", "oer-Heat", "nb-Later"]);
    let publication = records.get("pb-Heat");
    assert_eq!(publication.doi.as_deref(), Some("10.1080/13658816.2024.2343063"));
    assert_eq!(publication.related.len(), 0, "the notebook states the relation already: {:?}", publication.related);
    assert_eq!(report.count_of(FaultKind::DanglingRelation), 1);
    let empty = records.get("v0nTb5ABQn4vdKPae-mv");
    assert_eq!((empty.visibility, empty.kind), (Visibility::Private, Kind::Dataset));
}

#[tokio::test]
async fn a_product_code_stays_whole() {
    let (records, _) = imported(COLLECTIONS).await;
    let element = records.get("MOD13Q1.061");
    assert_eq!(element.tags, ["Terra", "Aqua", "MODIS", "ndvi"], "platforms come first, in their own spelling");
    assert_eq!(records.get("fill-value-933478d9e438").tags, ["fill value/α"], "an id that cannot be one is a tag");
}

#[tokio::test]
async fn a_foreign_file_is_known_by_its_content() {
    let check = async |text: String, format: Format| {
        let records = MemoryRecords::new();
        let report = import_bytes(&records, text.clone(), None).await.unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!((report.format, report.imported()), (format, 1), "{text}: {:?}", report.failed);
    };
    let own = json!({"kind": "dataset", "title": "Lake ice"});
    let resource = json!({"_id": "x1", "resource-type": "dataset", "title": "Lake ice", "contents": "…"});
    let collection = json!({"type": "Collection", "stac_version": "1.0.0", "id": "c", "title": "Lake ice", "extent": {}});
    let item = json!({"type": "Feature", "stac_version": "1.0.0", "id": "i", "geometry": null, "properties": {"datetime": "2020-01-01T00:00:00Z"}});
    for (record, format) in
        [(&own, Format::Ndjson), (&resource, Format::Iguide), (&collection, Format::Stac), (&item, Format::Stac)]
    {
        check(record.to_string(), format).await;
        check(format!("\u{feff}\r\n{record}\r\n\r\n"), format).await;
        check(serde_json::to_string_pretty(record).unwrap(), format).await;
        check(json!([record]).to_string(), format).await;
        check(serde_json::to_string_pretty(&json!([record])).unwrap(), format).await;
    }
    check(json!({"type": "FeatureCollection", "features": [item]}).to_string(), Format::Stac).await;
    check(serde_json::to_string_pretty(&json!({"collections": [collection], "links": []})).unwrap(), Format::Stac).await;
}

#[tokio::test]
async fn duplicates_are_suggested_and_never_merged() {
    let line = |id: &str, more: &str| {
        format!("{{\"id\":\"{id}\",\"kind\":\"dataset\",\"title\":\"Lake ice of the Arctic {id}\"{more}}}\n")
    };
    let (records, report) = imported(
        &[
            line("a", r#","doi":"10.5067/ICE""#),
            line("b", r#","doi":"https://doi.org/10.5067/ice""#),
            line("c", r#","links":[{"href":"https://www.example.org/ice/"}]"#),
            line("d", r#","links":[{"href":"http://example.org/ice"}]"#),
            line("e", r#","links":[{"href":"http://example.org/ice"}],"kind":"map""#),
            line("f", ""),
        ]
        .concat(),
    )
    .await;
    let found: Vec<(String, Vec<&str>)> = report
        .duplicates
        .iter()
        .map(|suggestion| (suggestion.shared.clone(), suggestion.ids.iter().map(|id| id.0.as_str()).collect()))
        .collect();
    assert_eq!(found, [("10.5067/ice".to_owned(), vec!["a", "b"]), ("example.org/ice (dataset)".to_owned(), vec!["c", "d"])]);
    assert_eq!(records.all().len(), 6);
    // a later file is compared with what is there, and only the new is told of
    let later = import_bytes(&records, line("g", r#","authors":[]"#).replace("Arctic g", "ARCTIC, f"), None).await.unwrap();
    assert_eq!(later.duplicates.len(), 1);
    assert_eq!(later.duplicates[0].ids.iter().map(|id| id.0.as_str()).collect::<Vec<_>>(), ["f", "g"]);
}

#[tokio::test]
async fn a_geocoder_that_is_down_costs_the_suggestions_only() {
    let records = MemoryRecords::new();
    let source = Box::new(std::io::Cursor::new(IGUIDE.as_bytes()));
    let report = import(&records, &DownGeocoder, source, &ImportOptions::default(), &|_| {}).await.unwrap();
    assert_eq!(report.created, 6);
    assert_eq!(report.without_suggestions.as_deref(), Some("suggestions could not be made: it is down"));
}

#[tokio::test]
async fn the_contributor_is_given_to_those_without_one() {
    let records = MemoryRecords::new();
    let options = ImportOptions { contributor: Some("Harbour office".to_owned()), ..ImportOptions::default() };
    let text = "{\"id\":\"a\",\"kind\":\"map\",\"title\":\"A\"}\n{\"id\":\"b\",\"kind\":\"map\",\"title\":\"B\",\"contributor\":{\"name\":\"Own\"}}";
    import(&records, &WordGeocoder, Box::new(std::io::Cursor::new(text)), &options, &|_| {}).await.unwrap();
    assert_eq!(records.get("a").contributor.unwrap().name, "Harbour office");
    assert_eq!(records.get("b").contributor.unwrap().name, "Own");
}

#[tokio::test]
async fn progress_grows_to_the_end_of_the_file() {
    let text: String = (0..1_700).map(|n| format!("{{\"id\":\"e{n}\",\"kind\":\"map\",\"title\":\"Map {n}\"}}\n")).collect();
    let seen = Mutex::new(Vec::new());
    let (records, bytes) = (MemoryRecords::new(), text.len() as u64);
    let source = Box::new(std::io::Cursor::new(text));
    import(&records, &WordGeocoder, source, &ImportOptions::default(), &|progress| seen.lock().unwrap().push(progress))
        .await
        .unwrap();
    let seen = seen.into_inner().unwrap();
    assert!(seen.len() >= 4, "batches of some hundred: {seen:?}");
    assert!(seen.windows(2).all(|pair| pair[0].records < pair[1].records && pair[0].bytes <= pair[1].bytes), "{seen:?}");
    assert_eq!(seen.last().map(|progress| (progress.records, progress.bytes)), Some((1_700, bytes)));
}

#[tokio::test]
async fn an_import_that_stops_says_how_far_it_came_and_goes_on_later() {
    let text: String = (0..2_000).map(|n| format!("{{\"id\":\"e{n:04}\",\"kind\":\"map\",\"title\":\"Map {n}\"}}\n")).collect();
    let records = MemoryRecords::that_holds(700);
    let Err(ImportError::Stopped { report, .. }) = import_bytes(&records, text, None).await else { panic!("it did not stop") };
    assert_eq!(report.created, records.all().len() as u64);
    assert!((1..=700).contains(&report.created));
}

#[tokio::test]
async fn a_place_outside_the_footprint_is_told() {
    let line = |id: &str, bbox: &str, place: &str| {
        format!(
            "{{\"id\":\"{id}\",\"kind\":\"map\",\"title\":\"{id}\",\"spatial\":{{\"bbox\":{bbox},\"places\":[\"{place}\"]}}}}\n"
        )
    };
    let text = [
        line("right", "[-88, 41, -87, 42]", "Chicago"),
        line("near", "[-87, 42.5, -86, 43]", "Chicago"),
        line("exchanged", "[41, -88, 42, -87]", "Chicago"),
        line("over-the-antimeridian", "[170, 60, -170, 70]", "Iceland"),
        line("everywhere", "[-180, -90, 180, 90]", "Iceland"),
        line("unknown", "[1, 2, 3, 4]", "Atlantis"),
    ]
    .concat();
    let (records, report) = imported(&text).await;
    let told: Vec<(u64, &str)> = report
        .warnings
        .iter()
        .filter(|warning| warning.fault.kind == FaultKind::PlaceElsewhere)
        .map(|warning| (warning.record, warning.id.as_ref().unwrap().0.as_str()))
        .collect();
    assert_eq!(told, [(3, "exchanged"), (4, "over-the-antimeridian")]);
    assert!(records.get("exchanged").bbox().is_some(), "told, not changed");
}
