//! The best rows of many, ties by id.

use std::cmp::Ordering;

use super::Attributes;

/// Keeps the `limit` best of the rows it is shown. Cost: constant a row on average; ids are compared under ties only.
pub struct Best<'a> {
    attributes: &'a Attributes,
    limit: usize,
    kept: Vec<(u32, f32)>,
    /// The last of the best so far: nothing after it can still be among them.
    floor: Option<(u32, f32)>,
}

impl<'a> Best<'a> {
    pub fn new(attributes: &'a Attributes, limit: usize) -> Self {
        Self { attributes, limit, kept: Vec::new(), floor: None }
    }

    #[inline]
    pub fn push(&mut self, row: u32, score: f32) {
        if let Some(floor) = self.floor {
            let is_behind = score < floor.1 || (score == floor.1 && compare(self.attributes, (row, score), floor).is_ge());
            if is_behind {
                return;
            }
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
            let (_, floor, _) = self.kept.select_nth_unstable_by(last, |a, b| compare(attributes, *a, *b));
            self.floor = Some(*floor);
            self.kept.truncate(self.limit);
        }
    }
}

fn compare(attributes: &Attributes, a: (u32, f32), b: (u32, f32)) -> Ordering {
    b.1.total_cmp(&a.1).then_with(|| attributes.id(a.0).cmp(attributes.id(b.0)))
}
