//! Footprints: boxes and geometries. What is sure is repaired and said; what is not is left out and named.

use serde_json::Value;

use super::fields::{Fields, Findings, type_name};
use crate::{
    catalog::fault::{Fault, FaultKind},
    geometry::read_geometry,
    model::{bbox::BBox, element::Spatial},
};

/// netCDF's default fill value for floats is 9.969209968386869e36; nothing on Earth is near it.
const FILL_VALUE: f64 = 1e20;
/// Longitudes within one and a half turns are degrees; beyond, they are metres of a projected CRS.
const MOST_DEGREES: f64 = 540.0;
/// Outer edges of grid cells around a pole lie beyond it by half a cell.
const LATITUDE_SLACK: f64 = 1.0;
/// A shape wider than this whose edges jump is a narrow one over the antimeridian, whatever its box says.
const MOST_MEANT_DEGREES: f64 = 270.0;
const MAX_POSITIONS: usize = 20_000;
const MAX_PLACES: usize = 100;
const MAX_PLACE_BYTES: usize = 200;

/// `spatial` of a record. A fault in it never refuses the record: the part at fault is left out.
pub(crate) fn spatial(findings: &mut Findings, value: Value) -> Option<Spatial> {
    let mut fields: Fields = match value {
        Value::Object(_) => findings.object("spatial", value)?,
        other => {
            let message =
                format!("give an object with geometry, bbox or places, not {}; the footprint was left out", type_name(&other));
            findings.warn(FaultKind::GeometryFault, "spatial", message);
            return None;
        }
    };
    let declared = fields.take("bbox").and_then(|value| {
        let reading = read_box(&value, "spatial.bbox");
        findings.warnings.extend(reading.faults);
        reading.bbox
    });
    let shape = fields.take("geometry").and_then(|value| geometry(findings, &value, declared.as_ref()));
    let places = fields.lines(findings, "places", MAX_PLACES, MAX_PLACE_BYTES);
    fields.refuse_the_rest(findings);
    let spatial = match shape {
        Some((geometry, bbox)) => {
            if declared.is_some_and(|declared| !declared.intersects(&bbox)) {
                let message = "the box and the geometry have no point in common; the geometry was taken";
                findings.warn(FaultKind::GeometryAndBoxDisagree, "spatial.bbox", message);
            }
            Spatial { geometry: Some(geometry), bbox: Some(bbox), places }
        }
        None => Spatial { geometry: None, bbox: declared, places },
    };
    (spatial != Spatial::default()).then_some(spatial)
}

fn geometry(findings: &mut Findings, value: &Value, declared: Option<&BBox>) -> Option<(geojson::Geometry, BBox)> {
    const FIELD: &str = "spatial.geometry";
    let positions = Positions::of(value);
    if positions.count > MAX_POSITIONS {
        let message =
            format!("{} positions are more than {MAX_POSITIONS}; simplify the geometry. It was left out", positions.count);
        findings.warn(FaultKind::GeometryTooLarge, FIELD, message);
        return None;
    }
    match read_geometry(value) {
        Ok((_, bbox, _)) if declared.is_some_and(|declared| positions.are_meant_as_written(declared, &bbox)) => {
            let message = "an edge over half the globe is read the short way, over the antimeridian, where the box goes the long way; \
                           the box was taken. Give points between, 180 degrees apart at most";
            findings.warn(FaultKind::GeometryAndBoxDisagree, FIELD, message);
            None
        }
        Ok((geometry, bbox, mut repairs)) => {
            // a cut is how a shape over the antimeridian is kept, not a fault
            repairs.retain(|repair| repair != "cut at the antimeridian");
            if !repairs.is_empty() {
                findings.warn(FaultKind::GeometryRepaired, FIELD, repairs.join("; "));
            }
            Some((geometry, bbox))
        }
        Err(error) => {
            findings.warn(positions.fault(), FIELD, format!("{}. The geometry was left out", error.message));
            None
        }
    }
}

/// The numbers of a GeoJSON geometry, whatever its type: enough to name what is wrong with them.
struct Positions {
    count: usize,
    west: f64,
    east: f64,
    highest: f64,
}

impl Positions {
    fn of(geometry: &Value) -> Self {
        let mut positions = Self { count: 0, west: f64::INFINITY, east: f64::NEG_INFINITY, highest: 0.0 };
        positions.add(geometry);
        positions
    }

    fn add(&mut self, value: &Value) {
        match value {
            Value::Object(map) => {
                if let Some(coordinates) = map.get("coordinates") {
                    self.add(coordinates);
                }
                for geometry in map.get("geometries").and_then(Value::as_array).into_iter().flatten() {
                    self.add(geometry);
                }
            }
            Value::Array(items) => match (items.first().and_then(Value::as_f64), items.get(1).and_then(Value::as_f64)) {
                (Some(longitude), Some(latitude)) => {
                    self.count += 1;
                    self.west = self.west.min(longitude);
                    self.east = self.east.max(longitude);
                    self.highest = self.highest.max(latitude.abs());
                }
                _ => items.iter().for_each(|item| self.add(item)),
            },
            _ => {}
        }
    }

    /// Whether a declared box goes the long way from the westernmost to the easternmost position, where the geometry was read across
    /// the antimeridian. Nearly around the globe the box is the one in doubt: many are made of the least and the greatest longitude.
    fn are_meant_as_written(&self, declared: &BBox, read: &BBox) -> bool {
        let same = |a: f64, b: f64| (a - b).abs() < 1e-6;
        let is_long_way =
            same(declared.west(), self.west) && same(declared.east(), self.east) && declared.width() <= MOST_MEANT_DEGREES;
        is_long_way && !(same(read.west(), self.west) && same(read.east(), self.east))
    }

    fn fault(&self) -> FaultKind {
        let largest = self.west.abs().max(self.east.abs()).max(self.highest);
        match () {
            () if self.count == 0 => FaultKind::EmptyGeometry,
            () if largest >= FILL_VALUE => FaultKind::FillValue,
            () if largest > MOST_DEGREES => FaultKind::ProjectedCoordinates,
            () if self.highest > 90.0 => FaultKind::LatitudeOutOfRange,
            () => FaultKind::GeometryFault,
        }
    }
}

/// What became of a box: none when it was left out; the faults say why, or what was repaired.
pub(crate) struct BoxReading {
    pub bbox: Option<BBox>,
    pub faults: Vec<Fault>,
}

/// Reads `[west, south, east, north]`, or six numbers with heights.
pub(crate) fn read_box(value: &Value, field: &str) -> BoxReading {
    let mut faults = Vec::new();
    let bbox = numbers(value)
        .ok_or_else(|| {
            Fault::new(FaultKind::BoxNotFourNumbers, field, "a box is four numbers: west, south, east, north. It was left out")
        })
        .and_then(|edges| repaired_box(edges, field, &mut faults));
    match bbox {
        Ok(bbox) => BoxReading { bbox: Some(bbox), faults },
        Err(fault) => {
            faults.push(fault);
            BoxReading { bbox: None, faults }
        }
    }
}

fn numbers(value: &Value) -> Option<[f64; 4]> {
    let numbers: Option<Vec<f64>> = value.as_array()?.iter().map(Value::as_f64).collect();
    match numbers?.as_slice() {
        [west, south, east, north] | [west, south, _, east, north, _] => Some([*west, *south, *east, *north]),
        _ => None,
    }
}

fn repaired_box(edges: [f64; 4], field: &str, faults: &mut Vec<Fault>) -> Result<BBox, Fault> {
    let [west, mut south, east, mut north] = edges;
    let written = format!("[{west}, {south}, {east}, {north}]");
    let left_out = |kind: FaultKind, why: &str| Err(Fault::new(kind, field, format!("{written}: {why}. The box was left out")));
    let largest = edges.iter().fold(0.0_f64, |largest, edge| largest.max(edge.abs()));
    if largest >= FILL_VALUE {
        return left_out(FaultKind::FillValue, "a number this large stands for a missing value");
    }
    if largest > MOST_DEGREES {
        return left_out(
            FaultKind::ProjectedCoordinates,
            "these are metres of a projected CRS, not degrees; give longitude and latitude in WGS 84",
        );
    }
    if edges.iter().all(|edge| *edge == west) {
        return left_out(FaultKind::PlaceholderBox, "four times the same number stands for a missing box");
    }
    let mut repair = |kind: FaultKind, what: String| faults.push(Fault::new(kind, field, format!("{written}: {what}")));
    if south > north {
        (south, north) = (north, south);
        repair(FaultKind::CornersTopDown, "south and north stood in the other order and were exchanged".to_owned());
    }
    let beyond = |latitude: f64| latitude.abs() > 90.0 && latitude.abs() <= 90.0 + LATITUDE_SLACK;
    if beyond(south) || beyond(north) {
        south = if beyond(south) { south.clamp(-90.0, 90.0) } else { south };
        north = if beyond(north) { north.clamp(-90.0, 90.0) } else { north };
        repair(FaultKind::LatitudeClamped, format!("a latitude beyond the pole was set to it: {south} to {north}"));
    }
    if west.abs() > 180.0 || east.abs() > 180.0 {
        let whole = if east - west >= 360.0 { "; that is the whole parallel" } else { "" };
        repair(FaultKind::LongitudeTurned, format!("longitudes beyond 180 were brought into -180 to 180{whole}"));
    }
    BBox::new(west, south, east, north).map_err(|error| {
        let kind = if south.abs() > 90.0 || north.abs() > 90.0 { FaultKind::LatitudeOutOfRange } else { FaultKind::BoxFault };
        Fault::new(kind, field, format!("{written}: {}. The box was left out", error.message))
    })
}
