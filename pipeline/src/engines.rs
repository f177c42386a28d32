//! Concrete engines behind the ports. Embedded: SQLite, Tantivy, exact vectors, MiniLM, the gazetteer.

pub mod minilm;
pub mod sqlite;
