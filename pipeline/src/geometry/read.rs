use geo::{Area, Coord, Geometry, Intersects, LineString, Point, Polygon};
use geojson::{GeometryValue, Position};

use super::{rings, seam, shape::is_rectangle};
use crate::model::{
    bbox::{BBox, normalise_longitude},
    problem::FieldError,
};

/// Longitudes within one and a half turns are degrees; beyond, they are taken for metres of a projected CRS.
const MOST_DEGREES: f64 = 540.0;

/// A geometry as it is kept: pieces within −180..=180, exteriors counter-clockwise.
pub(super) struct Reading {
    pub pieces: Vec<Geometry<f64>>,
    pub bbox: BBox,
    pub repairs: Vec<String>,
}

/// Reads a GeoJSON geometry (RFC 7946) into the form it is kept in, with its box and, in words, what had to be repaired.
///
/// Rings of either direction are accepted and written counter-clockwise (holes clockwise). Longitudes beyond 180 are normalised. What
/// crosses the antimeridian is cut there, and the box then has west > east. Heights are left out. A ring left open is closed, a ring
/// that touches itself is split, parts that overlap are merged, four corners of a box in crossing order are put in order.
///
/// # Errors
/// Field `geometry`: not GeoJSON, no coordinates, |latitude| > 90 (the order may be swapped), a projected CRS, a ring without
/// area or one that crosses itself so that its meaning is not sure.
pub fn read_geometry(value: &serde_json::Value) -> Result<(geojson::Geometry, BBox, Vec<String>), FieldError> {
    let geometry: geojson::Geometry = serde_json::from_value(value.clone()).map_err(|error| {
        fault(format!(
            "this is not a GeoJSON geometry ({error}); give one such as {{\"type\":\"Point\",\"coordinates\":[10,50]}}"
        ))
    })?;
    let Reading { pieces, bbox, repairs } = read(&geometry)?;
    Ok((written(pieces), bbox, repairs))
}

pub(super) fn read(geometry: &geojson::Geometry) -> Result<Reading, FieldError> {
    let mut reader = Reader::default();
    reader.geometry(&geometry.value)?;
    reader.finish()
}

fn fault(message: impl Into<String>) -> FieldError {
    FieldError::new("geometry", message)
}

#[derive(Default)]
struct Reader {
    points: Vec<Coord<f64>>,
    lines: Vec<LineString<f64>>,
    polygons: Vec<Polygon<f64>>,
    repairs: Vec<String>,
}

impl Reader {
    fn repaired(&mut self, what: &str) {
        if !self.repairs.iter().any(|repair| repair == what) {
            self.repairs.push(what.to_owned());
        }
    }

    fn geometry(&mut self, value: &GeometryValue) -> Result<(), FieldError> {
        match value {
            GeometryValue::Point { coordinates } => self.point(coordinates),
            GeometryValue::MultiPoint { coordinates } => coordinates.iter().try_for_each(|point| self.point(point)),
            GeometryValue::LineString { coordinates } => self.line(coordinates),
            GeometryValue::MultiLineString { coordinates } => coordinates.iter().try_for_each(|line| self.line(line)),
            GeometryValue::Polygon { coordinates } => self.polygon(coordinates),
            GeometryValue::MultiPolygon { coordinates } => coordinates.iter().try_for_each(|polygon| self.polygon(polygon)),
            GeometryValue::GeometryCollection { geometries } => {
                geometries.iter().try_for_each(|geometry| self.geometry(&geometry.value))
            }
        }
    }

    fn point(&mut self, position: &Position) -> Result<(), FieldError> {
        let at = coordinate(position)?;
        if at.x.abs() > 180.0 {
            self.repaired("longitudes beyond 180 were brought into -180 to 180");
        }
        self.points.push(Coord { x: normalise_longitude(at.x), y: at.y });
        Ok(())
    }

    fn line(&mut self, positions: &[Position]) -> Result<(), FieldError> {
        let mut line = coordinates(positions)?;
        line.dedup();
        match line.as_slice() {
            [] => return Err(fault("a line has no coordinates; leave the geometry out where there is none")),
            [only] => {
                self.repaired("a line of a single position was read as a point");
                self.points.push(Coord { x: normalise_longitude(only.x), y: only.y });
                return Ok(());
            }
            _ => {}
        }
        if seam::jumps(&line) {
            line = seam::unwrap(&line);
        }
        seam::homed(&mut line);
        let parts = seam::cut_line(&line);
        if parts.len() > 1 {
            self.repaired("cut at the antimeridian");
        }
        self.lines.extend(parts);
        Ok(())
    }

    fn polygon(&mut self, positions: &[Vec<Position>]) -> Result<(), FieldError> {
        let Some((exterior, holes)) = positions.split_first() else {
            return Err(fault("a polygon has no ring; leave the geometry out where there is none"));
        };
        let exterior = self.ring(exterior)?;
        let exterior = self.straightened(exterior)?;
        if self.without_area(&exterior)? {
            return Ok(());
        }
        let mut outer = LineString::from(exterior);
        let mut inner = Vec::new();
        for hole in holes {
            let hole = self.ring(hole)?;
            if has_area(&hole) {
                inner.push(beside(&outer, LineString::from(if seam::jumps(&hole) { seam::unwrap(&hole) } else { hole })));
            } else {
                self.repaired("a hole without area was left out");
            }
        }
        if let Some(corners) = crossing_box(&outer) {
            self.repaired("the four corners of a box were in crossing order and were put in order");
            outer = corners;
        }
        if let Some(outline) = (!inner.is_empty()).then(|| Polygon::new(outer.clone(), Vec::new()))
            && inner.iter().any(|hole| !outline.intersects(hole))
        {
            return Err(fault("a hole lies outside the ring it should be a hole of"));
        }
        let all: Vec<_> = std::iter::once(outer.clone()).chain(inner.iter().cloned()).collect();
        let valid = match rings::meeting(&all) {
            rings::Meeting::None => vec![Polygon::new(outer, inner)],
            rings::Meeting::Touches => {
                self.repaired("rings that touch themselves or each other were rebuilt to the same area");
                rings::rebuilt(&outer, &inner).0
            }
            rings::Meeting::CrossesItself => {
                return Err(fault(
                    "a ring crosses itself, so what is inside it is not sure; put its corners in order around the area",
                ));
            }
        };
        if valid.is_empty() {
            return Err(fault("a polygon encloses no area"));
        }
        for polygon in valid {
            self.cut(polygon)?;
        }
        Ok(())
    }

    /// A closed ring without repeated positions.
    fn ring(&mut self, positions: &[Position]) -> Result<Vec<Coord<f64>>, FieldError> {
        let mut ring = coordinates(positions)?;
        ring.dedup();
        match (ring.first().copied(), ring.last().copied()) {
            (Some(first), Some(last)) if first != last => {
                let same_meridian = first.y == last.y && (first.x - last.x).abs() == 360.0;
                if !same_meridian {
                    self.repaired("a ring that was left open was closed");
                    ring.push(first);
                }
                Ok(ring)
            }
            (Some(_), Some(_)) => Ok(ring),
            _ => Err(fault("a ring has no coordinates; leave the geometry out where there is none")),
        }
    }

    /// A ring that has shrunk to a point or to a line along a parallel or meridian is kept as that.
    fn without_area(&mut self, ring: &[Coord<f64>]) -> Result<bool, FieldError> {
        if has_area(ring) {
            return Ok(false);
        }
        let (low, high) = extremes(ring);
        if low == high {
            self.repaired("a polygon that is a single position was read as a point");
            self.points.push(Coord { x: normalise_longitude(low.x), y: low.y });
        } else if low.x == high.x || low.y == high.y {
            self.repaired("a polygon without area was read as a line");
            let mut line = vec![low, high];
            seam::homed(&mut line);
            self.lines.extend(seam::cut_line(&line));
        } else {
            return Err(fault("a ring encloses no area; it needs at least three corners that are not on one line"));
        }
        Ok(true)
    }

    /// An exterior without jumps: read the short way where it jumps over the antimeridian, led over the pole where it goes around one.
    fn straightened(&mut self, ring: Vec<Coord<f64>>) -> Result<Vec<Coord<f64>>, FieldError> {
        if !seam::jumps(&ring) {
            return Ok(ring);
        }
        let unwrapped = seam::unwrap(&ring);
        let turn = match (unwrapped.first(), unwrapped.last()) {
            (Some(first), Some(last)) => last.x - first.x,
            _ => 0.0,
        };
        let goes_around = turn.abs() > 180.0;
        if goes_around && seam::jumps_near_the_antimeridian(&ring) {
            return self.around_pole(unwrapped);
        }
        Ok(if goes_around || reads_as_written(&ring) { ring } else { unwrapped })
    }

    fn around_pole(&mut self, mut ring: Vec<Coord<f64>>) -> Result<Vec<Coord<f64>>, FieldError> {
        let pole = if ring.iter().all(|at| at.y > 0.0) {
            90.0
        } else if ring.iter().all(|at| at.y < 0.0) {
            -90.0
        } else {
            return Err(fault("a ring goes once around the globe on both sides of the equator; close it over the pole it means"));
        };
        self.repaired("a ring around a pole was closed over the pole");
        let ends = ring.first().copied().zip(ring.last().copied());
        if let Some((first, last)) = ends {
            ring.extend([Coord { x: last.x, y: pole }, Coord { x: first.x, y: pole }, first]);
        }
        Ok(ring)
    }

    fn cut(&mut self, polygon: Polygon<f64>) -> Result<(), FieldError> {
        let (mut outer, mut holes) = polygon.into_inner();
        let west = |ring: &LineString<f64>| extremes(&ring.0).0.x;
        let written_west = west(&outer);
        seam::homed(&mut outer.0);
        let moved = west(&outer) - written_west;
        holes.iter_mut().for_each(|hole| hole.0.iter_mut().for_each(|at| at.x += moved));
        let (low, high) = extremes(&outer.0);
        if high.x - low.x > 360.0 {
            return Err(fault("a polygon reaches more than once around the globe"));
        }
        let exterior = rings::directed(outer, false);
        let holes = holes.into_iter().map(|hole| rings::directed(hole, true)).collect();
        let mut polygon = Polygon::new(exterior, holes);
        if high.x - low.x == 360.0 && is_rectangle(&polygon) {
            let along = |x: f64| if x == low.x { -180.0 } else { 180.0 };
            polygon.exterior_mut(|ring| ring.0.iter_mut().for_each(|at| at.x = along(at.x)));
            self.polygons.push(polygon);
            return Ok(());
        }
        let parts = seam::cut_polygon(&polygon);
        if moved != 0.0 && parts.len() == 1 {
            self.repaired("longitudes beyond 180 were brought into -180 to 180");
        }
        if parts.len() > 1 {
            self.repaired("cut at the antimeridian");
        }
        self.polygons.extend(parts);
        Ok(())
    }

    fn finish(mut self) -> Result<Reading, FieldError> {
        let (polygons, any_merged) = rings::merged(std::mem::take(&mut self.polygons));
        if any_merged {
            self.repaired("polygons that overlap or share an edge were merged");
        }
        self.points.dedup();
        let pieces: Vec<Geometry<f64>> = polygons
            .into_iter()
            .map(Geometry::Polygon)
            .chain(self.lines.into_iter().map(Geometry::LineString))
            .chain(self.points.into_iter().map(|at| Geometry::Point(Point::from(at))))
            .collect();
        let bbox = super::shape::bbox_of(&pieces)
            .ok_or_else(|| fault("there are no coordinates; leave the geometry out where there is none"))?;
        Ok(Reading { pieces, bbox, repairs: self.repairs })
    }
}

fn coordinate(position: &Position) -> Result<Coord<f64>, FieldError> {
    let [x, y, ..] = position.as_slice() else {
        return Err(fault("a position needs a longitude and a latitude"));
    };
    let (x, y) = (*x, *y);
    if !x.is_finite() || !y.is_finite() {
        return Err(fault("every number of a position must be finite"));
    }
    if x.abs() > MOST_DEGREES || y.abs() > MOST_DEGREES {
        return Err(fault(format!(
            "{x}, {y} are not degrees: the coordinates look like those of a projected CRS; give longitude and latitude in WGS 84"
        )));
    }
    if y.abs() > 90.0 {
        let hint = if x.abs() <= 90.0 { "; the order looks swapped, it is longitude, latitude" } else { "" };
        return Err(fault(format!("latitudes lie between -90 and 90, got {y}{hint}")));
    }
    Ok(Coord { x, y })
}

fn coordinates(positions: &[Position]) -> Result<Vec<Coord<f64>>, FieldError> {
    positions.iter().map(coordinate).collect()
}

fn extremes(line: &[Coord<f64>]) -> (Coord<f64>, Coord<f64>) {
    let start = (Coord { x: f64::INFINITY, y: f64::INFINITY }, Coord { x: f64::NEG_INFINITY, y: f64::NEG_INFINITY });
    line.iter().fold(start, |(low, high), at| {
        (Coord { x: low.x.min(at.x), y: low.y.min(at.y) }, Coord { x: high.x.max(at.x), y: high.y.max(at.y) })
    })
}

/// Whether the corners do not all lie on one line.
fn has_area(ring: &[Coord<f64>]) -> bool {
    let Some(first) = ring.first() else { return false };
    let Some(second) = ring.iter().find(|at| *at != first) else { return false };
    ring.iter().any(|at| (second.x - first.x) * (at.y - first.y) != (second.y - first.y) * (at.x - first.x))
}

/// A ring with an edge longer than half the globe is either that wide or crosses the antimeridian the short way. RFC 7946 has
/// edges straight and exteriors counter-clockwise: a ring that is so as written is that wide, one that is so only the short way crosses.
/// But a ring nearly all around and not high is a scene over the antimeridian written clockwise, not a belt around the globe.
fn reads_as_written(ring: &[Coord<f64>]) -> bool {
    const NEARLY_AROUND: f64 = 300.0;
    const HIGH: f64 = 90.0;
    let (low, high) = extremes(ring);
    let is_belt = high.x - low.x >= NEARLY_AROUND && high.y - low.y < HIGH;
    let as_written = Polygon::new(LineString::from(ring.to_vec()), Vec::new());
    as_written.signed_area() > 0.0 && !is_belt
}

fn crossing_box(ring: &LineString<f64>) -> Option<LineString<f64>> {
    if rings::meeting(std::slice::from_ref(ring)) != rings::Meeting::CrossesItself {
        return None;
    }
    rings::box_in_crossing_order(ring).map(|corners| LineString::from(corners.to_vec()))
}

/// The hole moved by whole turns to lie within its exterior.
fn beside(outer: &LineString<f64>, mut hole: LineString<f64>) -> LineString<f64> {
    let middle = |ring: &LineString<f64>| {
        let (low, high) = extremes(&ring.0);
        f64::midpoint(low.x, high.x)
    };
    let turns = ((middle(outer) - middle(&hole)) / 360.0).round();
    if turns != 0.0 {
        hole.0.iter_mut().for_each(|at| at.x += turns * 360.0);
    }
    hole
}

/// One piece as itself, several of a kind as a multi-geometry, a mixture as a collection.
fn written(pieces: Vec<Geometry<f64>>) -> geojson::Geometry {
    let (mut points, mut lines, mut polygons) = (Vec::new(), Vec::new(), Vec::new());
    for piece in pieces {
        match piece {
            Geometry::Point(point) => points.push(point),
            Geometry::LineString(line) => lines.push(line),
            Geometry::Polygon(polygon) => polygons.push(polygon),
            _ => {}
        }
    }
    let mut kinds: Vec<GeometryValue> = Vec::new();
    match polygons.as_slice() {
        [] => {}
        [one] => kinds.push(one.into()),
        _ => kinds.push((&geo::MultiPolygon(polygons)).into()),
    }
    match lines.as_slice() {
        [] => {}
        [one] => kinds.push(one.into()),
        _ => kinds.push((&geo::MultiLineString(lines)).into()),
    }
    match points.as_slice() {
        [] => {}
        [one] => kinds.push(one.into()),
        _ => kinds.push((&geo::MultiPoint(points)).into()),
    }
    match kinds.len() {
        1 => geojson::Geometry::new(kinds.remove(0)),
        _ => geojson::Geometry::new_geometry_collection(kinds.into_iter().map(geojson::Geometry::new)),
    }
}
