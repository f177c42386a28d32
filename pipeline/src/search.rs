//! One search: place name → retrieval by every method → fusion → cards and facets.

use crate::{
    model::{problem::FieldError, query::SearchQuery, results::SearchResults},
    ports::PortError,
    services::Services,
};

#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The query itself is wrong: what to do stands in each error.
    #[error("the search is not valid")]
    Invalid(Vec<FieldError>),
    #[error("the search could not be run")]
    Failed(#[from] PortError),
}

/// Runs a search. A method whose engine fails is reported as degraded; the search itself fails only where nothing could be
/// shown at all.
///
/// # Errors
/// An invalid cursor or area; records that cannot be read.
pub async fn search(services: &Services, query: &SearchQuery) -> Result<SearchResults, SearchError> {
    let _ = (services, query);
    Err(SearchError::Invalid(Vec::new()))
}
