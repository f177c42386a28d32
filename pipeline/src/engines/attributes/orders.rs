//! The orders a catalogue can be browsed in, kept sorted.

use std::{cmp::Reverse, collections::BTreeSet, sync::Arc};

use super::row_set::RowSet;
use crate::model::query::Sort;

/// What an element is sorted by.
#[derive(Clone, Debug)]
pub struct OrderKeys {
    pub click_count: u64,
    pub updated_us: i64,
    pub title_key: Arc<str>,
}

impl Default for OrderKeys {
    fn default() -> Self {
        Self { click_count: 0, updated_us: i64::MIN, title_key: Arc::from("") }
    }
}

/// Key, then id, so that the order is the same under ties.
#[derive(Default)]
pub struct Orders {
    popular: BTreeSet<(Reverse<u64>, Arc<str>, u32)>,
    newest: BTreeSet<(Reverse<i64>, Arc<str>, u32)>,
    title: BTreeSet<(Arc<str>, Arc<str>, u32)>,
}

impl Orders {
    pub fn insert(&mut self, keys: &OrderKeys, id: &Arc<str>, row: u32) {
        self.popular.insert((Reverse(keys.click_count), Arc::clone(id), row));
        self.newest.insert((Reverse(keys.updated_us), Arc::clone(id), row));
        self.title.insert((Arc::clone(&keys.title_key), Arc::clone(id), row));
    }

    pub fn remove(&mut self, keys: &OrderKeys, id: &Arc<str>, row: u32) {
        self.popular.remove(&(Reverse(keys.click_count), Arc::clone(id), row));
        self.newest.remove(&(Reverse(keys.updated_us), Arc::clone(id), row));
        self.title.remove(&(Arc::clone(&keys.title_key), Arc::clone(id), row));
    }

    /// The rows of `among` from `offset` on, at most `limit`, with what they are sorted by where that is a number.
    pub fn page(&self, sort: Sort, among: &RowSet, offset: usize, limit: usize) -> Vec<(u32, f32)> {
        fn cut(rows: impl Iterator<Item = (u32, f32)>, among: &RowSet, offset: usize, limit: usize) -> Vec<(u32, f32)> {
            rows.filter(|(row, _)| among.contains(*row)).skip(offset).take(limit).collect()
        }
        match sort {
            Sort::Relevance | Sort::Popular => {
                cut(self.popular.iter().map(|(count, _, row)| (*row, count.0 as f32)), among, offset, limit)
            }
            Sort::Newest => cut(self.newest.iter().map(|(_, _, row)| (*row, 0.0)), among, offset, limit),
            Sort::Title => cut(self.title.iter().map(|(_, _, row)| (*row, 0.0)), among, offset, limit),
        }
    }
}
