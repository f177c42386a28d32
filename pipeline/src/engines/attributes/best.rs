//! The best rows of many, ties by id.

use std::cmp::Ordering;

use super::Attributes;

/// Keeps the `limit` best of the rows it is shown. Cost: constant a row on average; ids are compared under ties only.
pub struct Best<'a> {
    attributes: &'a Attributes,
    limit: usize,
    kept: Vec<(u32, f32)>,
    /// The least score that can still be among the best.
    floor: f32,
}

impl<'a> Best<'a> {
    pub fn new(attributes: &'a Attributes, limit: usize) -> Self {
        Self { attributes, limit, kept: Vec::new(), floor: f32::NEG_INFINITY }
    }

    #[inline]
    pub fn push(&mut self, row: u32, score: f32) {
        if score < self.floor {
            return;
        }
        self.kept.push((row, score));
        if self.kept.len() > self.limit.saturating_mul(2).saturating_add(256) {
            self.prune();
        }
    }

    /// The best of both.
    pub fn merged(mut self, other: Self) -> Self {
        for (row, score) in other.kept {
            self.push(row, score);
        }
        self
    }

    /// Best first.
    pub fn finish(mut self) -> Vec<(u32, f32)> {
        self.prune();
        let attributes = self.attributes;
        self.kept.sort_unstable_by(|a, b| compare(attributes, *a, *b));
        self.kept
    }

    fn prune(&mut self) {
        let attributes = self.attributes;
        let Some(last) = self.limit.checked_sub(1) else {
            self.kept.clear();
            return;
        };
        if self.kept.len() > self.limit {
            let (_, (_, floor), _) = self.kept.select_nth_unstable_by(last, |a, b| compare(attributes, *a, *b));
            self.floor = *floor;
            self.kept.truncate(self.limit);
        }
    }
}

fn compare(attributes: &Attributes, a: (u32, f32), b: (u32, f32)) -> Ordering {
    b.1.total_cmp(&a.1).then_with(|| attributes.id(a.0).cmp(attributes.id(b.0)))
}
