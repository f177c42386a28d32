//! Whatever a file holds, the importer says a clear sentence or imports what is sound; it never panics.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::stand_ins::{MemoryRecords, import_bytes};
use crate::catalog::{
    fault::FaultKind,
    import::{Format, ImportError},
    validate::validate,
};

/// The file cannot be imported at all, and this is said.
async fn refused(bytes: impl Into<Vec<u8>>, sentence: &str) {
    let records = MemoryRecords::new();
    let error = import_bytes(&records, bytes, None).await.expect_err(sentence);
    assert!(error.to_string().contains(sentence), "`{error}` does not say `{sentence}`");
    assert_eq!(records.all().len(), 0);
}

#[tokio::test]
async fn files_that_are_nothing_of_ours() {
    refused("", "the file is empty").await;
    refused(" \n\r\n\t\n", "the file is empty").await;
    refused("\u{feff}", "the file is empty").await;
    refused("title,kind\nLake ice,dataset\n", "the file is not JSON").await;
    refused("<html></html>", "the file is not JSON").await;
    refused(b"\x00\xff\xfe%PDF-1.7".as_slice(), "the file is not JSON").await;
    refused(b"\xff\xfe{\x00}\x00".as_slice(), "the file is not JSON").await;
    refused("[".repeat(100_000), "the file is not JSON").await;
    refused("{\"a\":".repeat(100_000), "the file is not JSON").await;
    refused("[]", "the file holds no records").await;
    refused("{}", "an object without fields").await;
    refused("3", "a number").await;
    refused("[[[]]]", "a list").await;
    refused("{\"type\": \"FeatureCollection\", \"features\": []}", "an object with type, features").await;
    refused("{\"openapi\": \"3.1.0\", \"paths\": {}}", "an object with openapi, paths").await;
}

#[tokio::test]
async fn a_broken_line_costs_that_line() {
    let good = |id: &str| json!({"id": id, "kind": "dataset", "title": "Sound"}).to_string();
    let deep = format!(
        "{{\"id\":\"deep\",\"kind\":\"dataset\",\"title\":\"Deep\",\"extra\":{}1{}}}",
        "{\"a\":".repeat(200),
        "}".repeat(200)
    );
    let check = async |broken: &[u8], kind: FaultKind| {
        for lines in [[good("a").as_bytes(), broken, good("b").as_bytes()], [broken, good("a").as_bytes(), good("b").as_bytes()]]
        {
            let records = MemoryRecords::new();
            let report = import_bytes(&records, lines.join(b"\r\n".as_slice()), None).await.unwrap();
            assert_eq!((report.created, report.refused, report.read), (2, 1, 3), "{}", String::from_utf8_lossy(broken));
            assert_eq!(report.failed[0].fault.kind, kind, "{}", report.failed[0].fault.message);
            let line = 1 + lines.iter().position(|line| *line == broken).unwrap() as u64;
            assert_eq!(report.failed[0].record, line);
        }
    };
    check(b"{\"id\": \"c\", \"kind\"", FaultKind::NotJson).await;
    check(b"{\"title\": \"\xff\xfe\"}", FaultKind::NotJson).await;
    check(b"not json at all", FaultKind::NotJson).await;
    check(deep.as_bytes(), FaultKind::NotJson).await;
    check(b"[1, 2]", FaultKind::NotAnObject).await;
    check(b"null", FaultKind::NotAnObject).await;
    check(b"1e999", FaultKind::NotJson).await;
}

#[tokio::test]
async fn a_line_beyond_measure_costs_that_line() {
    let long = format!("{{\"id\":\"long\",\"kind\":\"dataset\",\"title\":\"{}\"}}", "x".repeat(33_000_000));
    let good = |id: &str| json!({"id": id, "kind": "dataset", "title": "Sound"}).to_string();
    let records = MemoryRecords::new();
    let report = import_bytes(&records, [good("a"), long, good("b")].join("\n"), None).await.unwrap();
    assert_eq!((report.created, report.refused), (2, 1));
    assert_eq!(report.failed[0].fault.kind, FaultKind::RecordTooLong);
}

#[tokio::test]
async fn a_format_that_is_named_is_taken() {
    let records = MemoryRecords::new();
    let feature =
        json!({"type": "Feature", "id": "plain", "geometry": {"type": "Point", "coordinates": [1, 2]}, "properties": {}});
    let report = import_bytes(&records, feature.to_string(), Some(Format::Stac)).await.unwrap();
    assert_eq!((report.created, records.get("plain").title.as_str()), (1, "plain"));
    let report = import_bytes(&MemoryRecords::new(), feature.to_string(), Some(Format::Ndjson)).await.unwrap();
    assert_eq!((report.created, report.refused), (0, 1));
    assert!(matches!(import_bytes(&records, "", Some(Format::Iguide)).await, Err(ImportError::Empty)));
}

/// Any JSON, with the names the importers look for among its keys.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (-200.0..200.0_f64).prop_map(Value::from),
        "\\PC{0,20}".prop_map(Value::from),
        prop::sample::select(vec![
            "dataset",
            "notebook",
            "Polygon",
            "Point",
            "MultiPolygon",
            "GeometryCollection",
            "2000-02",
            "Holocene",
            "Not Available",
            "CC-BY-4.0",
            "https://doi.org/10.5067/x",
            "javascript:x",
            "10.5067/abc",
            "[[Not Available]]",
            "{'spatial': {'bbox': [[1,2,3,4]]}}",
            "producer",
            "self",
            "\u{0}",
        ])
        .prop_map(Value::from),
    ];
    let key = prop::sample::select(vec![
        "id",
        "_id",
        "kind",
        "title",
        "authors",
        "name",
        "orcid",
        "tags",
        "description",
        "license",
        "language",
        "doi",
        "links",
        "href",
        "rel",
        "type",
        "spatial",
        "geometry",
        "geometries",
        "coordinates",
        "bbox",
        "places",
        "temporal",
        "interval",
        "start",
        "end",
        "text",
        "details",
        "year",
        "related",
        "extra",
        "extent",
        "stac_version",
        "properties",
        "datetime",
        "providers",
        "roles",
        "summaries",
        "platform",
        "keywords",
        "assets",
        "sci:doi",
        "features",
        "collections",
        "collection",
        "resource-type",
        "contents",
        "external-link",
        "size",
        "related-notebooks",
        "related-datasets",
        "oer-external-links",
        "url",
        "notebook-repo",
        "click_count",
        "visibility",
        "created",
        "anything",
    ]);
    leaf.prop_recursive(6, 80, 8, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Value::from),
            prop::collection::vec((key.clone(), inner), 0..12)
                .prop_map(|fields| Value::Object(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    /// What is accepted is stable: written and read again it is the same, without a further word.
    #[test]
    fn no_json_makes_an_importer_panic(record in any_json(), other in any_json()) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let text = format!("{record}\n{other}\n");
        for format in Format::ALL {
            let records = MemoryRecords::new();
            let report = runtime.block_on(import_bytes(&records, text.clone(), Some(format))).ok();
            for element in records.all() {
                let written = serde_json::to_value(&element).unwrap();
                let read = validate(written.clone());
                prop_assert!(read.is_ok(), "{written} was refused: {read:?}");
                let read = read.unwrap();
                prop_assert_eq!(&read.warnings, &vec![]);
                prop_assert_eq!(read.element, element);
            }
            if let Some(report) = report {
                prop_assert_eq!(report.read, report.imported() + report.refused);
                prop_assert_eq!(report.imported(), records.all().len() as u64);
            }
        }
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), text in "[\\[\\]{}\",:a-z0-9\n ]{0,80}") {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let _ = runtime.block_on(import_bytes(&MemoryRecords::new(), bytes, None));
        let _ = runtime.block_on(import_bytes(&MemoryRecords::new(), text, Some(Format::Stac)));
    }
}
