//! Faults as data: a record and what is said of it.

use serde_json::{Value, json};

use crate::{
    catalog::{
        fault::{Fault, FaultKind},
        validate::{self, identity, validate},
    },
    model::element::Element,
};

fn record(change: Value) -> Value {
    let mut record = json!({"id": "lake-ice", "kind": "dataset", "title": "Lake ice"});
    if let (Value::Object(record), Value::Object(change)) = (&mut record, change) {
        record.extend(change);
    }
    record
}

fn read(change: Value) -> (Element, Vec<Fault>) {
    let shown = change.to_string();
    let validated = validate(record(change)).unwrap_or_else(|faults| panic!("{shown} was refused: {faults:?}"));
    (validated.element, validated.warnings)
}

/// The record is refused for this fault of this field.
fn refused(change: Value, kind: &str, field: &str) {
    let faults = validate(record(change.clone())).expect_err(&change.to_string());
    let named: Vec<(&str, &str)> = faults.iter().map(|fault| (fault.kind.name(), fault.field.as_str())).collect();
    assert_eq!(named, [(kind, field)], "{change}: {faults:?}");
}

/// The record is kept, with these faults said.
fn warned(change: Value, kinds: &[&str]) -> Element {
    let (element, warnings) = read(change.clone());
    let named: Vec<&str> = warnings.iter().map(|fault| fault.kind.name()).collect();
    assert_eq!(named, kinds, "{change}: {warnings:?}");
    element
}

#[test]
fn wrong_fields_are_refused_by_name() {
    refused(json!({"autors": []}), "unknown-field", "autors");
    refused(json!({"authors": [{"name": "Ana Costa", "mail": "a@b"}]}), "unknown-field", "authors[0].mail");
    refused(json!({"spatial": {"box": []}}), "unknown-field", "spatial.box");
    refused(json!({"temporal": {"from": "2000"}}), "unknown-field", "temporal.from");
    refused(json!({"details": {"pixels": 1}}), "unknown-field", "details.pixels");
    refused(json!({"kind": "film"}), "unknown-kind", "kind");
    refused(json!({"kind": null}), "missing-kind", "kind");
    refused(json!({"kind": 3}), "wrong-type", "kind");
    refused(json!({"title": " \n "}), "missing-title", "title");
    refused(json!({"title": ["a"]}), "wrong-type", "title");
    refused(json!({"title": "x".repeat(1_001)}), "too-long", "title");
    refused(json!({"description": "x".repeat(200_001)}), "too-long", "description");
    refused(json!({"tags": "ice"}), "wrong-type", "tags");
    refused(json!({"tags": [3]}), "wrong-type", "tags[0]");
    refused(json!({"tags": vec!["x"; 201]}), "too-long", "tags");
    refused(json!({"authors": ["Ana Costa"]}), "wrong-type", "authors[0]");
    refused(json!({"authors": [{}]}), "wrong-type", "authors[0].name");
    refused(json!({"authors": [{"name": "Ana", "orcid": "0000-0002-1825-0098"}]}), "wrong-orcid", "authors[0].orcid");
    refused(json!({"id": "a/b"}), "wrong-id", "id");
    refused(json!({"id": "../etc"}), "wrong-id", "id");
    refused(json!({"id": "x".repeat(201)}), "wrong-id", "id");
    refused(json!({"doi": "11.5067/x"}), "wrong-doi", "doi");
    refused(json!({"license": "© all mine"}), "unknown-value", "license");
    refused(json!({"language": "e"}), "wrong-language", "language");
    refused(json!({"links": [{"href": "javascript:alert(1)"}]}), "link-not-http", "links[0].href");
    refused(json!({"links": [{"href": "data:text/html,x"}]}), "link-not-http", "links[0].href");
    refused(json!({"links": [{"href": "https://"}]}), "link-not-http", "links[0].href");
    refused(json!({"links": [{"href": "https://a.org/a b"}]}), "link-not-http", "links[0].href");
    refused(json!({"links": [{"href": "https://a.org", "rel": "self"}]}), "unknown-value", "links[0].rel");
    refused(json!({"related": [{"rel": "cites", "id": "lake-ice"}]}), "related-to-itself", "related");
    refused(json!({"visibility": "hidden"}), "unknown-value", "visibility");
    refused(json!({"click_count": -1}), "wrong-type", "click_count");
    refused(json!({"created": "yesterday"}), "wrong-timestamp", "created");
    refused(json!({"details": {"size_bytes": 1.5}}), "wrong-type", "details.size_bytes");
    refused(json!({"extra": [1]}), "wrong-type", "extra");
    refused(json!({"extra": {"x": "y".repeat(500_000)}}), "too-long", "extra");
}

#[test]
fn every_fault_is_told_at_once() {
    let faults = validate(json!({"kind": "film", "titel": "x", "doi": "x", "links": [{"href": "x"}]})).unwrap_err();
    let kinds: Vec<FaultKind> = faults.iter().map(|fault| fault.kind).collect();
    use FaultKind::*;
    assert_eq!(kinds, [UnknownKind, MissingTitle, WrongDoi, LinkNotHttp, UnknownField]);
}

#[test]
fn what_is_well_meant_is_read() {
    let (element, warnings) = read(json!({
        "title": "  Lake \r\n ice ", "description": "One\r\ntwo", "doi": "https://doi.org/10.5067/ABC.", "tags": ["ice", "", "ice"],
        "authors": [{"name": "Ana", "orcid": "https://orcid.org/0000-0002-1825-0097"}], "language": "pt-BR", "license": "Apache-2.0 OR MIT",
        "links": [{"href": "HTTPS://a.org/x?y=(z)"}], "extra": {"any": {"thing": null}}, "related": [{"rel": "cites", "id": "b"}, {"rel": "cites", "id": "b"}],
    }));
    assert_eq!(warnings, []);
    assert_eq!((element.title.as_str(), element.description.as_str()), ("Lake ice", "One\ntwo"));
    assert_eq!(element.doi.as_deref(), Some("10.5067/abc"));
    assert_eq!(element.tags, ["ice"]);
    assert_eq!(element.authors[0].orcid.as_deref(), Some("0000-0002-1825-0097"));
    assert_eq!(element.related.len(), 1);
    assert_eq!(read(json!({"details": {"pages": 9}})).0.details.pages.as_deref(), Some("9"));
    let cleaned = warned(json!({"title": "Lake\u{0} ice\u{7}"}), &["control-characters"]);
    assert_eq!(cleaned.title, "Lake ice");
    let restored = warned(json!({"title": "Ice â\u{80}\u{93} â\u{82}¬ of Málaga"}), &["encoded-twice"]);
    assert_eq!(restored.title, "Ice – € of Málaga");
}

#[test]
fn boxes() {
    let check = |bbox: Value, kept: Option<[f64; 4]>, kinds: &[&str]| {
        let element = warned(json!({"spatial": {"bbox": bbox}}), kinds);
        assert_eq!(element.bbox().map(<[f64; 4]>::from), kept, "{bbox}");
    };
    check(json!([-10, 40, 5, 50]), Some([-10.0, 40.0, 5.0, 50.0]), &[]);
    check(json!([-10, 40, 0, 5, 50, 900]), Some([-10.0, 40.0, 5.0, 50.0]), &[]);
    check(json!([170, 60, -170, 70]), Some([170.0, 60.0, -170.0, 70.0]), &[]);
    check(json!([10, 20, 10, 20]), Some([10.0, 20.0, 10.0, 20.0]), &[]);
    check(json!([-180, 90, 180, -90]), Some([-180.0, -90.0, 180.0, 90.0]), &["corners-top-down"]);
    check(json!([-180, -90.5, 180, 90.03]), Some([-180.0, -90.0, 180.0, 90.0]), &["latitude-clamped"]);
    check(json!([0, -89, 360, 89]), Some([-180.0, -89.0, 180.0, 89.0]), &["longitude-turned"]);
    check(json!([170, 10, 190, 20]), Some([170.0, 10.0, -170.0, 20.0]), &["longitude-turned"]);
    check(json!([-60, 40.5, 42, 9.969_209_968_386_869e36]), None, &["fill-value"]);
    check(json!([732_701, 3_720_189, 748_901, 3_744_039]), None, &["projected-coordinates"]);
    check(json!([0, 0, 0, 0]), None, &["placeholder-box"]);
    check(json!([79, 79, 79, 79]), None, &["placeholder-box"]);
    check(json!([50, -100, 60, -95]), None, &["latitude-out-of-range"]);
    check(json!([1, 2, 3]), None, &["box-not-four-numbers"]);
    check(json!(["a", 2, 3, 4]), None, &["box-not-four-numbers"]);
    check(json!("everywhere"), None, &["box-not-four-numbers"]);
    check(json!([]), None, &["box-not-four-numbers"]);
}

#[test]
fn geometries() {
    let check = |geometry: Value, kept: bool, kinds: &[&str]| {
        let element = warned(json!({"spatial": {"geometry": geometry, "places": ["Iceland"]}}), kinds);
        let spatial = element.spatial.unwrap();
        assert_eq!((spatial.geometry.is_some(), spatial.bbox.is_some()), (kept, kept), "{geometry}");
        assert_eq!(spatial.places, ["Iceland"]);
    };
    let polygon = |ring: Value| json!({"type": "Polygon", "coordinates": [ring]});
    check(json!({"type": "Point", "coordinates": [10, 50]}), true, &[]);
    check(polygon(json!([[0, 0], [1, 0], [1, 1], [0, 1], [0, 0]])), true, &[]);
    check(polygon(json!([[0, 0], [1, 0], [1, 1], [0, 1]])), true, &["geometry-repaired"]);
    check(polygon(json!([[0, 0], [2, 2], [2, 0], [0, 2], [1, 3], [0, 0]])), false, &["geometry-fault"]);
    check(polygon(json!([[50, 120], [51, 120], [51, 121], [50, 120]])), false, &["latitude-out-of-range"]);
    check(
        polygon(json!([[732_701, 3_720_189], [748_901, 3_720_189], [748_901, 3_744_039], [732_701, 3_720_189]])),
        false,
        &["projected-coordinates"],
    );
    check(json!({"type": "Point", "coordinates": [1, 9.97e36]}), false, &["fill-value"]);
    check(polygon(json!([])), false, &["empty-geometry"]);
    check(json!({"type": "Circle", "radius": 3}), false, &["empty-geometry"]);
    check(json!({"type": "MultiPoint", "coordinates": vec![[1, 2]; 20_001]}), false, &["geometry-too-large"]);
    check(json!("POLYGON((0 0))"), false, &["empty-geometry"]);
    // the box stays where the geometry goes, and is taken from the geometry where that is sound
    let element = warned(json!({"spatial": {"geometry": {"type": "Point"}, "bbox": [1, 2, 3, 4]}}), &["empty-geometry"]);
    assert_eq!(element.bbox().map(<[f64; 4]>::from), Some([1.0, 2.0, 3.0, 4.0]));
    let apart = json!({"spatial": {"geometry": {"type": "Point", "coordinates": [10, 50]}, "bbox": [1, 2, 3, 4]}});
    assert_eq!(warned(apart, &["geometry-and-box-disagree"]).bbox().map(<[f64; 4]>::from), Some([10.0, 50.0, 10.0, 50.0]));
    // 197 degrees wide: the box tells that the long way is meant
    let wide = json!([[-25, -34], [172, -34], [172, 38], [-25, 38], [-25, -34]]);
    let both = |bbox: Value, ring: &Value| json!({"spatial": {"geometry": polygon(ring.clone()), "bbox": bbox}});
    let element = warned(both(json!([-25, -34, 172, 38]), &wide), &[]);
    assert_eq!(element.bbox().map(<[f64; 4]>::from), Some([-25.0, -34.0, 172.0, 38.0]));
    // a narrow shape over the antimeridian with a box of the least and the greatest longitude is a narrow one
    let narrow = json!([[179, 60], [-179, 60], [-179, 61], [179, 61], [179, 60]]);
    let element = warned(both(json!([-179, 60, 179, 61]), &narrow), &[]);
    assert_eq!(element.bbox().map(<[f64; 4]>::from), Some([179.0, 60.0, -179.0, 61.0]));
    assert_eq!(warned(json!({"spatial": "the Alps"}), &["geometry-fault"]).spatial, None);
}

#[test]
fn periods() {
    let check = |temporal: Value, kept: &str, kinds: &[&str]| {
        let element = warned(json!({"temporal": temporal}), kinds);
        let kept: Value = serde_json::from_str(kept).unwrap();
        assert_eq!(serde_json::to_value(&element.temporal).unwrap(), kept, "{temporal}");
    };
    check(json!({"start": "2000-02-18", "end": null}), r#"{"start": "2000-02-18", "end": null}"#, &[]);
    check(json!({"start": "-9999", "end": "2000"}), r#"{"start": "-9999", "end": "2000"}"#, &[]);
    check(json!({"start": 1999, "end": "present"}), r#"{"start": "1999", "end": null}"#, &[]);
    check(json!({"start": "Holocene"}), r#"{"start": null, "end": null, "text": "Holocene"}"#, &["period-in-words"]);
    check(
        json!({"start": "10000 BC", "end": "2000"}),
        r#"{"start": null, "end": null, "text": "10000 BC/2000"}"#,
        &["period-in-words"],
    );
    check(json!({"text": "Last Glacial Maximum"}), r#"{"start": null, "end": null, "text": "Last Glacial Maximum"}"#, &[]);
    check(json!({"start": "2020", "end": "2010"}), r#"{"start": null, "end": null, "text": "2020/2010"}"#, &["start-after-end"]);
    check(json!({"start": "2020-02-30"}), r#"{"start": null, "end": null, "text": "2020-02-30"}"#, &["period-in-words"]);
    check(json!({"start": [2000], "end": "2001"}), r#"{"start": null, "end": "2001"}"#, &["period-in-words"]);
    check(json!("since 1950"), r#"{"start": null, "end": null, "text": "since 1950"}"#, &["period-in-words"]);
    check(json!(1950), "null", &["period-in-words"]);
    check(json!({}), "null", &[]);
}

#[test]
fn the_same_record_gets_the_same_id() {
    let id_of = |change: Value| {
        let mut record = json!({"kind": "dataset", "title": "Lake ice of the Arctic"});
        record.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        validate(record).unwrap().element.id.0
    };
    let by_doi = id_of(json!({"doi": "10.5067/ABC"}));
    assert_eq!(by_doi, id_of(json!({"doi": "https://doi.org/10.5067/abc", "title": "Lake ice", "description": "corrected"})));
    assert!(by_doi.starts_with("10-5067-abc-"), "{by_doi}");
    let by_address = id_of(json!({"links": [{"href": "https://www.a.org/lake/"}]}));
    assert_eq!(by_address, id_of(json!({"links": [{"href": "http://A.org/lake#top"}], "authors": [{"name": "Ana"}]})));
    assert_ne!(by_address, id_of(json!({"links": [{"href": "https://a.org/lake"}], "title": "River ice"})));
    let by_title = id_of(json!({"authors": [{"name": "José Núñez"}]}));
    assert_eq!(by_title, id_of(json!({"authors": [{"name": "jose nunez"}], "tags": ["ice"]})));
    assert!(by_title.starts_with("lake-ice-of-the-arctic-"), "{by_title}");
    assert!(identity::is_id(&id_of(json!({"title": "東京湾"}))));
    assert!(identity::is_id(&id_of(json!({"title": "x".repeat(900)}))));
}

#[test]
fn addresses_are_compared_without_their_dress() {
    let check = |href: &str, expected: &str| assert_eq!(identity::canonical_address(href), expected);
    check("https://www.Example.org/Path/?utm_source=x#top", "example.org/Path");
    check("http://example.org", "example.org");
    check("https://example.org/a?b=1&utm_medium=y&c=2", "example.org/a?b=1&c=2");
    check("", "");
}

#[test]
fn orcids() {
    let check = |text: &str, expected: Option<&str>| assert_eq!(validate::normalise_orcid(text).as_deref(), expected, "{text}");
    check("0000-0002-1825-0097", Some("0000-0002-1825-0097"));
    check("https://orcid.org/0000-0002-1694-233x", Some("0000-0002-1694-233X"));
    check("0000-0002-1825-0096", None);
    check("https://evil.org/0000-0002-1825-0097", None);
    check("0000000218250097", None);
    check("é000-0002-1825-0097", None);
}
