use std::time::{Duration, Instant};

use super::{Gazetteer, data::Data, meaning, names};
use crate::{
    geometry::Shape,
    model::{bbox::BBox, place::Area},
    ports::Geocoder,
    testing,
};

#[tokio::test]
async fn conforms() {
    testing::geocoder::conform(&Gazetteer::open().unwrap()).await;
}

#[test]
fn every_place_is_found_by_its_name() {
    let gazetteer = Gazetteer::open().unwrap();
    let data = &gazetteer.data;
    // The script that writes the file folds names as this program does.
    for place in 0..data.places() {
        let key = names::key(data.name(place));
        assert!(data.named(&key).iter().any(|named| named.place == place), "{} ({key})", data.name(place));
    }
}

#[test]
fn every_area_is_in_order() {
    let gazetteer = Gazetteer::open().unwrap();
    let data = &gazetteer.data;
    let mut with_geometry = 0;
    for place in 0..data.areas() {
        let id = data.id(place);
        assert_eq!(data.with_id(&id), Some(place), "{id}: ids are unique");
        let bbox = meaning::bbox(data, place).unwrap_or_else(|| panic!("{id} has no box"));
        let [longitude, latitude] = data.at(place);
        assert!((-180.0..=180.0).contains(&longitude) && (-90.0..=90.0).contains(&latitude), "{id}");
        let Some(geometry) = data.geometry(place) else { continue };
        with_geometry += 1;
        for [west, south] in geometry_corners(&geometry) {
            assert!(bbox.contains_point(west, south) || near_edge(&bbox, west, south), "{id}: {west} {south} outside {bbox}");
        }
    }
    assert!(with_geometry > 2_500, "{with_geometry}");
}

#[test]
fn areas_can_be_searched_with() {
    let gazetteer = Gazetteer::open().unwrap();
    let data = &gazetteer.data;
    for place in 0..data.areas() {
        let Some(geometry) = data.geometry(place) else { continue };
        let id = data.id(place);
        let own = data.area_box(place).unwrap();
        let shape = Shape::from_area(&Area::Geometry(geometry)).unwrap_or_else(|error| panic!("{id}: {error}"));
        // the outline is simplified: small islands of a country or a chain may have gone from it
        let shown = shape.bbox();
        let around =
            BBox::new(own.west() - 0.02, (own.south() - 0.02).max(-90.0), own.east() + 0.02, (own.north() + 0.02).min(90.0))
                .unwrap();
        assert!(around.contains(&shown), "{id}: {shown} {own}");
    }
}

#[test]
fn a_damaged_file_is_an_error() {
    for file in [&b""[..], b"CAIRNGZ1", b"CAIRNGZ1\x10\0\0\0not zlib", b"ELSE"] {
        assert!(Data::unpack(file).is_err());
    }
}

#[tokio::test]
async fn a_question_is_read_in_a_moment() {
    let gazetteer = Gazetteer::open().unwrap();
    let questions = [
        "Which datasets cover the Bering Sea near Alaska?",
        "flood maps of bangladesh and Nepal",
        "urban heat in Chicago, Illinois",
    ];
    let started = Instant::now();
    for _ in 0..100 {
        for question in questions {
            gazetteer.mentions(question).await.unwrap();
        }
    }
    // A millisecond each at rest; tests share the machine.
    assert!(started.elapsed() < Duration::from_millis(300 * 10), "{:?}", started.elapsed());
}

fn geometry_corners(geometry: &geojson::Geometry) -> Vec<[f64; 2]> {
    let shape: geo::Geometry<f64> = geometry.clone().try_into().unwrap();
    geo::CoordsIter::coords_iter(&shape).map(|at| [at.x, at.y]).collect()
}

/// Corners are rounded to hundredths, boxes to thousandths of a degree.
fn near_edge(bbox: &crate::model::bbox::BBox, longitude: f64, latitude: f64) -> bool {
    const ROUNDING: f64 = 0.02;
    [-ROUNDING, 0.0, ROUNDING]
        .iter()
        .any(|dx| [-ROUNDING, 0.0, ROUNDING].iter().any(|dy| bbox.contains_point(longitude + dx, latitude + dy)))
}
