use geo::{Covers, Geometry, Intersects, MapCoords, MultiLineString, MultiPolygon};

use super::shape::{Form, Piece, Shape};
use crate::model::{bbox::BBox, place::Relation};

/// Whether the footprint has the relation to the area.
///
/// Shapes are closed sets: a shared edge or corner is enough to intersect, and disjoint is exactly its negation. Within and
/// contains are OGC's *coveredBy* and *covers*: touching the boundary from inside is fine, a point on the edge is within, and equal
/// shapes are within each other. What lies in a hole is outside. The meridians −180 and 180 are one, a pole is one point.
pub fn relates(footprint: &Shape, relation: Relation, area: &Shape) -> bool {
    match relation {
        Relation::Intersects => intersects(footprint, area),
        Relation::Disjoint => !intersects(footprint, area),
        Relation::Within => covers(area, footprint),
        Relation::Contains => covers(footprint, area),
    }
}

fn intersects(a: &Shape, b: &Shape) -> bool {
    if !a.bbox().intersects(&b.bbox()) {
        return false;
    }
    if matches!((a.form(), b.form()), (Form::Rectangle, Form::Rectangle)) || share_a_pole(&a.bbox(), &b.bbox()) {
        return true;
    }
    let (a_pieces, b_pieces) = (a.pieces(), b.pieces());
    a_pieces.iter().any(|a| b_pieces.iter().any(|b| pieces_intersect(a, b)))
}

fn share_a_pole(a: &BBox, b: &BBox) -> bool {
    (a.north() == 90.0 && b.north() == 90.0) || (a.south() == -90.0 && b.south() == -90.0)
}

fn pieces_intersect(a: &Piece, b: &Piece) -> bool {
    if a.rect.intersects(&b.rect) && a.geometry.intersects(&b.geometry) {
        return true;
    }
    let meet_at = |east: &Piece, west: &Piece| east.rect.max().x == 180.0 && west.rect.min().x == -180.0;
    (meet_at(a, b) && a.geometry.intersects(&turned(b, 360.0))) || (meet_at(b, a) && a.geometry.intersects(&turned(b, -360.0)))
}

/// The piece as it lies one turn around the globe from where it is.
fn turned(piece: &Piece, degrees: f64) -> Geometry<f64> {
    piece.geometry.map_coords(|at| geo::Coord { x: at.x + degrees, y: at.y })
}

/// Every point of `inner` is in `outer`. Pieces are looked at one by one: a line that needs a polygon and a line of a mixed
/// collection together is not found to be covered.
fn covers(outer: &Shape, inner: &Shape) -> bool {
    match (outer.form(), inner.form()) {
        (Form::Rectangle, _) => inner.piece_boxes().iter().all(|piece| outer.bbox().contains(piece)),
        (Form::Pieces(outer_pieces), _) => {
            let outer_boxes = outer.piece_boxes();
            let union = Union::of(outer_pieces);
            inner.pieces().iter().all(|piece| {
                if is_a_pole(piece) {
                    return outer_boxes
                        .iter()
                        .any(|outer| outer.north() == piece.rect.min().y || outer.south() == piece.rect.max().y);
                }
                union.covers(&piece.geometry) || on_the_antimeridian(piece).is_some_and(|turn| union.covers(&turned(piece, turn)))
            })
        }
    }
}

fn is_a_pole(piece: &Piece) -> bool {
    piece.rect.min().y == 90.0 || piece.rect.max().y == -90.0
}

/// The turn that takes a piece of the antimeridian to its other side.
fn on_the_antimeridian(piece: &Piece) -> Option<f64> {
    let (west, east) = (piece.rect.min().x, piece.rect.max().x);
    (west == east && west.abs() == 180.0).then_some(-2.0 * west)
}

/// The pieces of a shape by kind, each kind as one geometry.
struct Union<'a> {
    pieces: &'a [Piece],
    polygons: Option<MultiPolygon<f64>>,
    lines: Option<MultiLineString<f64>>,
}

impl<'a> Union<'a> {
    fn of(pieces: &'a [Piece]) -> Self {
        let (mut polygons, mut lines) = (Vec::new(), Vec::new());
        for piece in pieces {
            match &piece.geometry {
                Geometry::Polygon(polygon) => polygons.push(polygon.clone()),
                Geometry::LineString(line) => lines.push(line.clone()),
                _ => {}
            }
        }
        Self {
            pieces,
            polygons: (polygons.len() > 1).then_some(MultiPolygon(polygons)),
            lines: (lines.len() > 1).then_some(MultiLineString(lines)),
        }
    }

    fn covers(&self, inner: &Geometry<f64>) -> bool {
        self.pieces.iter().any(|piece| piece.geometry.covers(inner))
            || self.polygons.as_ref().is_some_and(|polygons| Geometry::MultiPolygon(polygons.clone()).covers(inner))
            || self.lines.as_ref().is_some_and(|lines| Geometry::MultiLineString(lines.clone()).covers(inner))
    }
}
