//! The real files of the shared data: nothing lost, every fault counted under its name.

use std::{fs::File, io::BufReader};

use super::stand_ins::{MemoryRecords, WordGeocoder};
use crate::{
    catalog::{
        fault::FaultKind::{self, *},
        import::{Format, ImportOptions, ImportReport, import},
        validate,
    },
    model::element::RelatedRel,
    testing::shared_data,
};

async fn imported(path: &str) -> Option<(MemoryRecords, ImportReport)> {
    let path = shared_data(path)?;
    let records = MemoryRecords::new();
    let source = Box::new(BufReader::new(File::open(path).unwrap()));
    let report = import(&records, &WordGeocoder, source, &ImportOptions::default(), &|_| {}).await.unwrap();
    Some((records, report))
}

fn counts(report: &ImportReport) -> Vec<(FaultKind, u64)> {
    report.faults_by_kind().into_iter().map(|entry| (entry.kind, entry.count)).collect()
}

#[tokio::test]
async fn the_real_collections() {
    let Some((records, report)) = imported("eo-collections/collections.ndjson").await else { return };
    assert_eq!(
        (report.format, report.read, report.created, report.refused),
        (Format::Stac, 2_686, 2_686, 0),
        "{:?}",
        report.failed
    );
    assert_eq!(records.all().len(), 2_686);
    let expected = [
        (UnknownLicense, 991),
        (ExtentIsText, 973),
        (MisnestedBox, 973),
        (PeriodNotAvailable, 973),
        (NoBox, 396),
        (NoPeriod, 396),
        (PlaceholderBox, 106),
        (BoxesDisagree, 17),
        (PeriodOpen, 10),
        (GeometryRepaired, 9),
        (AddressNotEncoded, 7),
        (LatitudeClamped, 6),
        (CornersTopDown, 5),
        (EncodedTwice, 5),
        (ProjectedCoordinates, 4),
        (FillValue, 3),
        (LongitudeTurned, 1),
        (SeveralIntervals, 1),
        (WrongDoi, 1),
    ];
    assert_eq!(counts(&report), expected);
    // every element without a footprint is one whose extent was told to be at fault
    let without: u64 = [NoBox, PlaceholderBox, ProjectedCoordinates, FillValue].iter().map(|kind| report.count_of(*kind)).sum();
    assert_eq!(report.missing.footprint, without);
    // 307 are given, of which one is no DOI; 24 more stand in the link that says how to cite
    assert_eq!(report.missing.doi, 2_686 - 306 - 24);
}

/// An export can be imported again: what was kept of the real files is read back the same, geometries included.
#[tokio::test]
async fn what_was_kept_is_read_back_the_same() {
    for file in ["eo-collections/collections.ndjson", "iguide-resources.json"] {
        let Some((records, _)) = imported(file).await else { return };
        for element in records.all() {
            let read = validate(serde_json::to_value(&element).unwrap()).unwrap();
            assert_eq!((&read.element, read.warnings.as_slice()), (&element, [].as_slice()));
        }
    }
}

/// What is at fault, and what became of it.
#[tokio::test]
async fn single_real_collections() {
    let Some((records, report)) = imported("eo-collections/collections.ndjson").await else { return };
    let check = |id: &str, kinds: &[&str], bbox: Option<[f64; 4]>| {
        let told: Vec<&str> = report
            .warnings
            .iter()
            .filter(|warning| warning.id.as_ref().is_some_and(|told| told.0 == id))
            .map(|warning| warning.fault.kind.name())
            .collect();
        assert_eq!(told, kinds, "{id}");
        assert_eq!(records.get(id).bbox().map(<[f64; 4]>::from), bbox, "{id}");
    };
    let world = Some([-180.0, -90.0, 180.0, 90.0]);
    check("CBERS4_MUX_L2", &[], world);
    check("SPACENET_OFF_NADIR_BUILDING", &["projected-coordinates"], None);
    check("BLKSEA_MULTIYEAR_PHY_007_004", &["fill-value"], None);
    check("ANTARCTIC_OMI_SI_extent", &["placeholder-box"], None);
    check("AATSR_ADV_L2_V2.31", &["no-box", "no-period"], None);
    check("SEAICE_GLO_SEAICE_L4_NRT_OBSERVATIONS_011_001", &["latitude-clamped"], world);
    check("alos-fnf-mosaic", &["corners-top-down"], Some([-180.0, -56.0, 180.0, 85.0]));
    check("deltares-floods", &["corners-top-down", "several-intervals"], world);
    check("EO.ECMWF.DAT.CMIP6_CLIMATE_PROJECTIONS", &["longitude-turned"], Some([-180.0, -89.0, 180.0, 89.0]));
    // a box cut at the antimeridian is one box
    check("goes-cmi", &[], Some([141.7, -81.33, 6.3, 81.33]));
    // parts that fill the whole to its edges
    check(
        "SPACENET_ROADS_NETWORK_ROUTE_TRAVEL",
        &[],
        Some([-43.775_374_766_2, -23.010_679_433_6, 72.894_033_286_569_45, 55.746_917_105_720_065]),
    );
}

#[tokio::test]
async fn the_real_iguide_resources() {
    let Some((records, report)) = imported("iguide-resources.json").await else { return };
    assert_eq!((report.format, report.read, report.created, report.refused), (Format::Iguide, 96, 96, 0), "{:?}", report.failed);
    let elements = records.all();
    assert_eq!(elements.len(), 96);
    let expected = [
        (AddressNotEncoded, 15),
        (DanglingRelation, 14),
        (EmptyRecord, 4),
        (KindGuessed, 4),
        (MissingTitle, 4),
        (LinkNotHttp, 1),
    ];
    assert_eq!(counts(&report), expected);
    assert_eq!(report.missing.footprint, 96, "a place named in a text is never a footprint");
    assert_eq!(elements.iter().filter(|element| !element.is_public()).count(), 4);
    let edges = |rel: RelatedRel| elements.iter().flat_map(|element| &element.related).filter(|edge| edge.rel == rel).count();
    // 130 links, most of them stated on both sides; 14 lead out of the file
    assert_eq!((edges(RelatedRel::UsedIn), edges(RelatedRel::RelatedTo), edges(RelatedRel::Cites)), (43, 29, 0));
    assert!(report.suggested_places.iter().any(|suggestion| suggestion.places == ["Chicago, United States (city)"]));
}
