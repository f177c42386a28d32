//! The answer: written by a language model from numbered documents, or extracted from them where there is none.

mod extraction;
mod named_facts;
mod writing;

pub use extraction::{extract, insufficient};
pub use writing::{Draft, write};
