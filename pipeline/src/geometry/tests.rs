use geo::Area as _;
use serde_json::{Value, json};

use super::{Shape, fit, read_geometry, relates, relations_golden::GOLDEN};
use crate::model::place::{Area, Relation};

mod properties;

fn shape(text: &str) -> Shape {
    let value: Value = serde_json::from_str(text).unwrap();
    if value.is_array() {
        return Shape::from_bbox(serde_json::from_value(value).unwrap());
    }
    Shape::from_area(&Area::Geometry(serde_json::from_value(value).unwrap())).unwrap()
}

#[test]
fn relations_are_as_in_the_table() {
    for case in GOLDEN {
        let (footprint, area) = (shape(case.footprint), shape(case.area));
        for relation in Relation::ALL {
            assert_eq!(relates(&footprint, relation, &area), case.expected(relation), "{}: {relation}", case.name);
        }
        // The other way round: intersects is symmetric, within and contains change places.
        assert_eq!(relates(&area, Relation::Intersects, &footprint), case.intersects, "{}: reversed", case.name);
        assert_eq!(relates(&area, Relation::Within, &footprint), case.contains, "{}: reversed within", case.name);
        assert_eq!(relates(&area, Relation::Contains, &footprint), case.within, "{}: reversed contains", case.name);
    }
}

#[test]
fn geometries_are_read_as_meant() {
    // input, output, box, what the repairs speak of
    let cases = [
        (
            "a clockwise ring is turned, without a word",
            json!({"type":"Polygon","coordinates":[[[0,0],[0,10],[10,10],[10,0],[0,0]]]}),
            json!({"type":"Polygon","coordinates":[[[0.0,0.0],[10.0,0.0],[10.0,10.0],[0.0,10.0],[0.0,0.0]]]}),
            [0., 0., 10., 10.],
            "",
        ),
        (
            "a hole is turned clockwise",
            json!({"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9],[0,9],[0,0]],[[1,1],[2,1],[2,2],[1,2],[1,1]]]}),
            json!({"type":"Polygon","coordinates":[[[0.,0.],[9.,0.],[9.,9.],[0.,9.],[0.,0.]],[[1.,1.],[1.,2.],[2.,2.],[2.,1.],[1.,1.]]]}),
            [0., 0., 9., 9.],
            "",
        ),
        (
            "an open ring",
            json!({"type":"Polygon","coordinates":[[[0,0],[10,0],[0,10]]]}),
            json!({"type":"Polygon","coordinates":[[[0.,0.],[10.,0.],[0.,10.],[0.,0.]]]}),
            [0., 0., 10., 10.],
            "closed",
        ),
        (
            "a polygon over the antimeridian, jumping",
            json!({"type":"Polygon","coordinates":[[[170,60],[-170,60],[-170,70],[170,70],[170,60]]]}),
            json!({"type":"MultiPolygon","coordinates":[
                [[[180.,70.],[170.,70.],[170.,60.],[180.,60.],[180.,70.]]],
                [[[-180.,60.],[-170.,60.],[-170.,70.],[-180.,70.],[-180.,60.]]]]}),
            [170., 60., -170., 70.],
            "antimeridian",
        ),
        (
            "the same, clockwise",
            json!({"type":"Polygon","coordinates":[[[170,60],[170,70],[-170,70],[-170,60],[170,60]]]}),
            json!({"type":"MultiPolygon","coordinates":[
                [[[180.,70.],[170.,70.],[170.,60.],[180.,60.],[180.,70.]]],
                [[[-180.,60.],[-170.,60.],[-170.,70.],[-180.,70.],[-180.,60.]]]]}),
            [170., 60., -170., 70.],
            "antimeridian",
        ),
        (
            "the same, with longitudes beyond 180",
            json!({"type":"Polygon","coordinates":[[[170,60],[190,60],[190,70],[170,70],[170,60]]]}),
            json!({"type":"MultiPolygon","coordinates":[
                [[[180.,70.],[170.,70.],[170.,60.],[180.,60.],[180.,70.]]],
                [[[-180.,60.],[-170.,60.],[-170.,70.],[-180.,70.],[-180.,60.]]]]}),
            [170., 60., -170., 70.],
            "antimeridian",
        ),
        (
            "a box in 0 to 360",
            json!({"type":"Polygon","coordinates":[[[200,0],[220,0],[220,10],[200,10],[200,0]]]}),
            json!({"type":"Polygon","coordinates":[[[-160.,0.],[-140.,0.],[-140.,10.],[-160.,10.],[-160.,0.]]]}),
            [-160., 0., -140., 10.],
            "beyond 180",
        ),
        (
            "the world in 0 to 360",
            json!({"type":"Polygon","coordinates":[[[0,-90],[360,-90],[360,90],[0,90],[0,-90]]]}),
            json!({"type":"Polygon","coordinates":[[[-180.,-90.],[180.,-90.],[180.,90.],[-180.,90.],[-180.,-90.]]]}),
            [-180., -90., 180., 90.],
            "",
        ),
        (
            "the cell centres of a global raster",
            json!({"type":"Polygon","coordinates":[[[-179.5,-89.5],[179.5,-89.5],[179.5,89.5],[-179.5,89.5],[-179.5,-89.5]]]}),
            json!({"type":"Polygon","coordinates":[[[-179.5,-89.5],[179.5,-89.5],[179.5,89.5],[-179.5,89.5],[-179.5,-89.5]]]}),
            [-179.5, -89.5, 179.5, 89.5],
            "",
        ),
        (
            "a box wider than half the globe",
            json!({"type":"Polygon","coordinates":[[[-40,-40],[150,-40],[150,0],[-40,0],[-40,-40]]]}),
            json!({"type":"Polygon","coordinates":[[[-40.,-40.],[150.,-40.],[150.,0.],[-40.,0.],[-40.,-40.]]]}),
            [-40., -40., 150., 0.],
            "",
        ),
        (
            "the same with a corner more on one side",
            json!({"type":"Polygon","coordinates":[[[-40,-40],[50,-40],[150,-40],[150,0],[-40,0],[-40,-40]]]}),
            json!({"type":"Polygon","coordinates":[[[-40.,-40.],[50.,-40.],[150.,-40.],[150.,0.],[-40.,0.],[-40.,-40.]]]}),
            [-40., -40., 150., 0.],
            "",
        ),
        (
            "the Pacific, counter-clockwise only across the antimeridian",
            json!({"type":"Polygon","coordinates":[[[120,-60],[-80,-60],[-80,60],[120,60],[120,-60]]]}),
            json!({"type":"MultiPolygon","coordinates":[
                [[[180.,60.],[120.,60.],[120.,-60.],[180.,-60.],[180.,60.]]],
                [[[-180.,-60.],[-80.,-60.],[-80.,60.],[-180.,60.],[-180.,-60.]]]]}),
            [120., -60., -80., 60.],
            "antimeridian",
        ),
        (
            "the corners of a box in crossing order",
            json!({"type":"Polygon","coordinates":[[[0,0],[10,10],[10,0],[0,10],[0,0]]]}),
            json!({"type":"Polygon","coordinates":[[[0.,0.],[10.,0.],[10.,10.],[0.,10.],[0.,0.]]]}),
            [0., 0., 10., 10.],
            "crossing order",
        ),
        (
            "a polygon shrunk to a point",
            json!({"type":"Polygon","coordinates":[[[5,5],[5,5],[5,5],[5,5],[5,5]]]}),
            json!({"type":"Point","coordinates":[5.,5.]}),
            [5., 5., 5., 5.],
            "point",
        ),
        (
            "a polygon shrunk to a line",
            json!({"type":"Polygon","coordinates":[[[0,5],[10,5],[10,5],[0,5],[0,5]]]}),
            json!({"type":"LineString","coordinates":[[0.,5.],[10.,5.]]}),
            [0., 5., 10., 5.],
            "line",
        ),
        (
            "a point beyond 180, with a height",
            json!({"type":"Point","coordinates":[190,5,120]}),
            json!({"type":"Point","coordinates":[-170.,5.]}),
            [-170., 5., -170., 5.],
            "beyond 180",
        ),
        (
            "a line over the antimeridian",
            json!({"type":"LineString","coordinates":[[170,0],[-170,10]]}),
            json!({"type":"MultiLineString","coordinates":[[[170.,0.],[180.,5.]],[[-180.,5.],[-170.,10.]]]}),
            [170., 0., -170., 10.],
            "antimeridian",
        ),
    ];
    for (name, input, output, bbox, word) in cases {
        let (geometry, found, repairs) = read_geometry(&input).unwrap_or_else(|error| panic!("{name}: {error}"));
        let geometry: Value = serde_json::to_value(&geometry).unwrap();
        assert_eq!(geometry, output, "{name}");
        assert_eq!(<[f64; 4]>::from(found), bbox, "{name}");
        assert_eq!(repairs.iter().any(|repair| repair.contains(word)), !word.is_empty(), "{name}: {repairs:?}");
        assert!(repairs.len() <= 1, "{name}: {repairs:?}");
    }
}

#[test]
fn touching_rings_keep_their_area() {
    let cases = [
        ("two lobes that touch", json!([[[0, 0], [4, 0], [4, 4], [8, 4], [8, 8], [4, 8], [4, 4], [0, 4], [0, 0]]]), 32.0),
        ("a spike", json!([[[0, 0], [4, 0], [4, 2], [9, 2], [4, 2], [4, 4], [0, 4], [0, 0]]]), 16.0),
        (
            "a hole along an edge",
            json!([[[0, 0], [4, 0], [4, 4], [0, 4], [0, 0]], [[0, 1], [1, 1], [1, 2], [0, 2], [0, 1]]]),
            15.0,
        ),
        (
            "a hole that touches itself",
            json!([
                [[0, 0], [9, 0], [9, 9], [0, 9], [0, 0]],
                [[1, 1], [3, 1], [3, 3], [5, 3], [5, 5], [3, 5], [3, 3], [1, 3], [1, 1]]
            ]),
            73.0,
        ),
    ];
    for (name, coordinates, area) in cases {
        let (geometry, _, repairs) = read_geometry(&json!({"type":"Polygon","coordinates":coordinates})).unwrap();
        let found: geo::Geometry<f64> = geometry.try_into().unwrap();
        assert!((found.unsigned_area() - area).abs() < 1e-6, "{name}: {}", found.unsigned_area());
        assert!(repairs.iter().any(|repair| repair.contains("same area")), "{name}: {repairs:?}");
    }
    let overlapping =
        json!({"type":"MultiPolygon","coordinates":[[[[0,0],[2,0],[2,2],[0,2],[0,0]]],[[[1,0],[3,0],[3,2],[1,2],[1,0]]]]});
    let (geometry, _, repairs) = read_geometry(&overlapping).unwrap();
    let found: geo::Geometry<f64> = geometry.try_into().unwrap();
    assert!((found.unsigned_area() - 6.0).abs() < 1e-6);
    assert!(repairs.iter().any(|repair| repair.contains("merged")), "{repairs:?}");
}

#[test]
fn what_cannot_be_read_says_why() {
    let cases = [
        (json!({"type":"Point","coordinates":[10, 95]}), "swapped"),
        (json!({"type":"Point","coordinates":[120, 95]}), "between -90 and 90"),
        (json!({"type":"Point","coordinates":[500000, 4649776]}), "projected"),
        (json!({"type":"Point","coordinates":[10]}), "two or more elements"),
        (json!({"type":"Point","coordinates":[null, 5]}), "not a GeoJSON geometry"),
        (json!({"type":"Point","coordinates":["NaN", 5]}), "not a GeoJSON geometry"),
        (json!({"type":"Polygon","coordinates":[]}), "no ring"),
        (json!({"type":"Polygon","coordinates":[[]]}), "no coordinates"),
        (json!({"type":"MultiPolygon","coordinates":[]}), "no coordinates"),
        (json!({"type":"LineString","coordinates":[]}), "no coordinates"),
        (json!({"type":"Polygon","coordinates":[[[0,0],[5,5],[10,10],[0,0]]]}), "no area"),
        (json!({"type":"Polygon","coordinates":[[[0,0],[10,8],[10,0],[0,9],[0,0]]]}), "crosses itself"),
        (json!({"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9],[0,9],[0,0]],[[20,20],[21,20],[21,21],[20,20]]]}), "outside"),
        (json!({"type":"Circle","coordinates":[0,0]}), "not a GeoJSON geometry"),
        (json!("POINT (1 2)"), "not a GeoJSON geometry"),
        (json!(null), "not a GeoJSON geometry"),
    ];
    for (input, word) in cases {
        let error = read_geometry(&input).err().unwrap_or_else(|| panic!("{input} was read"));
        assert_eq!(error.field, "geometry");
        assert!(error.message.contains(word), "{input}: {}", error.message);
    }
}

#[test]
fn what_was_written_reads_back_the_same() {
    for case in GOLDEN.iter().filter(|case| case.footprint.starts_with('{')) {
        let (once, bbox, _) = read_geometry(&serde_json::from_str(case.footprint).unwrap()).unwrap();
        let (twice, bbox_again, repairs) = read_geometry(&serde_json::to_value(&once).unwrap()).unwrap();
        assert_eq!((&once, bbox), (&twice, bbox_again), "{}", case.name);
        assert_eq!(repairs, Vec::<String>::new(), "{}", case.name);
    }
}

#[test]
fn a_world_wide_footprint_fits_last() {
    let area = shape("[0,40,10,50]");
    let footprints = [
        "[0,40,10,50]",
        "[2,42,4,44]",
        "[-2,38,12,52]",
        "[5,45,5,45]",
        "[-30,20,60,80]",
        "[8,48,30,70]",
        "[-180,-90,180,90]",
        "[50,0,60,10]",
    ];
    let fits: Vec<f32> = footprints.iter().map(|footprint| fit(&shape(footprint), &area)).collect();
    assert!(fits.windows(2).all(|pair| pair[0] > pair[1]), "{fits:?}");
    assert_eq!(fits.first(), Some(&1.0));
    assert_eq!(fits.last(), Some(&0.0));
}
