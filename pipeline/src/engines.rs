//! Concrete engines behind the ports. Embedded: SQLite, Tantivy, exact vectors, MiniLM, the gazetteer.

pub mod attributes;
pub mod embedded;
pub mod embedded_index;
pub mod footprints;
pub mod gazetteer;
pub mod minilm;
pub mod sqlite;
pub mod tantivy;
pub mod vectors;
