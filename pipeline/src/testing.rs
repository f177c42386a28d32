//! What tests of every crate share: the conformance suite of each port, builders, fakes and the shared data.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "only tests call this"
)]

pub mod builders;
pub mod embedder;
pub mod fakes;
pub mod geocoder;
pub mod graph_store;
pub mod language_model;
pub mod records;
pub mod rounds;
pub mod search_index;
mod shared_data;

pub use shared_data::{language_model_file, model_dir, shared_data, without};
