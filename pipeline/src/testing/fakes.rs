//! Stand-ins for engines: ones that are down, and an embedder that needs no model.

mod down;
mod hash_embedder;
mod memory_index;

pub use down::{DownEmbedder, DownGeocoder, DownGraph, DownIndex};
pub use hash_embedder::HashEmbedder;
pub use memory_index::MemoryIndex;
