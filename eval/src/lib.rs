//! What the tests of other crates use of the evaluation.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests"))]

pub mod llama_server;
pub mod scripted_model;
