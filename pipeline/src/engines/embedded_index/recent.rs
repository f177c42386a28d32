//! What was worked out lately, so that the calls of one search that ask for the same work it out once.

use std::sync::{Arc, Mutex, PoisonError};

/// Answers kept at once; the oldest goes.
const KEPT: usize = 16;

/// Few enough to be looked through.
pub struct Recent<K, V> {
    kept: Mutex<Vec<(K, Arc<V>)>>,
}

impl<K, V> Default for Recent<K, V> {
    fn default() -> Self {
        Self { kept: Mutex::new(Vec::new()) }
    }
}

impl<K: Clone + PartialEq, V> Recent<K, V> {
    /// Works it out where it is not kept; what fails is not kept. Two calls at once may both work it out.
    pub fn get<E>(&self, key: &K, work_out: impl FnOnce() -> Result<Arc<V>, E>) -> Result<Arc<V>, E> {
        if let Some((_, value)) = self.lock().iter().find(|(other, _)| other == key) {
            return Ok(Arc::clone(value));
        }
        let value = work_out()?;
        let mut kept = self.lock();
        if kept.len() >= KEPT {
            kept.remove(0);
        }
        kept.push((key.clone(), Arc::clone(&value)));
        Ok(value)
    }

    pub fn clear(&self) {
        self.lock().clear();
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<(K, Arc<V>)>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
