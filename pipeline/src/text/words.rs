//! Words of a text with their places.

/// One word: folded, with its byte range in the text it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    pub start: usize,
    pub end: usize,
    pub folded: String,
}
