//! The rows that pass a filter, kept between the calls of one search: each of its methods asks for the same.

use std::sync::{Arc, Mutex, PoisonError};

use crate::{engines::attributes::row_set::RowSet, model::query::Filter};

/// Filters kept at once; the oldest goes.
const KEPT: usize = 16;

/// Part of the state, so that it is empty after every change of it.
#[derive(Default)]
pub struct Passing {
    kept: Mutex<Vec<(Filter, Arc<RowSet>)>>,
}

impl Passing {
    pub fn get(&self, filter: &Filter) -> Option<Arc<RowSet>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|(other, _)| other == filter).map(|(_, rows)| Arc::clone(rows))
    }

    pub fn put(&self, filter: &Filter, rows: &Arc<RowSet>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= KEPT {
            kept.remove(0);
        }
        kept.push((filter.clone(), Arc::clone(rows)));
    }

    pub fn clear(&mut self) {
        self.kept.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
    }
}
