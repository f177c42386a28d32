//! An area that many footprints are compared with.
//!
//! Most footprints lie wholly inside or outside of an area's outline, and which of the two is told by the outline's edges near
//! them; only what the outline runs through is compared exactly, since country outlines have thousands of corners.

use geo::{Coord, CoordsIter, Geometry, Intersects, Line, LinesIter, Rect};
use rstar::{AABB, RTree, RTreeObject};

use crate::{
    geometry::{Shape, relates},
    model::{
        bbox::BBox,
        place::{Area, Relation},
        problem::FieldError,
    },
};

pub struct PreparedArea {
    shape: Shape,
    /// Of an area that is not a box.
    outline: RTree<Edge>,
}

/// An edge of the area: of a ring, of a line, or a point.
struct Edge {
    line: Line<f64>,
    /// It has the area on one side.
    bounds: bool,
}

impl RTreeObject for Edge {
    type Envelope = AABB<[f64; 2]>;

    fn envelope(&self) -> Self::Envelope {
        AABB::from_corners([self.line.start.x, self.line.start.y], [self.line.end.x, self.line.end.y])
    }
}

/// How a rectangle lies to the outline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lies {
    Inside,
    Outside,
    /// The outline touches it or runs through it.
    Across,
}

impl PreparedArea {
    /// # Errors
    /// An area that cannot be read.
    pub fn new(area: &Area) -> Result<Self, FieldError> {
        let shape = Shape::from_area(area)?;
        let edges = shape.parts().flat_map(edges).collect();
        Ok(Self { shape, outline: RTree::bulk_load(edges) })
    }

    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Whether the footprint has the relation to the area; not for disjoint. `boxes_overlap`: their boxes are known to share a point of
    /// the plane.
    pub fn is_related(&self, relation: Relation, footprint: &Shape, boxes_overlap: bool) -> bool {
        match self.decided(relation, footprint, boxes_overlap) {
            Some(decided) => decided,
            None => relates(footprint, relation, &self.shape),
        }
    }

    /// What boxes and the outline tell without exact shapes.
    fn decided(&self, relation: Relation, footprint: &Shape, boxes_overlap: bool) -> Option<bool> {
        let (own, other) = (self.shape.bbox(), footprint.bbox());
        let within_latitudes = |outer: &BBox, inner: &BBox| outer.south() <= inner.south() && inner.north() <= outer.north();
        match relation {
            Relation::Within if !within_latitudes(&own, &other) => return Some(false),
            Relation::Contains if !within_latitudes(&other, &own) => return Some(false),
            Relation::Contains | Relation::Disjoint => return None,
            Relation::Intersects if self.shape.is_box() => return (footprint.is_box() && boxes_overlap).then_some(true),
            Relation::Intersects | Relation::Within if self.shape.is_box() => return None,
            Relation::Intersects | Relation::Within => {}
        }
        let rectangle = away_from_seams(&other)?;
        match (self.lies(&rectangle), relation) {
            (Lies::Inside, _) => Some(true),
            (Lies::Outside, _) => Some(false),
            (Lies::Across, Relation::Intersects) => footprint.is_box().then_some(true),
            (Lies::Across, _) => (footprint.is_box() && self.runs_through(&rectangle)).then_some(false),
        }
    }

    fn lies(&self, rectangle: &Rect<f64>) -> Lies {
        if self.edges_within(rectangle).any(|edge| meets(&edge.line, rectangle)) {
            return Lies::Across;
        }
        // no edge touches the rectangle, so that one of its corners speaks for all of it: inside when a ray from it to the west
        // crosses the outline an odd number of times
        let corner = rectangle.min();
        let ray = AABB::from_corners([-180.0, corner.y], [corner.x, corner.y]);
        let crossings =
            self.outline.locate_in_envelope_intersecting(&ray).filter(|edge| edge.bounds && crosses(&edge.line, corner));
        if crossings.count() % 2 == 1 { Lies::Inside } else { Lies::Outside }
    }

    /// Whether the outline reaches the inside of the rectangle, so that a part of that lies outside of the area.
    fn runs_through(&self, rectangle: &Rect<f64>) -> bool {
        let margin = Coord { x: rectangle.width() * 1e-6, y: rectangle.height() * 1e-6 };
        if margin.x <= 0.0 || margin.y <= 0.0 {
            return false;
        }
        let inside = Rect::new(rectangle.min() + margin, rectangle.max() - margin);
        self.edges_within(&inside).any(|edge| edge.bounds && meets(&edge.line, &inside))
    }

    fn edges_within(&self, rectangle: &Rect<f64>) -> impl Iterator<Item = &Edge> {
        let (low, high) = (rectangle.min(), rectangle.max());
        self.outline.locate_in_envelope_intersecting(&AABB::from_corners([low.x, low.y], [high.x, high.y]))
    }
}

/// The rectangle of a box that touches neither the antimeridian nor a pole, where shapes meet that are apart in the plane.
fn away_from_seams(bbox: &BBox) -> Option<Rect<f64>> {
    let is_away =
        -180.0 < bbox.west() && bbox.west() <= bbox.east() && bbox.east() < 180.0 && bbox.north().max(-bbox.south()) < 90.0;
    is_away.then(|| Rect::new(Coord { x: bbox.west(), y: bbox.south() }, Coord { x: bbox.east(), y: bbox.north() }))
}

fn edges(part: &Geometry<f64>) -> Vec<Edge> {
    let edge = |bounds| move |line| Edge { line, bounds };
    match part {
        Geometry::Polygon(polygon) => polygon.lines_iter().map(edge(true)).collect(),
        Geometry::LineString(line) => line.lines().map(edge(false)).collect(),
        other => other.coords_iter().map(|at| Line::new(at, at)).map(edge(false)).collect(),
    }
}

/// The envelopes of both overlap already.
fn meets(line: &Line<f64>, rectangle: &Rect<f64>) -> bool {
    line.start == line.end || line.intersects(rectangle)
}

/// Whether a ray from the point to the west crosses the edge; an edge has its lower end and not its upper one, so that a ray through a
/// corner counts once.
fn crosses(line: &Line<f64>, point: Coord<f64>) -> bool {
    let (start, end) = (line.start, line.end);
    if (start.y > point.y) == (end.y > point.y) {
        return false;
    }
    start.x + (point.y - start.y) / (end.y - start.y) * (end.x - start.x) < point.x
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    /// A polygon with a notch and a hole, a second part, a line and a point.
    fn area() -> PreparedArea {
        let geometry = json!({"type": "GeometryCollection", "geometries": [
            {"type": "Polygon", "coordinates": [
                [[0, 0], [40, 0], [40, 30], [20, 12], [0, 30], [0, 0]],
                [[4, 4], [4, 8], [8, 8], [8, 4], [4, 4]]]},
            {"type": "Polygon", "coordinates": [[[50, 0], [60, 0], [55, 10], [50, 0]]]},
            {"type": "LineString", "coordinates": [[0, 40], [30, 45]]},
            {"type": "Point", "coordinates": [50, 40]}]});
        PreparedArea::new(&Area::Geometry(serde_json::from_value(geometry).unwrap())).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]
        #[test]
        fn what_is_decided_is_what_exact_shapes_say(west in -4..64_i32, south in -4..48_i32, width in 0..20_i32, height in 0..20_i32, halves: bool) {
            let scale = if halves { 0.5 } else { 1.0 };
            let corner = |value: i32| f64::from(value) * scale;
            let bbox = BBox::new(corner(west), corner(south), corner(west + width), corner(south + height)).unwrap();
            let area = area();
            for footprint in [Shape::from_bbox(bbox), triangle(&bbox)] {
                for relation in [Relation::Intersects, Relation::Within, Relation::Contains] {
                    let overlap = bbox.intersects(&area.shape().bbox());
                    if let Some(decided) = area.decided(relation, &footprint, overlap) {
                        prop_assert_eq!(decided, relates(&footprint, relation, area.shape()), "{} {}", bbox, relation);
                    }
                }
            }
        }
    }

    /// Half of the box, or the box where that has no area.
    fn triangle(bbox: &BBox) -> Shape {
        let (west, south, east, north) = (bbox.west(), bbox.south(), bbox.east(), bbox.north());
        let ring = json!([[[west, south], [east, south], [east, north], [west, south]]]);
        let geometry = serde_json::from_value(json!({"type": "Polygon", "coordinates": ring})).unwrap();
        Shape::from_area(&Area::Geometry(geometry)).unwrap_or_else(|_| Shape::from_bbox(*bbox))
    }

    #[test]
    fn most_boxes_need_no_exact_shapes() {
        let area = area();
        let mut undecided = 0;
        for (x, y) in (0..60).flat_map(|x| (0..45).map(move |y| (f64::from(x) - 0.25, f64::from(y) - 0.25))) {
            let footprint = Shape::from_bbox(BBox::new(x, y, x + 0.5, y + 0.5).unwrap());
            for relation in [Relation::Intersects, Relation::Within] {
                undecided += usize::from(area.decided(relation, &footprint, true).is_none());
            }
        }
        // those that meet the line or the point are asked whether they lie within it
        assert!(undecided < 100, "{undecided}");
    }
}
