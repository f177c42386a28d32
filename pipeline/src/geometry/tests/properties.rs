use geo::Area as _;
use proptest::prelude::*;
use serde_json::json;

use super::shape;
use crate::{
    geometry::{Shape, fit, read_geometry, relates},
    model::{bbox::BBox, place::Relation},
};

fn boxes() -> impl Strategy<Value = BBox> {
    // A coarse grid, so that shared edges, the antimeridian and the poles come up often.
    let longitude = (-18..=18i32).prop_map(|tens| f64::from(tens) * 10.0);
    let latitude = (-9..=9i32).prop_map(|tens| f64::from(tens) * 10.0);
    (longitude.clone(), latitude.clone(), longitude, latitude)
        .prop_map(|(west, a, east, b)| BBox::new(west, a.min(b), east, a.max(b)).unwrap())
}

/// Centres of half-degree-shifted cells: no point lies on an edge of the grid of [`boxes`].
fn samples() -> impl Iterator<Item = (f64, f64)> {
    (0..36).flat_map(|x| (0..18).map(move |y| (f64::from(x) * 10.0 - 175.0, f64::from(y) * 10.0 - 85.0)))
}

proptest! {
    #[test]
    fn relations_keep_their_laws(a in boxes(), b in boxes()) {
        let (a, b) = (Shape::from_bbox(a), Shape::from_bbox(b));
        prop_assert_eq!(relates(&a, Relation::Intersects, &b), relates(&b, Relation::Intersects, &a));
        prop_assert_eq!(relates(&a, Relation::Disjoint, &b), !relates(&a, Relation::Intersects, &b));
        prop_assert_eq!(relates(&a, Relation::Within, &b), relates(&b, Relation::Contains, &a));
        prop_assert!(!relates(&a, Relation::Within, &b) || relates(&a, Relation::Intersects, &b));
        prop_assert!(relates(&a, Relation::Within, &a) && relates(&a, Relation::Contains, &a));
    }

    #[test]
    fn boxes_and_polygons_agree(a in boxes(), b in boxes()) {
        // The same boxes, one of them through the exact path: a fifth corner keeps it from being taken for a box.
        let exact = |bbox: &BBox| (bbox.width() > 0.0 && bbox.height() > 0.0).then(|| {
            let (west, east) = (bbox.west(), bbox.west() + bbox.width());
            let (south, north) = (bbox.south(), bbox.north());
            // Corners at thirds, so that no edge is longer than half the globe.
            let [third, two_thirds] = [1.0, 2.0].map(|part| west + (east - west) * part / 3.0);
            let ring = json!([[
                [west, south], [third, south], [two_thirds, south], [east, south],
                [east, north], [two_thirds, north], [third, north], [west, north], [west, south],
            ]]);
            shape(&json!({"type":"Polygon","coordinates":ring}).to_string())
        });
        let Some(exact_a) = exact(&a) else { return Ok(()) };
        prop_assert_eq!(exact_a.bbox(), a);
        let (box_a, box_b) = (Shape::from_bbox(a), Shape::from_bbox(b));
        for relation in Relation::ALL {
            prop_assert_eq!(relates(&exact_a, relation, &box_b), relates(&box_a, relation, &box_b), "{} {} {}", a, relation, b);
            prop_assert_eq!(relates(&box_b, relation, &exact_a), relates(&box_b, relation, &box_a), "{} {} {}", b, relation, a);
        }
    }

    #[test]
    fn relations_agree_with_sampled_points(a in boxes(), b in boxes()) {
        let (shape_a, shape_b) = (Shape::from_bbox(a), Shape::from_bbox(b));
        let point = |longitude, latitude| Shape::from_bbox(BBox::point(longitude, latitude).unwrap());
        for (longitude, latitude) in samples() {
            let in_a = relates(&point(longitude, latitude), Relation::Within, &shape_a);
            let in_b = relates(&point(longitude, latitude), Relation::Within, &shape_b);
            prop_assert_eq!(in_a, a.contains_point(longitude, latitude));
            prop_assert!(!(in_a && in_b) || relates(&shape_a, Relation::Intersects, &shape_b));
            prop_assert!((!in_a || in_b) || !relates(&shape_a, Relation::Within, &shape_b));
        }
    }

    #[test]
    fn fit_is_bounded_and_one_for_the_same(a in boxes(), b in boxes()) {
        let (a, b) = (Shape::from_bbox(a), Shape::from_bbox(b));
        prop_assert!((0.0..=1.0).contains(&fit(&a, &b)));
        // A parallel's whole width at a pole has no area to compare.
        prop_assume!(a.bbox().height() > 0.0 || a.bbox().north().abs() < 90.0);
        prop_assert!(fit(&a, &a) > 0.999);
    }

    #[test]
    fn exteriors_are_counter_clockwise_and_keep_their_area(
        corners in prop::collection::vec((0.0..360.0f64, 1.0..20.0f64), 3..12),
        at in (-180.0..180.0f64, -60.0..60.0f64),
        clockwise in any::<bool>(),
    ) {
        // A star around a point: sorted by angle it never crosses itself, wherever the antimeridian runs through it.
        let mut corners = corners;
        corners.sort_by(|a, b| a.0.total_cmp(&b.0));
        corners.dedup_by(|a, b| (a.0 - b.0).abs() < 1.0);
        let widest = corners.iter().zip(corners.iter().cycle().skip(1)).map(|(a, b)| (b.0 - a.0).rem_euclid(360.0)).fold(0.0, f64::max);
        prop_assume!(corners.len() >= 3 && widest < 179.0);
        let mut ring: Vec<[f64; 2]> = corners.iter().map(|(angle, length)| [at.0 + length * angle.to_radians().cos(), at.1 + length * angle.to_radians().sin()]).collect();
        ring.push(ring[0]);
        if clockwise {
            ring.reverse();
        }
        let planar: geo::Geometry<f64> = geojson::Geometry::new_polygon([ring.clone()]).try_into().unwrap();
        let folded: Vec<Vec<f64>> = ring.iter().map(|[x, y]| vec![crate::model::bbox::normalise_longitude(*x), *y]).collect();
        let (geometry, bbox, _) = read_geometry(&json!({"type":"Polygon","coordinates":[folded]})).unwrap();
        let read: geo::Geometry<f64> = geometry.try_into().unwrap();
        prop_assert!((read.signed_area() - planar.unsigned_area()).abs() < 1e-6, "{} {}", read.signed_area(), planar.unsigned_area());
        prop_assert!(bbox.width() <= 41.0, "{}", bbox);
    }
}
