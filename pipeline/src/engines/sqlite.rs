//! SQLite: records and rounds in `records.db`, the graph in `graph.db`, computed vectors in `vectors-cache.db`. A projection
//! has a file of its own, so that it can be erased by itself.

mod conversations;
mod database;
mod graph;
mod records;
mod rounds;
mod vector_cache;

pub use graph::SqliteGraph;
pub use records::SqliteRecords;
pub use vector_cache::SqliteVectorCache;

#[cfg(test)]
mod tests;
