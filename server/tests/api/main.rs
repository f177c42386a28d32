//! The whole server over real HTTP, on engines in a folder of its own. Only the embedding model is a fake.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod command_line;
mod conversations;
mod degraded;
mod document;
mod elements;
mod exports;
mod feedback;
mod kill;
mod language;
mod limits;
mod operations;
mod owners;
mod pages;
mod places;
mod problems;
mod rounds;
mod routes;
mod search;
mod stops;
mod talkative_model;
mod test_app;
