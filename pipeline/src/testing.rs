//! Fakes, builders and the conformance suite of each port.

pub mod search_index;
