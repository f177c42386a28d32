//! A set of rows, one bit a row.

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowSet {
    blocks: Vec<u64>,
}

impl RowSet {
    pub fn insert(&mut self, row: u32) {
        let block = (row / 64) as usize;
        if block >= self.blocks.len() {
            self.blocks.resize(block + 1, 0);
        }
        if let Some(bits) = self.blocks.get_mut(block) {
            *bits |= 1 << (row % 64);
        }
    }

    pub fn remove(&mut self, row: u32) {
        if let Some(bits) = self.blocks.get_mut((row / 64) as usize) {
            *bits &= !(1 << (row % 64));
        }
    }

    #[inline]
    pub fn contains(&self, row: u32) -> bool {
        self.blocks.get((row / 64) as usize).is_some_and(|bits| bits & (1 << (row % 64)) != 0)
    }

    pub fn len(&self) -> u64 {
        self.blocks.iter().map(|bits| u64::from(bits.count_ones())).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.blocks.iter().all(|bits| *bits == 0)
    }

    /// Keeps the rows that `other` has too.
    pub fn intersect(&mut self, other: &Self) {
        self.blocks.truncate(other.blocks.len());
        for (bits, others) in self.blocks.iter_mut().zip(&other.blocks) {
            *bits &= others;
        }
    }

    /// Drops the rows that `other` has.
    pub fn subtract(&mut self, other: &Self) {
        for (bits, others) in self.blocks.iter_mut().zip(&other.blocks) {
            *bits &= !others;
        }
    }

    /// Keeps the rows for which `keep` holds.
    pub fn retain(&mut self, mut keep: impl FnMut(u32) -> bool) {
        let mut first = 0;
        for bits in &mut self.blocks {
            let mut rest = *bits;
            while rest != 0 {
                let bit = rest.trailing_zeros();
                rest &= rest - 1;
                if !keep(first + bit) {
                    *bits &= !(1 << bit);
                }
            }
            first += 64;
        }
    }

    /// In ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.blocks.iter().zip((0..).step_by(64)).flat_map(|(bits, first)| {
            let mut rest = *bits;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros())?;
                rest &= rest - 1;
                Some(first + bit)
            })
        })
    }
}

impl FromIterator<u32> for RowSet {
    fn from_iter<I: IntoIterator<Item = u32>>(rows: I) -> Self {
        let mut set = Self::default();
        rows.into_iter().for_each(|row| set.insert(row));
        set
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn set(rows: &[u32]) -> RowSet {
        rows.iter().copied().collect()
    }

    proptest::proptest! {
        #[test]
        fn behaves_like_a_set(a: Vec<u8>, b: Vec<u8>) {
            let (a, b): (Vec<u32>, Vec<u32>) = (a.into_iter().map(u32::from).collect(), b.into_iter().map(u32::from).collect());
            let (expected_a, expected_b): (BTreeSet<u32>, BTreeSet<u32>) = (a.iter().copied().collect(), b.iter().copied().collect());
            let (mut both, mut without, mut even) = (set(&a), set(&a), set(&a));
            both.intersect(&set(&b));
            without.subtract(&set(&b));
            even.retain(|row| row % 2 == 0);
            proptest::prop_assert!(both.iter().eq(expected_a.intersection(&expected_b).copied()));
            proptest::prop_assert!(without.iter().eq(expected_a.difference(&expected_b).copied()));
            proptest::prop_assert!(even.iter().eq(expected_a.iter().copied().filter(|row| row % 2 == 0)));
            proptest::prop_assert_eq!(set(&a).len(), expected_a.len() as u64);
        }
    }

    #[test]
    fn forgets_what_is_removed() {
        let mut rows = set(&[3, 64, 1000]);
        rows.remove(64);
        rows.remove(5_000);
        assert!(rows.contains(1000) && !rows.contains(64) && !rows.contains(5_000));
        assert_eq!(rows.iter().collect::<Vec<_>>(), [3, 1000]);
    }
}
