//! A question, answered: memory → augmentation → reasoning ⟲ (routing → retrieval → fusion) → generation → validation.

use std::sync::Arc;

use futures::stream::BoxStream;

use crate::{
    model::{
        query::SearchQuery,
        round::{RoundId, TraceEvent},
    },
    ports::{PortError, PortResult},
    services::Services,
};

/// Starts rounds and follows them.
#[derive(Clone)]
pub struct Asker {
    services: Services,
    live: Arc<()>,
}

impl Asker {
    pub fn new(services: Services) -> Self {
        Self { services, live: Arc::new(()) }
    }

    /// Creates a round and runs it in the background; `query` holds the question in `q` and the filters it was asked under.
    ///
    /// # Errors
    /// An empty question (`Invalid`), or records that cannot be written.
    pub async fn start(&self, query: &SearchQuery) -> PortResult<RoundId> {
        let _ = (&self.services, &self.live, query);
        Err(PortError::new(crate::ports::ErrorKind::Invalid, "ask", "not yet"))
    }

    /// The events after `after`: first those of the log, then those that still come; ends when the round is finished.
    ///
    /// # Errors
    /// `NotFound` for a round that does not exist.
    pub async fn follow(&self, round: &RoundId, after: u64) -> PortResult<BoxStream<'static, TraceEvent>> {
        let _ = (round, after);
        Err(PortError::new(crate::ports::ErrorKind::NotFound, "ask", "not yet"))
    }
}
