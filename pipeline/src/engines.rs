//! Concrete engines behind the ports. Embedded: SQLite, Tantivy, exact vectors, MiniLM, the gazetteer.
