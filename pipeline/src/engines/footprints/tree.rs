//! Boxes in the plane, cut at the antimeridian.

use rstar::{AABB, RTree, primitives::GeomWithData, primitives::Rectangle};

use crate::model::bbox::BBox;

type Leaf = GeomWithData<Rectangle<[f64; 2]>, u32>;

/// An R-tree in which a box across the antimeridian has two leaves of one number.
#[derive(Default)]
pub struct Tree {
    leaves: RTree<Leaf>,
}

/// A box that may meet the one that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub number: u32,
    /// The boxes share a point of the plane; otherwise they may meet at the antimeridian or at a pole.
    pub boxes_overlap: bool,
}

impl Tree {
    pub fn insert(&mut self, number: u32, bbox: &BBox) {
        for part in bbox.split() {
            self.leaves.insert(leaf(number, &part));
        }
    }

    pub fn remove(&mut self, number: u32, bbox: &BBox) {
        for part in bbox.split() {
            self.leaves.remove(&leaf(number, &part));
        }
    }

    /// Every number at most once, in ascending order.
    pub fn candidates(&self, bbox: &BBox) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        let mut gather = |envelope: AABB<[f64; 2]>, boxes_overlap: bool| {
            let found = self.leaves.locate_in_envelope_intersecting(&envelope);
            candidates.extend(found.map(|leaf| Candidate { number: leaf.data, boxes_overlap }));
        };
        for part in bbox.split() {
            gather(AABB::from_corners([part.west(), part.south()], [part.east(), part.north()]), true);
            // the meridians −180 and 180 are one
            if part.west() == -180.0 {
                gather(AABB::from_corners([180.0, part.south()], [180.0, part.north()]), false);
            }
            if part.east() == 180.0 {
                gather(AABB::from_corners([-180.0, part.south()], [-180.0, part.north()]), false);
            }
        }
        // a pole is one point of every meridian
        for pole in [90.0, -90.0] {
            if bbox.north() == pole || bbox.south() == pole {
                gather(AABB::from_corners([-180.0, pole], [180.0, pole]), false);
            }
        }
        candidates.sort_unstable_by_key(|candidate| (candidate.number, !candidate.boxes_overlap));
        candidates.dedup_by_key(|candidate| candidate.number);
        candidates
    }
}

fn leaf(number: u32, part: &BBox) -> Leaf {
    Leaf::new(Rectangle::from_corners([part.west(), part.south()], [part.east(), part.north()]), number)
}
