//! Stand-ins for engines: ones that are down, and an embedder that needs no model.

mod down;
mod hash_embedder;
mod memory_index;
mod scripted_model;

pub use down::{DownEmbedder, DownGeocoder, DownGraph, DownIndex};
pub use hash_embedder::HashEmbedder;
pub use memory_index::MemoryIndex;
pub use scripted_model::ScriptedModel;
