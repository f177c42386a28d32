//! Faults of a polygon's rings, in the plane before any cut.

use geo::{
    Area, BooleanOps, Coord, Intersects, Line, LineString, MultiPolygon, Polygon,
    line_intersection::{LineIntersection, line_intersection},
    unary_union,
};

/// How the rings of a polygon meet themselves and each other where they should not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Meeting {
    /// Not, or in single points between two rings, which is allowed.
    None,
    /// A ring touches itself, or rings share an edge or cross each other: what is meant stays clear.
    Touches,
    /// A ring crosses itself: what is inside is anybody's guess.
    CrossesItself,
}

struct Edge {
    line: Line<f64>,
    ring: usize,
    at: usize,
    ring_len: usize,
}

/// Compares only edges whose longitudes overlap, in order of their western ends.
pub(super) fn meeting(rings: &[LineString<f64>]) -> Meeting {
    let mut edges: Vec<Edge> = Vec::new();
    for (ring, points) in rings.iter().enumerate() {
        let ring_len = points.0.len().saturating_sub(1);
        edges.extend(points.lines().enumerate().map(|(at, line)| Edge { line, ring, at, ring_len }));
    }
    let west = |edge: &Edge| edge.line.start.x.min(edge.line.end.x);
    let east = |edge: &Edge| edge.line.start.x.max(edge.line.end.x);
    edges.sort_by(|a, b| west(a).total_cmp(&west(b)));
    let mut worst = Meeting::None;
    for (index, a) in edges.iter().enumerate() {
        let limit = east(a);
        for b in edges.iter().skip(index + 1).take_while(|b| west(b) <= limit) {
            worst = worst.max(edges_meet(a, b));
            if worst == Meeting::CrossesItself {
                return worst;
            }
        }
    }
    worst
}

fn edges_meet(a: &Edge, b: &Edge) -> Meeting {
    let same_ring = a.ring == b.ring;
    let gap = a.at.abs_diff(b.at);
    let neighbours = same_ring && (gap == 1 || gap + 1 == a.ring_len);
    match line_intersection(a.line, b.line) {
        None => Meeting::None,
        Some(LineIntersection::SinglePoint { is_proper: true, .. }) if same_ring => Meeting::CrossesItself,
        Some(LineIntersection::SinglePoint { is_proper: true, .. }) => Meeting::Touches,
        Some(LineIntersection::SinglePoint { .. }) if neighbours || !same_ring => Meeting::None,
        Some(LineIntersection::SinglePoint { .. }) => Meeting::Touches,
        Some(LineIntersection::Collinear { intersection }) if intersection.start == intersection.end => Meeting::None,
        Some(LineIntersection::Collinear { .. }) => Meeting::Touches,
    }
}

/// The area inside the exterior and in no hole, as valid polygons; lobes that touch in a point become polygons of their own.
pub(super) fn rebuilt(exterior: &LineString<f64>, holes: &[LineString<f64>]) -> MultiPolygon<f64> {
    let nothing = MultiPolygon::<f64>(Vec::new());
    let filled = |ring: &LineString<f64>| Polygon::new(ring.clone(), Vec::new()).union(&nothing);
    holes.iter().fold(filled(exterior), |area, hole| area.difference(&filled(hole)))
}

/// The box a ring spans when its four corners are a box's corners in crossing order.
pub(super) fn box_in_crossing_order(ring: &LineString<f64>) -> Option<[Coord<f64>; 5]> {
    let [a, b, c, d, _] = ring.0.as_slice() else { return None };
    let (west, east) = (a.x.min(b.x).min(c.x).min(d.x), a.x.max(b.x).max(c.x).max(d.x));
    let (south, north) = (a.y.min(b.y).min(c.y).min(d.y), a.y.max(b.y).max(c.y).max(d.y));
    let corners = [(west, south), (east, south), (east, north), (west, north)].map(|(x, y)| Coord { x, y });
    let all_there = corners.iter().all(|corner| [a, b, c, d].contains(&corner));
    let [sw, se, ne, nw] = corners;
    all_there.then_some([sw, se, ne, nw, sw])
}

/// Counter-clockwise, or clockwise for a hole.
pub(super) fn directed(mut ring: LineString<f64>, is_hole: bool) -> LineString<f64> {
    let counter_clockwise = Polygon::new(ring.clone(), Vec::new()).signed_area() > 0.0;
    if counter_clockwise == is_hole {
        ring.0.reverse();
    }
    ring
}

/// Polygons that overlap or share an edge become one; those apart or touching in points stay as they are, to the bit.
/// Tells whether anything was merged.
pub(super) fn merged(polygons: Vec<Polygon<f64>>) -> (Vec<Polygon<f64>>, bool) {
    let mut ordered: Vec<(f64, f64, &Polygon<f64>)> = Vec::with_capacity(polygons.len());
    for polygon in &polygons {
        let xs = polygon.exterior().0.iter().map(|at| at.x);
        let (west, east) = xs.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        ordered.push((west, east, polygon));
    }
    ordered.sort_by(|a, b| a.0.total_cmp(&b.0));
    let meet = ordered.iter().enumerate().any(|(index, (_, east, a))| {
        ordered.iter().skip(index + 1).take_while(|(west, ..)| west <= east).any(|(.., b)| a.intersects(*b))
    });
    if !meet {
        return (polygons, false);
    }
    let union = unary_union(&polygons).0;
    if union.len() == polygons.len() { (polygons, false) } else { (union, true) }
}
