//! The outside world as traits. No engine's type crosses a port; every engine passes the conformance suite of its port in
//! [`crate::testing`].

pub mod embedder;
pub mod error;
pub mod geocoder;
pub mod graph_store;
pub mod language_model;
pub mod records;
pub mod rounds;
pub mod search_index;

pub use embedder::Embedder;
pub use error::{ErrorKind, PortError, PortResult};
pub use geocoder::Geocoder;
pub use graph_store::GraphStore;
pub use language_model::LanguageModel;
pub use records::Records;
pub use rounds::Rounds;
pub use search_index::SearchIndex;

/// A position in the change log of [`Records`]: 1, 2, 3, … in commit order; 0 is before the first.
pub type Seq = u64;
