//! Shapes a person gives: read from a file, small enough for an address.
#![cfg_attr(not(any(feature = "hydrate", test)), expect(dead_code, reason = "files are read in the browser"))]

use geojson::{GeoJson, Geometry, GeometryValue, Position};
use pipeline::model::bbox::BBox;

/// What the shape may take in the address, in bytes of GeoJSON: servers and proxies cut longer addresses.
const LARGEST_BYTES: usize = 3_000;
/// Decimals kept: about 11 m.
const DECIMALS: i32 = 4;

/// A shape ready for the address.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    pub geometry: Geometry,
    /// What was changed about it, for the person who gave it.
    pub note: Option<String>,
}

/// Reads a GeoJSON geometry, feature or collection of features; those with areas are joined.
///
/// # Errors
/// A sentence that says what is wrong with the file.
pub fn from_file(text: &str) -> Result<Shape, String> {
    let geojson: GeoJson = text
        .trim_start_matches('\u{feff}')
        .parse()
        .map_err(|_| "This file is not GeoJSON. Export the shape as GeoJSON (.geojson) and choose that file.".to_owned())?;
    let geometries = match geojson {
        GeoJson::Geometry(geometry) => vec![geometry],
        GeoJson::Feature(feature) => feature.geometry.into_iter().collect(),
        GeoJson::FeatureCollection(collection) => {
            collection.features.into_iter().filter_map(|feature| feature.geometry).collect()
        }
    };
    let geometry = joined(geometries).ok_or("This file holds no area, line or point to search in.")?;
    for position in positions(&geometry.value) {
        let [longitude, latitude, ..] = position.as_slice() else {
            return Err("A position in this file has no latitude.".to_owned());
        };
        if latitude.abs() > 90.0 || longitude.abs() > 360.0 {
            return Err(
                "These coordinates are not degrees; they look projected. Export the shape in WGS 84 (EPSG:4326).".to_owned()
            );
        }
    }
    small_enough(geometry)
}

/// One geometry of all: areas alone where there are areas, so that labels beside them do not count.
fn joined(geometries: Vec<Geometry>) -> Option<Geometry> {
    let mut polygons = Vec::new();
    let mut others = Vec::new();
    for geometry in geometries {
        match geometry.value {
            GeometryValue::Polygon { coordinates } => polygons.push(coordinates),
            GeometryValue::MultiPolygon { coordinates } => polygons.extend(coordinates),
            value => others.push(Geometry::new(value)),
        }
    }
    match (polygons.len(), others.len()) {
        (0, 0) => None,
        (0, 1) => others.pop(),
        (0, _) => Some(Geometry::new(GeometryValue::GeometryCollection { geometries: others })),
        (1, _) => polygons.pop().map(|coordinates| Geometry::new(GeometryValue::Polygon { coordinates })),
        _ => Some(Geometry::new(GeometryValue::MultiPolygon { coordinates: polygons })),
    }
}

fn small_enough(geometry: Geometry) -> Result<Shape, String> {
    let before = positions(&geometry.value).len();
    let mut tolerance = 0.0;
    let mut step = 0.001;
    while step < 20.0 {
        let simpler = Geometry::new(simplified(&geometry.value, tolerance));
        if simpler.to_string().len() <= LARGEST_BYTES {
            let after = positions(&simpler.value).len();
            let note = (after < before)
                .then(|| format!("The shape was simplified from {before} to {after} points to fit into the address."));
            return Ok(Shape { geometry: simpler, note });
        }
        tolerance = step;
        step *= 2.0;
    }
    Err("This file holds too many shapes. Keep the one you want to search in and choose the file again.".to_owned())
}

fn simplified(value: &GeometryValue, tolerance: f64) -> GeometryValue {
    let line = |line: &Vec<Position>| simplified_line(line, tolerance);
    // a ring that collapses under this tolerance is smaller than what is looked at
    let rings =
        |rings: &Vec<Vec<Position>>| -> Vec<Vec<Position>> { rings.iter().map(line).filter(|ring| ring.len() >= 4).collect() };
    match value {
        GeometryValue::Point { coordinates } => GeometryValue::Point { coordinates: rounded(coordinates) },
        GeometryValue::MultiPoint { coordinates } => {
            GeometryValue::MultiPoint { coordinates: coordinates.iter().map(rounded).collect() }
        }
        GeometryValue::LineString { coordinates } => GeometryValue::LineString { coordinates: line(coordinates) },
        GeometryValue::MultiLineString { coordinates } => {
            GeometryValue::MultiLineString { coordinates: coordinates.iter().map(line).collect() }
        }
        GeometryValue::Polygon { coordinates } => GeometryValue::Polygon { coordinates: rings(coordinates) },
        GeometryValue::MultiPolygon { coordinates } => GeometryValue::MultiPolygon {
            coordinates: coordinates.iter().map(rings).filter(|polygon| !polygon.is_empty()).collect(),
        },
        GeometryValue::GeometryCollection { geometries } => GeometryValue::GeometryCollection {
            geometries: geometries.iter().map(|part| Geometry::new(simplified(&part.value, tolerance))).collect(),
        },
    }
}

/// Douglas and Peucker (1973); the ends stay, the tolerance is in degrees.
fn simplified_line(line: &[Position], tolerance: f64) -> Vec<Position> {
    let mut kept = vec![false; line.len()];
    let mut open = vec![(0, line.len().saturating_sub(1))];
    while let Some((from, to)) = open.pop() {
        for end in [from, to] {
            if let Some(kept) = kept.get_mut(end) {
                *kept = true;
            }
        }
        let (Some(first), Some(last)) = (line.get(from), line.get(to)) else { continue };
        let between = line.iter().enumerate().take(to).skip(from + 1);
        let farthest = between.map(|(at, position)| (at, distance(position, first, last))).max_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((at, _)) = farthest.filter(|(_, distance)| *distance > tolerance) {
            open.push((from, at));
            open.push((at, to));
        }
    }
    line.iter().zip(kept).filter(|(_, kept)| *kept).map(|(position, _)| rounded(position)).collect()
}

/// From a position to the line through two others, or to the first where the two are one (a closed ring).
fn distance(position: &Position, first: &Position, last: &Position) -> f64 {
    let ((x, y), (x1, y1), (x2, y2)) = (degrees(position), degrees(first), degrees(last));
    let length = (x2 - x1).hypot(y2 - y1);
    if length == 0.0 { (x - x1).hypot(y - y1) } else { ((x2 - x1) * (y1 - y) - (x1 - x) * (y2 - y1)).abs() / length }
}

fn degrees(position: &Position) -> (f64, f64) {
    match position.as_slice() {
        [longitude, latitude, ..] => (*longitude, *latitude),
        _ => (f64::NAN, f64::NAN),
    }
}

fn rounded(position: &Position) -> Position {
    let factor = 10f64.powi(DECIMALS);
    let round = |degrees: f64| (degrees * factor).round() / factor;
    let (longitude, latitude) = degrees(position);
    Position::from([round(longitude), round(latitude)])
}

/// The outermost degrees: west, south, east, north; `None` for an empty geometry.
pub fn edges(value: &GeometryValue) -> Option<[f64; 4]> {
    positions(value).into_iter().map(degrees).fold(None, |edges, (longitude, latitude)| {
        let [west, south, east, north] = edges.unwrap_or([longitude, latitude, longitude, latitude]);
        Some([west.min(longitude), south.min(latitude), east.max(longitude), north.max(latitude)])
    })
}

/// The box around a geometry that does not cross the antimeridian, or is drawn on one side of it beyond 180.
pub fn bounds(value: &GeometryValue) -> Option<BBox> {
    let [west, south, east, north] = edges(value)?;
    BBox::new(west, south, east, north).ok()
}

/// Moved by whole turns of the globe so that its west lies in -180..180: a map can be panned around several times.
pub fn within_one_turn(mut geometry: Geometry) -> Geometry {
    let Some([west, ..]) = edges(&geometry.value) else { return geometry };
    let turns = ((west + 180.0) / 360.0).floor() * 360.0;
    if turns != 0.0 {
        move_east(&mut geometry.value, -turns);
    }
    geometry
}

fn move_east(value: &mut GeometryValue, by: f64) {
    let shift = |position: &mut Position| {
        if let Some(longitude) = position.as_slice_mut().first_mut() {
            *longitude += by;
        }
    };
    match value {
        GeometryValue::Point { coordinates } => shift(coordinates),
        GeometryValue::MultiPoint { coordinates } | GeometryValue::LineString { coordinates } => {
            coordinates.iter_mut().for_each(shift)
        }
        GeometryValue::MultiLineString { coordinates } | GeometryValue::Polygon { coordinates } => {
            coordinates.iter_mut().flatten().for_each(shift);
        }
        GeometryValue::MultiPolygon { coordinates } => coordinates.iter_mut().flatten().flatten().for_each(shift),
        GeometryValue::GeometryCollection { geometries } => geometries.iter_mut().for_each(|part| move_east(&mut part.value, by)),
    }
}

fn positions(value: &GeometryValue) -> Vec<&Position> {
    match value {
        GeometryValue::Point { coordinates } => vec![coordinates],
        GeometryValue::MultiPoint { coordinates } | GeometryValue::LineString { coordinates } => coordinates.iter().collect(),
        GeometryValue::MultiLineString { coordinates } | GeometryValue::Polygon { coordinates } => {
            coordinates.iter().flatten().collect()
        }
        GeometryValue::MultiPolygon { coordinates } => coordinates.iter().flatten().flatten().collect(),
        GeometryValue::GeometryCollection { geometries } => geometries.iter().flat_map(|part| positions(&part.value)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: &str = r#"{"type":"Polygon","coordinates":[[[0,0],[10,0],[10,10],[0,10],[0,0]]]}"#;

    #[test]
    fn a_square_is_taken_as_it_is() {
        let expected: Geometry = SQUARE.parse().unwrap();
        let feature = format!(r#"{{"type":"Feature","properties":{{}},"geometry":{SQUARE}}}"#);
        let collection = format!(r#"{{"type":"FeatureCollection","features":[{feature}]}}"#);
        for file in [SQUARE.to_owned(), feature, collection, format!("\u{feff}{SQUARE}")] {
            assert_eq!(from_file(&file), Ok(Shape { geometry: expected.clone(), note: None }), "{file}");
        }
    }

    #[test]
    fn a_coastline_is_simplified_and_says_so() {
        let ring: Vec<String> = (0..=5000)
            .map(|at| {
                let angle = f64::from(at % 5000) / 5000.0 * std::f64::consts::TAU;
                let radius = 10.0 + (angle * 40.0).sin() * 0.2;
                format!("[{},{}]", angle.cos() * radius, angle.sin() * radius)
            })
            .collect();
        let shape = from_file(&format!(r#"{{"type":"Polygon","coordinates":[[{}]]}}"#, ring.join(","))).unwrap();
        assert!(shape.geometry.to_string().len() <= LARGEST_BYTES);
        let GeometryValue::Polygon { coordinates } = &shape.geometry.value else { panic!("still a polygon") };
        assert!(coordinates[0].len() > 30, "only as much as needed: {} points", coordinates[0].len());
        assert_eq!(coordinates[0].first(), coordinates[0].last(), "the ring stays closed");
        assert!(shape.note.unwrap().contains("from 5001 to"));
    }

    #[test]
    fn a_wrong_file_is_told_why() {
        let check = |file: &str, expected: &str| assert!(from_file(file).unwrap_err().contains(expected), "{file}");
        check("name,lat,lon", "not GeoJSON");
        check("", "not GeoJSON");
        check(r#"{"type":"FeatureCollection","features":[]}"#, "no area");
        check(r#"{"type":"Point","coordinates":[399000.5,4500000.1]}"#, "projected");
    }

    #[test]
    fn a_shape_drawn_after_panning_around_the_globe_is_where_it_looks() {
        let drawn = |west: f64| -> Geometry {
            format!(r#"{{"type":"LineString","coordinates":[[{west},0],[{},5]]}}"#, west + 20.0).parse().unwrap()
        };
        for (west, expected) in [(530.0, 170.0), (-190.0, 170.0), (170.0, 170.0), (-20.0, -20.0)] {
            assert_eq!(within_one_turn(drawn(west)), drawn(expected), "{west}");
        }
        assert_eq!(bounds(&drawn(170.0).value), BBox::new(170.0, 0.0, -170.0, 5.0).ok());
    }

    #[test]
    fn areas_count_and_labels_beside_them_do_not() {
        let feature = |geometry: &str| format!(r#"{{"type":"Feature","properties":null,"geometry":{geometry}}}"#);
        let point = r#"{"type":"Point","coordinates":[1,1]}"#;
        let file = format!(r#"{{"type":"FeatureCollection","features":[{},{}]}}"#, feature(SQUARE), feature(point));
        assert_eq!(from_file(&file).unwrap().geometry.value.type_name(), "Polygon");
    }
}
