//! Which footprints have a relation to an area, and how well they fit it: an R-tree over boxes, then exact shapes.
//!
//! Elements with the same footprint share it, so that a catalogue full of world-wide elements asks once for all of them.

mod area;
mod tree;

use std::collections::HashMap;

use sha2::{Digest, Sha256};

use crate::{
    engines::attributes::{Attributes, best::Best, row_set::RowSet},
    geometry::{Shape, fit},
    model::{element::Spatial, place::Relation},
};
pub use area::PreparedArea;
use tree::{Candidate, Tree};

/// A footprint ready to be put: read and, where it is not a box, repaired.
pub struct Prepared {
    shape: Shape,
    key: Key,
}

/// The same for footprints that are the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    /// The bits of west, south, east, north.
    Box([u64; 4]),
    /// SHA-256 of the GeoJSON.
    Geometry([u8; 32]),
}

impl Prepared {
    /// `None` when the element has no footprint, or one that cannot be read.
    pub fn new(spatial: &Spatial) -> Option<Self> {
        let shape = Shape::from_spatial(spatial)?;
        let key = match &spatial.geometry {
            Some(geometry) if !shape.is_box() => Key::Geometry(Sha256::digest(geometry.to_string()).into()),
            _ => Key::Box(<[f64; 4]>::from(shape.bbox()).map(f64::to_bits)),
        };
        Some(Self { shape, key })
    }
}

#[derive(Default)]
pub struct Footprints {
    of_row: Vec<Option<u32>>,
    footprints: Vec<Option<Footprint>>,
    free: Vec<u32>,
    numbers: HashMap<Key, u32>,
    tree: Tree,
    rows: RowSet,
}

struct Footprint {
    key: Key,
    shape: Shape,
    /// The elements that have it, in the order of their ids.
    rows: Vec<u32>,
}

impl Footprints {
    /// Puts the footprint of a row that had none. The row's element is in `attributes` already.
    pub fn put(&mut self, row: u32, prepared: Prepared, attributes: &Attributes) {
        let number = self.number(prepared);
        if let Some(footprint) = self.footprint_mut(number) {
            let id = attributes.id(row);
            let at = footprint.rows.partition_point(|other| attributes.id(*other) < id);
            footprint.rows.insert(at, row);
        }
        self.set(row, Some(number));
    }

    /// Puts many at once into an empty index: each list of rows is sorted once.
    pub fn fill(&mut self, prepared: Vec<(u32, Prepared)>, attributes: &Attributes) {
        for (row, prepared) in prepared {
            let number = self.number(prepared);
            if let Some(footprint) = self.footprint_mut(number) {
                footprint.rows.push(row);
            }
            self.set(row, Some(number));
        }
        for footprint in self.footprints.iter_mut().flatten() {
            footprint.rows.sort_unstable_by(|a, b| attributes.id(*a).cmp(attributes.id(*b)));
        }
    }

    /// To be called while the row's element is still in `attributes`, or its row not yet given to another.
    pub fn remove(&mut self, row: u32) {
        let Some(number) = self.of_row.get(row as usize).copied().flatten() else { return };
        self.set(row, None);
        let Some(footprint) = self.footprint_mut(number) else { return };
        footprint.rows.retain(|other| *other != row);
        if footprint.rows.is_empty()
            && let Some(gone) = self.footprints.get_mut(number as usize).and_then(Option::take)
        {
            self.numbers.remove(&gone.key);
            self.tree.remove(number, &gone.shape.bbox());
            self.free.push(number);
        }
    }

    /// The rows that have a footprint.
    pub fn rows(&self) -> &RowSet {
        &self.rows
    }

    /// The rows whose footprint has the relation to the area.
    pub fn matching(&self, area: &PreparedArea, relation: Relation) -> RowSet {
        if relation != Relation::Disjoint {
            return rows_of(&self.related(area, relation));
        }
        let mut rows = self.rows.clone();
        rows.subtract(&rows_of(&self.related(area, Relation::Intersects)));
        rows
    }

    /// The best fitting rows of `among` whose footprint has the relation to the area, and how many have it. What is disjoint does
    /// not fit at all and comes in the order of ids.
    pub fn nearest(
        &self,
        area: &PreparedArea,
        relation: Relation,
        among: &RowSet,
        attributes: &Attributes,
        limit: usize,
    ) -> (Vec<(u32, f32)>, u64) {
        let mut best = Best::new(attributes, limit);
        if relation == Relation::Disjoint {
            let mut rows = self.matching(area, relation);
            rows.intersect(among);
            rows.iter().for_each(|row| best.push(row, 0.0));
            return (best.finish(), rows.len());
        }
        let related = self.related(area, relation);
        let mut fitting: Vec<(f32, &Footprint)> =
            related.into_iter().map(|footprint| (fit(&footprint.shape, area.shape()), footprint)).collect();
        fitting.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
        let mut total = 0;
        let mut shown = 0;
        let mut last_fit = f32::INFINITY;
        for (fit, footprint) in fitting {
            let mut passing = footprint.rows.iter().filter(|row| among.contains(**row));
            // once the list is full, only those that tie with its last can still be in it
            if shown < limit || fit == last_fit {
                last_fit = fit;
                for row in passing.by_ref().take(limit) {
                    best.push(*row, fit);
                    shown += 1;
                    total += 1;
                }
            }
            total += passing.count() as u64;
        }
        (best.finish(), total)
    }

    /// The footprints with the relation to the area; not for disjoint, which is the rest.
    fn related(&self, area: &PreparedArea, relation: Relation) -> Vec<&Footprint> {
        let related = |candidate: Candidate| {
            let footprint = self.footprint(candidate.number)?;
            area.is_related(relation, &footprint.shape, candidate.boxes_overlap).then_some(footprint)
        };
        self.tree.candidates(&area.shape().bbox()).into_iter().filter_map(related).collect()
    }

    fn number(&mut self, prepared: Prepared) -> u32 {
        if let Some(number) = self.numbers.get(&prepared.key) {
            return *number;
        }
        let number = self.free.pop().unwrap_or_else(|| {
            self.footprints.push(None);
            (self.footprints.len() - 1) as u32
        });
        self.tree.insert(number, &prepared.shape.bbox());
        self.numbers.insert(prepared.key.clone(), number);
        if let Some(slot) = self.footprints.get_mut(number as usize) {
            *slot = Some(Footprint { key: prepared.key, shape: prepared.shape, rows: Vec::new() });
        }
        number
    }

    fn footprint(&self, number: u32) -> Option<&Footprint> {
        self.footprints.get(number as usize)?.as_ref()
    }

    fn footprint_mut(&mut self, number: u32) -> Option<&mut Footprint> {
        self.footprints.get_mut(number as usize)?.as_mut()
    }

    fn set(&mut self, row: u32, number: Option<u32>) {
        let at = row as usize;
        if at >= self.of_row.len() {
            self.of_row.resize(at + 1, None);
        }
        if let Some(slot) = self.of_row.get_mut(at) {
            *slot = number;
        }
        match number {
            Some(_) => self.rows.insert(row),
            None => self.rows.remove(row),
        }
    }
}

fn rows_of(footprints: &[&Footprint]) -> RowSet {
    footprints.iter().flat_map(|footprint| &footprint.rows).copied().collect()
}
