use futures::TryStreamExt;
use serde_json::Value;

use super::stand_ins::{MemoryRecords, import_bytes};
use crate::catalog::export::{ExportScope, export};

const EVERY_FIELD: &str = include_str!("../testdata/every-field.ndjson");

async fn exported(records: &MemoryRecords, scope: ExportScope) -> String {
    export(records, scope).try_collect::<Vec<String>>().await.unwrap().concat()
}

#[tokio::test]
async fn what_is_exported_is_what_was_imported() {
    let records = MemoryRecords::new();
    let report = import_bytes(&records, EVERY_FIELD, None).await.unwrap();
    assert_eq!((report.created, report.refused), (3, 0), "{:?}", report.failed);
    let export = exported(&records, ExportScope::All).await;

    let again = MemoryRecords::new();
    let report = import_bytes(&again, export.clone(), None).await.unwrap();
    assert_eq!((report.created, report.refused, report.warnings.len()), (3, 0, 0), "{:?}", report.warnings);
    assert_eq!(again.all(), records.all());
    assert_eq!(exported(&again, ExportScope::All).await, export);

    // nothing of the file is lost on the way
    for (given, line) in EVERY_FIELD.lines().zip(export.lines()) {
        let (given, line): (Value, Value) = (serde_json::from_str(given).unwrap(), serde_json::from_str(line).unwrap());
        for (name, value) in given.as_object().unwrap() {
            assert_eq!(line.get(name), Some(value), "{name}");
        }
    }
}

#[tokio::test]
async fn a_public_export_holds_public_elements_only() {
    let records = MemoryRecords::new();
    import_bytes(&records, EVERY_FIELD, None).await.unwrap();
    let export = exported(&records, ExportScope::Public).await;
    assert_eq!(export.lines().count(), 1);
    assert!(!export.contains("\"private\"") && !export.contains("\"withdrawn\""));
}

#[tokio::test]
async fn pages_follow_each_other() {
    let records = MemoryRecords::new();
    let lines: String =
        (0..1_203).map(|n| format!("{{\"id\":\"e{n:04}\",\"kind\":\"dataset\",\"title\":\"Element {n}\"}}\n")).collect();
    import_bytes(&records, lines, None).await.unwrap();
    let export = exported(&records, ExportScope::All).await;
    let titles: Vec<String> =
        export.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["title"].to_string()).collect();
    assert_eq!(titles.len(), 1_203);
    assert_eq!(titles[1_202], "\"Element 1202\"");
}
