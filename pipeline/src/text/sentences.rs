//! Sentences of a text.
