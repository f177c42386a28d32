//! The real files of the shared data: nothing lost, every fault counted under its name.

use std::{fs::File, io::BufReader, path::PathBuf};

use super::stand_ins::{MemoryRecords, WordGeocoder};
use crate::catalog::{
    fault::FaultKind::{self, *},
    import::{Format, ImportOptions, ImportReport, import},
};

fn shared_data(path: &str) -> Option<PathBuf> {
    Some(PathBuf::from(std::env::var("CAIRN_SHARED_DATA").unwrap()).join(path))
}

async fn imported(path: &str) -> Option<(MemoryRecords, ImportReport)> {
    let path = shared_data(path)?;
    let records = MemoryRecords::new();
    let source = Box::new(BufReader::new(File::open(path).unwrap()));
    let report = import(&records, &WordGeocoder::new(), source, &ImportOptions::default(), &|_| {}).await.unwrap();
    Some((records, report))
}

fn counts(report: &ImportReport) -> Vec<(FaultKind, u64)> {
    report.faults_by_kind().into_iter().map(|entry| (entry.kind, entry.count)).collect()
}

#[tokio::test]
async fn the_real_collections() {
    let Some((records, report)) = imported("eo-collections/collections.ndjson").await else { return };
    assert_eq!((report.format, report.read, report.created, report.refused), (Format::Stac, 2_686, 2_686, 0), "{:?}", report.failed);
    assert_eq!(records.all().len(), 2_686);
    for w in report.warnings.iter().filter(|w| matches!(w.fault.kind, LinkNotHttp|ControlCharacters|WrongDoi|GeometryRepaired|BoxesDisagree|UnknownLicense|LongitudeTurned)).filter(|w| !w.fault.message.contains("Copernicus_Marine")) { println!("{} {:?} {} {}", w.fault.kind, w.id, w.fault.field, w.fault.message); }
    println!("{:?} {} dup {}", report.missing, report.suggested_places.len(), report.duplicates.len());for d in report.duplicates.iter().take(60) {println!("{d:?}");}
    assert_eq!(counts(&report), [(NoBox, 0)]);
}

#[tokio::test]
async fn the_real_iguide_resources() {
    let Some((records, report)) = imported("iguide-resources.json").await else { return };
    assert_eq!((report.format, report.read, report.created, report.refused), (Format::Iguide, 96, 96, 0), "{:?}", report.failed);
    assert_eq!(records.all().len(), 96);
    for w in report.warnings.iter().filter(|w| matches!(w.fault.kind, LinkNotHttp|ControlCharacters|WrongDoi|GeometryRepaired|BoxesDisagree|UnknownLicense|LongitudeTurned)).filter(|w| !w.fault.message.contains("Copernicus_Marine")) { println!("{} {:?} {} {}", w.fault.kind, w.id, w.fault.field, w.fault.message); }
    println!("{:?} {} dup {}", report.missing, report.suggested_places.len(), report.duplicates.len());for d in report.duplicates.iter().take(60) {println!("{d:?}");}
    assert_eq!(counts(&report), [(NoBox, 0)]);
}
