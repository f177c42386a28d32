//! Cairn's shared crate: the model, the question pipeline, the catalogue and the engines.
//!
//! Without features only [`model`] is compiled: serde types without I/O, which the browser shares with the server.

#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::print_stdout,
        reason = "tests"
    )
)]

pub mod model;

#[cfg(feature = "ports")]
pub mod ask;
#[cfg(feature = "ports")]
pub mod catalog;
#[cfg(feature = "ports")]
pub mod engines;
#[cfg(feature = "ports")]
pub mod geometry;
#[cfg(feature = "ports")]
pub mod guard;
#[cfg(feature = "ports")]
pub mod ports;
#[cfg(feature = "ports")]
pub mod search;
#[cfg(feature = "ports")]
pub mod services;
#[cfg(feature = "ports")]
pub mod testing;
#[cfg(feature = "ports")]
pub mod text;
