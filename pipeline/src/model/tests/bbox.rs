use proptest::prelude::*;

use crate::model::bbox::{BBox, normalise_longitude};

fn bbox(text: &str) -> BBox {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn boxes_are_read_as_meant() {
    let cases = [
        ("0,0,10,10", "0,0,10,10"),
        (" 0 , 0 , 10 , 10 ", "0,0,10,10"),
        ("170,60,-170,70", "170,60,-170,70"),
        ("170,60,190,70", "170,60,-170,70"),
        ("-190,60,-170,70", "170,60,-170,70"),
        ("200,0,220,10", "-160,0,-140,10"),
        ("0,-90,360,90", "-180,-90,180,90"),
        ("-180,-90,180,90", "-180,-90,180,90"),
        ("-360,-10,360,10", "-180,-10,180,10"),
        ("180,0,-170,10", "-180,0,-170,10"),
        ("170,0,-180,10", "170,0,180,10"),
        ("180,5,180,5", "180,5,180,5"),
    ];
    for (input, expected) in cases {
        assert_eq!(bbox(input).to_string(), expected, "{input}");
    }
}

#[test]
fn what_is_no_box_says_why() {
    let cases = [
        ("0,0,10", "four numbers"),
        ("0,0,10,10,20", "four numbers"),
        ("a,b,c,d", "four numbers"),
        ("", "four numbers"),
        ("NaN,0,10,10", "finite"),
        ("0,0,inf,10", "finite"),
        ("40,-100,50,-90", "swapped"),
        ("-180,-90.5,180,90.5", "between -90 and 90"),
        ("0,10,10,0", "south"),
        ("399960,4590240,509760,4700040", "projected CRS"),
        ("-1e36,-1e36,1e36,1e36", "fill value"),
    ];
    for (input, word) in cases {
        let error = input.parse::<BBox>().expect_err(input);
        assert_eq!(error.field, "bbox", "{input}");
        assert!(error.message.contains(word), "{input}: {}", error.message);
    }
    let swapped = "-180,-90.5,180,90.5".parse::<BBox>().expect_err("beyond the pole");
    assert!(!swapped.message.contains("swapped"), "{}", swapped.message);
}

#[test]
fn a_box_over_the_antimeridian_holds_what_it_should() {
    let pacific = bbox("170,60,-170,70");
    let cases = [
        (175.0, 65.0, true),
        (-175.0, 65.0, true),
        (180.0, 65.0, true),
        (-180.0, 65.0, true),
        (185.0, 65.0, true),
        (0.0, 65.0, false),
        (175.0, 75.0, false),
    ];
    for (longitude, latitude, inside) in cases {
        assert_eq!(pacific.contains_point(longitude, latitude), inside, "{longitude} {latitude}");
    }
    assert_eq!(pacific.split(), [bbox("170,60,180,70"), bbox("-180,60,-170,70")]);
    assert_eq!((pacific.width(), pacific.centre()), (20.0, (180.0, 65.0)));
    assert!(bbox("0,80,10,90").contains_point(-120.0, 90.0), "a pole is one point");
    assert!((BBox::WORLD.area() - 4.0 * std::f64::consts::PI).abs() < 1e-12);
}

#[test]
fn the_wire_form_is_checked() {
    assert_eq!(serde_json::to_string(&bbox("170,60,-170,70")).unwrap(), "[170.0,60.0,-170.0,70.0]");
    assert_eq!(serde_json::from_str::<BBox>("[170,60,190,70]").unwrap(), bbox("170,60,-170,70"));
    assert!(serde_json::from_str::<BBox>("[0,95,10,96]").is_err());
    assert!(serde_json::from_str::<BBox>("[0,0,10]").is_err());
}

fn boxes() -> impl Strategy<Value = BBox> {
    (-540.0..540.0f64, -90.0..90.0f64, 0.0..360.0f64, 0.0..90.0f64)
        .prop_filter_map("within 540", |(west, south, width, height)| {
            BBox::new(west, south, west + width, (south + height).min(90.0)).ok()
        })
}

/// Points on a grid that meets no random edge.
fn samples() -> impl Iterator<Item = (f64, f64)> {
    (0..60).flat_map(|x| (0..30).map(move |y| (f64::from(x) * 6.0 - 177.0, f64::from(y) * 6.0 - 87.0)))
}

proptest! {
    #[test]
    fn longitudes_are_normalised(longitude in -5000.0..5000.0f64) {
        let normal = normalise_longitude(longitude);
        prop_assert!((-180.0..=180.0).contains(&normal));
        let turns = (longitude - normal) / 360.0;
        prop_assert!((turns - turns.round()).abs() < 1e-9);
    }

    #[test]
    fn the_two_parts_are_the_box(bbox in boxes()) {
        let parts = bbox.split();
        prop_assert!(parts.iter().all(|part| !part.crosses_antimeridian()));
        prop_assert!((parts.iter().map(BBox::width).sum::<f64>() - bbox.width()).abs() < 1e-9);
        prop_assert!((parts.iter().map(BBox::area).sum::<f64>() - bbox.area()).abs() < 1e-9);
        for (longitude, latitude) in samples() {
            let in_a_part = parts.iter().any(|part| part.contains_point(longitude, latitude));
            prop_assert_eq!(in_a_part, bbox.contains_point(longitude, latitude), "{} {} {}", bbox, longitude, latitude);
        }
    }

    #[test]
    fn boxes_agree_with_their_points(a in boxes(), b in boxes()) {
        prop_assert_eq!(a.intersects(&b), b.intersects(&a));
        prop_assert!(a.contains(&a));
        prop_assert!(!a.contains(&b) || a.intersects(&b));
        let shared = a.intersection_area(&b);
        prop_assert!(shared >= 0.0 && shared <= a.area().min(b.area()) + 1e-9);
        prop_assert!((shared - b.intersection_area(&a)).abs() < 1e-12);
        for (longitude, latitude) in samples() {
            let (in_a, in_b) = (a.contains_point(longitude, latitude), b.contains_point(longitude, latitude));
            prop_assert!(!(in_a && in_b) || a.intersects(&b), "{} {}", a, b);
            prop_assert!((!in_b || in_a) || !a.contains(&b), "{} {}", a, b);
        }
    }

    #[test]
    fn written_boxes_read_back_the_same(bbox in boxes()) {
        prop_assert_eq!(bbox.to_string().parse::<BBox>().unwrap(), bbox);
        // serde_json is exact to 15 digits only (without its feature float_roundtrip): far below a millimetre.
        let [west, south, east, north] = <[f64; 4]>::from(bbox).map(|degrees| (degrees * 1e9).round() / 1e9);
        let rounded = BBox::new(west, south, east, north).unwrap();
        let json = serde_json::to_string(&rounded).unwrap();
        prop_assert_eq!(serde_json::from_str::<BBox>(&json).unwrap(), rounded);
    }
}
