use super::shape::Shape;
use crate::model::bbox::BBox;

/// Sides shorter than this count as this long, about a kilometre: points and lines have an area to compare.
const LEAST_SIDE_DEGREES: f64 = 0.01;

/// How well the footprint fits the area, 0 (apart) to 1 (the same box), from the boxes of both on the sphere.
///
/// The mean of two shares: intersection over union, and the part of the footprint that lies in the area. The first alone
/// would rank a world-wide footprint above a village in the province that was asked for, since both cover little of the union; with the
/// second, whatever lies inside the area has at least ½ and a world-wide footprint comes last. A point or line inside the area
/// has ½; where the area itself is a point, smaller footprints around it come first.
pub fn fit(footprint: &Shape, area: &Shape) -> f32 {
    let (footprint, area) = (widened(&footprint.bbox()), widened(&area.bbox()));
    let shared = footprint.intersection_area(&area);
    let footprint_area = footprint.area();
    let union = footprint_area + area.area() - shared;
    if shared <= 0.0 || union <= 0.0 || footprint_area <= 0.0 {
        return 0.0;
    }
    (f64::midpoint(shared / union, shared / footprint_area) as f32).clamp(0.0, 1.0)
}

fn widened(bbox: &BBox) -> BBox {
    let missing = |side: f64| (LEAST_SIDE_DEGREES - side).max(0.0) / 2.0;
    let (dx, dy) = (missing(bbox.width()), missing(bbox.height()));
    if dx == 0.0 && dy == 0.0 {
        return *bbox;
    }
    // A side at a pole cannot grow beyond it.
    let (south, north) = ((bbox.south() - dy).max(-90.0), (bbox.north() + dy).min(90.0));
    BBox::new(bbox.west() - dx, south, bbox.west() + bbox.width() + dx, north).unwrap_or(*bbox)
}
