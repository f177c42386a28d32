//! The `cairn` program: command line, HTTP API, pages. [`wiring`] is the only place that names concrete engines, [`config`]
//! the only one that reads the environment.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

pub mod api;
pub mod cli;
pub mod config;
pub mod data_folder;
pub mod demo;
pub mod http;
pub mod secret;
pub mod telemetry;
pub mod wiring;
