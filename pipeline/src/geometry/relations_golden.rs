//! Relations as data: what every engine and every interface must answer. Used by the tests of [`super::relates`] and by the
//! conformance suite of the search index.

use crate::model::place::Relation;

/// Footprint and area as GeoJSON geometries or, in brackets, as boxes `[west, south, east, north]`.
pub struct Golden {
    pub name: &'static str,
    pub footprint: &'static str,
    pub area: &'static str,
    pub intersects: bool,
    /// The footprint lies within the area.
    pub within: bool,
    /// The footprint contains the area.
    pub contains: bool,
}

impl Golden {
    pub fn expected(&self, relation: Relation) -> bool {
        match relation {
            Relation::Intersects => self.intersects,
            Relation::Within => self.within,
            Relation::Contains => self.contains,
            Relation::Disjoint => !self.intersects,
        }
    }
}

/// Intersects, within and contains in this order.
const fn golden(name: &'static str, footprint: &'static str, area: &'static str, expected: [bool; 3]) -> Golden {
    let [intersects, within, contains] = expected;
    Golden { name, footprint, area, intersects, within, contains }
}

const APART: [bool; 3] = [false, false, false];
const MEET: [bool; 3] = [true, false, false];
const WITHIN: [bool; 3] = [true, true, false];
const CONTAINS: [bool; 3] = [true, false, true];
const EQUAL: [bool; 3] = [true, true, true];

const TRIANGLE: &str = r#"{"type":"Polygon","coordinates":[[[0,0],[10,0],[0,10],[0,0]]]}"#;
const WITH_HOLE: &str =
    r#"{"type":"Polygon","coordinates":[[[0,0],[30,0],[30,30],[0,30],[0,0]],[[10,10],[10,20],[20,20],[20,10],[10,10]]]}"#;
const OVER_THE_SEAM: &str = r#"{"type":"Polygon","coordinates":[[[170,0],[-170,0],[-175,10],[175,10],[170,0]]]}"#;
const SOUTH_CAP: &str = r#"{"type":"Polygon","coordinates":[[[-180,-90],[180,-90],[180,-60],[0,-70],[-180,-60],[-180,-90]]]}"#;
const TWO_ISLANDS: &str =
    r#"{"type":"MultiPolygon","coordinates":[[[[0,0],[2,0],[2,2],[0,2],[0,0]]],[[[8,8],[10,8],[10,10],[8,10],[8,8]]]]}"#;
const DIAGONAL: &str = r#"{"type":"LineString","coordinates":[[0,0],[10,10]]}"#;

pub const GOLDEN: &[Golden] = &[
    // boxes
    golden("the same box", "[0,0,10,10]", "[0,0,10,10]", EQUAL),
    golden("a box inside", "[2,2,8,8]", "[0,0,10,10]", WITHIN),
    golden("a box around", "[-5,-5,15,15]", "[0,0,10,10]", CONTAINS),
    golden("inside, touching two edges", "[0,0,5,5]", "[0,0,10,10]", WITHIN),
    golden("overlapping", "[5,5,15,15]", "[0,0,10,10]", MEET),
    golden("a shared edge", "[10,0,20,10]", "[0,0,10,10]", MEET),
    golden("a shared corner", "[10,10,20,20]", "[0,0,10,10]", MEET),
    golden("apart by a hair", "[10.000001,0,20,10]", "[0,0,10,10]", APART),
    golden("a cross: neither holds a corner of the other", "[-5,4,15,6]", "[4,-5,6,15]", MEET),
    golden("the world", "[-180,-90,180,90]", "[0,0,10,10]", CONTAINS),
    golden("the world is the world", "[-180,-90,180,90]", "[-180,-90,180,90]", EQUAL),
    // points
    golden("a point inside", r#"{"type":"Point","coordinates":[5,5]}"#, "[0,0,10,10]", WITHIN),
    golden("a point on the edge", r#"{"type":"Point","coordinates":[10,5]}"#, "[0,0,10,10]", WITHIN),
    golden("a point on the corner", r#"{"type":"Point","coordinates":[10,10]}"#, "[0,0,10,10]", WITHIN),
    golden("a point outside", r#"{"type":"Point","coordinates":[11,5]}"#, "[0,0,10,10]", APART),
    golden("a box of no size is a point", "[5,5,5,5]", "[0,0,10,10]", WITHIN),
    golden("the same point", "[5,5,5,5]", r#"{"type":"Point","coordinates":[5,5]}"#, EQUAL),
    golden("a footprint around a point", "[0,0,10,10]", r#"{"type":"Point","coordinates":[5,5]}"#, CONTAINS),
    golden("points in and out", r#"{"type":"MultiPoint","coordinates":[[5,5],[15,5]]}"#, "[0,0,10,10]", MEET),
    // polygons that are not boxes
    golden("in the box of a triangle, not in the triangle", "[8,8,9,9]", TRIANGLE, APART),
    golden("a corner of the box on the long side", "[5,5,9,9]", TRIANGLE, MEET),
    golden("in the triangle", "[1,1,4,4]", TRIANGLE, WITHIN),
    golden("a triangle in its box", TRIANGLE, "[0,0,10,10]", WITHIN),
    golden(
        "a clockwise ring is the same triangle",
        r#"{"type":"Polygon","coordinates":[[[0,0],[0,10],[10,0],[0,0]]]}"#,
        TRIANGLE,
        EQUAL,
    ),
    golden(
        "a ring left open is the same triangle",
        r#"{"type":"Polygon","coordinates":[[[0,0],[10,0],[0,10]]]}"#,
        TRIANGLE,
        EQUAL,
    ),
    golden(
        "a polygon that is a box",
        r#"{"type":"Polygon","coordinates":[[[0,0],[10,0],[10,10],[0,10],[0,0]]]}"#,
        "[0,0,10,10]",
        EQUAL,
    ),
    // holes
    golden("a point in the hole is outside", r#"{"type":"Point","coordinates":[15,15]}"#, WITH_HOLE, APART),
    golden("a box in the hole is outside", "[12,12,18,18]", WITH_HOLE, APART),
    golden("a point on the rim of the hole", r#"{"type":"Point","coordinates":[10,15]}"#, WITH_HOLE, WITHIN),
    golden("a box that fills the hole shares its edges", "[10,10,20,20]", WITH_HOLE, MEET),
    golden("a box beside the hole", "[1,1,9,9]", WITH_HOLE, WITHIN),
    golden("a box over the hole", "[5,5,25,25]", WITH_HOLE, MEET),
    golden("a ring does not contain what lies in its hole", WITH_HOLE, "[12,12,18,18]", APART),
    // several parts
    golden("between two islands", "[4,4,6,6]", TWO_ISLANDS, APART),
    golden("on one of two islands", "[0.5,0.5,1.5,1.5]", TWO_ISLANDS, WITHIN),
    golden("both islands in a box", TWO_ISLANDS, "[0,0,10,10]", WITHIN),
    golden("one island in a box", TWO_ISLANDS, "[-1,-1,5,5]", MEET),
    golden("points on both islands", r#"{"type":"MultiPoint","coordinates":[[1,1],[9,9]]}"#, TWO_ISLANDS, WITHIN),
    // lines
    golden("a line through a box", DIAGONAL, "[4,4,6,6]", MEET),
    golden("a line in a box, ends on its corners", DIAGONAL, "[0,0,10,10]", WITHIN),
    golden("a line along an edge", r#"{"type":"LineString","coordinates":[[0,0],[10,0]]}"#, "[0,0,10,10]", WITHIN),
    golden("a line past a box", r#"{"type":"LineString","coordinates":[[0,12],[12,0]]}"#, "[0,0,5,5]", APART),
    golden("a part of the line", r#"{"type":"LineString","coordinates":[[2,2],[4,4]]}"#, DIAGONAL, WITHIN),
    // the antimeridian
    golden("east of the seam", "[175,65,175,65]", "[170,60,-170,70]", WITHIN),
    golden("west of the seam", "[-175,65,-175,65]", "[170,60,-170,70]", WITHIN),
    golden("at Greenwich, not in a box over the seam", "[0,65,0,65]", "[170,60,-170,70]", APART),
    golden("on the seam, written as 180", "[180,65,180,65]", "[170,60,-170,70]", WITHIN),
    golden("on the seam, written as -180", "[-180,65,-180,65]", "[170,60,-170,70]", WITHIN),
    golden("boxes that meet at the seam", "[170,0,180,10]", "[-180,0,-170,10]", MEET),
    golden("boxes over the seam, one inside", "[175,2,-175,8]", "[170,0,-170,10]", WITHIN),
    golden("longitudes beyond 180", "[175,2,185,8]", "[170,0,190,10]", WITHIN),
    golden("a box over the seam and the world", "[170,0,-170,10]", "[-180,-90,180,90]", WITHIN),
    golden("nearly the whole parallel and a box over the seam", "[-179,0,179,10]", "[178,0,-178,10]", MEET),
    golden("a polygon over the seam in a box over the seam", OVER_THE_SEAM, "[165,-5,-165,15]", WITHIN),
    golden("a polygon over the seam does not reach Greenwich", OVER_THE_SEAM, "[-10,0,10,10]", APART),
    golden("in the box of a polygon over the seam, not in it", "[171,8,172,9]", OVER_THE_SEAM, APART),
    golden("a box over the seam in a polygon over the seam", "[176,1,-176,2]", OVER_THE_SEAM, WITHIN),
    golden(
        "a point on the seam, written as -180, in a polygon over it",
        r#"{"type":"Point","coordinates":[-180,5]}"#,
        OVER_THE_SEAM,
        WITHIN,
    ),
    golden(
        "a triangle that meets the other side at the seam",
        r#"{"type":"Polygon","coordinates":[[[180,5],[170,0],[170,10],[180,5]]]}"#,
        "[-180,0,-175,10]",
        MEET,
    ),
    golden(
        "a triangle that ends at the seam below the other side",
        r#"{"type":"Polygon","coordinates":[[[180,5],[170,0],[170,10],[180,5]]]}"#,
        "[-180,6,-175,10]",
        APART,
    ),
    golden("a line over the seam", r#"{"type":"LineString","coordinates":[[175,5],[-175,5]]}"#, "[170,0,-170,10]", WITHIN),
    // the poles
    golden("the pole is one point", r#"{"type":"Point","coordinates":[30,90]}"#, "[-120,80,-110,90]", WITHIN),
    golden("two sectors meet at the pole", "[0,80,10,90]", "[100,80,110,90]", MEET),
    golden("two sectors that end before the pole", "[0,80,10,89]", "[100,80,110,89]", APART),
    golden("the south pole in a cap", "[45,-90,45,-90]", SOUTH_CAP, WITHIN),
    golden("a station in the cap", r#"{"type":"Point","coordinates":[166.7,-77.8]}"#, SOUTH_CAP, WITHIN),
    golden("the cap has an edge that is no parallel", "[-1,-66,1,-64]", SOUTH_CAP, APART),
    golden(
        "a ring around the pole is closed over it",
        r#"{"type":"Polygon","coordinates":[[[0,70],[90,70],[180,70],[-90,70],[0,70]]]}"#,
        "[-180,70,180,90]",
        EQUAL,
    ),
];
