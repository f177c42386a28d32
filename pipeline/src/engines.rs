//! Concrete engines behind the ports. Embedded: SQLite, Tantivy, exact vectors, MiniLM, the gazetteer. Beside them the language
//! models of any OpenAI-compatible server.

#[cfg(feature = "embedded")]
pub mod attributes;
#[cfg(feature = "embedded")]
pub mod embedded;
#[cfg(feature = "embedded")]
pub mod embedded_index;
#[cfg(feature = "embedded")]
pub mod footprints;
#[cfg(feature = "embedded")]
pub mod gazetteer;
#[cfg(feature = "embedded")]
pub mod minilm;
#[cfg(feature = "openai")]
pub mod openai;
#[cfg(feature = "embedded")]
pub mod sqlite;
#[cfg(feature = "embedded")]
pub mod tantivy;
#[cfg(feature = "embedded")]
pub mod vectors;
