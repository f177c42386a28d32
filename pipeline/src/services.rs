//! The ports a running Cairn has, whatever engines stand behind them.

use std::sync::Arc;

use crate::ports::{Embedder, Geocoder, GraphStore, LanguageModel, Records, Rounds, SearchIndex};

#[derive(Clone)]
pub struct Services {
    pub records: Arc<dyn Records>,
    pub rounds: Arc<dyn Rounds>,
    pub index: Arc<dyn SearchIndex>,
    pub graph: Arc<dyn GraphStore>,
    pub geocoder: Arc<dyn Geocoder>,
    /// Absent when no model is installed: semantic search is then degraded, with its reason.
    pub embedder: Result<Arc<dyn Embedder>, Arc<str>>,
    /// Absent when none is configured: rules and extraction answer then.
    pub language: Option<Arc<dyn LanguageModel>>,
}
