//! Tags and people as numbers, compared without case and accents.

use std::collections::HashMap;

use crate::text::fold::fold;

/// A name as it is compared and as it is shown.
#[derive(Clone, Debug)]
pub struct ShownName {
    folded: String,
    shown: String,
}

impl ShownName {
    pub fn new(name: &str) -> Self {
        let shown = name.trim();
        Self { folded: fold(shown), shown: shown.to_owned() }
    }
}

#[derive(Default)]
pub struct Names {
    numbers: HashMap<String, u32>,
    shown: Vec<String>,
}

impl Names {
    /// The number of a name, a new one where it is new. What is shown is the spelling that came first.
    pub fn number(&mut self, name: ShownName) -> u32 {
        let shown = &mut self.shown;
        *self.numbers.entry(name.folded).or_insert_with(|| {
            shown.push(name.shown);
            (shown.len() - 1) as u32
        })
    }

    pub fn find(&self, name: &str) -> Option<u32> {
        self.numbers.get(&fold(name.trim())).copied()
    }

    pub fn count(&self) -> usize {
        self.shown.len()
    }

    pub fn shown(&self, number: usize) -> &str {
        self.shown.get(number).map_or("", |name| name)
    }
}
