//! Text as every stage and engine sees it: folding, words, sentences, identifiers, safe HTML.

pub mod fold;
pub mod identifiers;
pub mod markdown;
pub mod sentences;
pub mod typed_query;
pub mod words;
