//! Starts rounds in the background and follows them.

use std::time::Duration;

use futures::stream::BoxStream;

use super::{Request, rounds::RoundRegistry, run};
use crate::{
    model::round::{Round, RoundError, RoundId, Stage, StageStatus, TraceEvent},
    ports::{ErrorKind, PortError, PortResult},
    services::Services,
};

/// A round that has not ended by then is closed with an error.
const ROUND_DEADLINE: Duration = Duration::from_secs(60);
/// Starts rounds and follows them.
#[derive(Clone)]
pub struct Asker {
    services: Services,
    registry: RoundRegistry,
}

impl Asker {
    pub fn new(services: Services) -> Self {
        Self { services, registry: RoundRegistry::default() }
    }

    /// Creates a round and runs it in the background.
    /// The round goes on when the caller goes away.
    ///
    /// # Errors
    /// An empty question (`Invalid`), or records that cannot be written.
    pub async fn start(&self, request: &Request) -> PortResult<RoundId> {
        let query = &request.query;
        if query.q.trim().is_empty() {
            return Err(PortError::new(ErrorKind::Invalid, "ask", "the question is empty; write what you want to know"));
        }
        let round = Round {
            id: RoundId(uuid::Uuid::now_v7().to_string()),
            question: query.q.clone(),
            search: query.to_query_string(),
            created: jiff::Timestamp::now().to_string(),
            finished: false,
        };
        self.services.rounds.create(&round).await?;
        let id = round.id.clone();
        let log = self.registry.open(self.services.rounds.clone(), id.clone());
        let (services, request) = (self.services.clone(), request.clone());
        tokio::spawn(async move {
            let mut log = log;
            let outcome = tokio::time::timeout(ROUND_DEADLINE, run(&services, &request, &mut log)).await;
            let failure = match outcome {
                Ok(Ok(())) => return,
                Ok(Err(error)) => {
                    tracing::error!(round = %log.round(), kind = ?error.kind, error = %error, cause = %error.source, "a round failed");
                    RoundError {
                        title: "The question could not be answered".to_owned(),
                        detail: "Something the answer needs did not work.".to_owned(),
                        what_to_do: "Ask again in a moment; the search itself may still work.".to_owned(),
                    }
                }
                Err(_) => RoundError {
                    title: "The question took too long".to_owned(),
                    detail: format!("No answer after {} seconds.", ROUND_DEADLINE.as_secs()),
                    what_to_do: "Ask again, or narrow the question by a place, a kind or a period.".to_owned(),
                },
            };
            if let Err(error) = log.finish(Stage::Error, StageStatus::Failed, &failure).await {
                tracing::error!(round = %log.round(), error = %error, cause = %error.source, "a failed round could not be closed");
            }
        });
        Ok(id)
    }

    /// The events after `after`: first those of the log, then those that still come; ends when the round is finished.
    ///
    /// # Errors
    /// `NotFound` for a round that does not exist.
    pub async fn follow(&self, round: &RoundId, after: u64) -> PortResult<BoxStream<'static, TraceEvent>> {
        self.registry.follow(self.services.rounds.clone(), round, after).await
    }
}
