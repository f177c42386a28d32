//! Starts rounds in the background, follows them and stops them.

use std::{panic::AssertUnwindSafe, time::Duration};

use futures::{FutureExt, stream::BoxStream};

use super::{
    Request, history,
    rounds::{RoundLog, RoundRegistry},
    run,
};
use crate::{
    model::{
        conversation::{Conversation, ConversationId, OwnerId},
        round::{Round, RoundError, RoundId, TraceEvent},
    },
    ports::{ErrorKind, PortError, PortResult},
    services::Services,
};

/// What became of the wish to stop a round.
#[derive(Clone, Debug, PartialEq)]
pub enum Stopping {
    /// It is finished, by this or before.
    Finished(Round),
    /// It is open and does not run in this process.
    Elsewhere,
}

/// Starts rounds, follows them and stops them.
#[derive(Clone)]
pub struct Asker {
    services: Services,
    registry: RoundRegistry,
}

impl Asker {
    pub fn new(services: Services) -> Self {
        Self { services, registry: RoundRegistry::default() }
    }

    /// Creates a round and runs it in the background, in a conversation of its owner or in a new one.
    /// What was said in the conversation becomes the request's history. The round goes on when the caller goes away.
    ///
    /// # Errors
    /// An empty question (`Invalid`), a conversation that is not the owner's (`NotFound`), or records that cannot be written.
    pub async fn start(&self, owner: &OwnerId, conversation: Option<&ConversationId>, mut request: Request) -> PortResult<Round> {
        let (rounds, query) = (&self.services.rounds, &request.query);
        if query.q.trim().is_empty() {
            return Err(PortError::new(ErrorKind::Invalid, "ask", "the question is empty; write what you want to know"));
        }
        let now = jiff::Timestamp::now().to_string();
        let conversation = match conversation {
            Some(id) => {
                history::owned(&**rounds, id, Some(owner)).await?;
                request.history = history::turns(&**rounds, id).await?;
                id.clone()
            }
            None => {
                let id = ConversationId(uuid::Uuid::now_v7().to_string());
                let begun = Conversation { id: id.clone(), owner: Some(owner.clone()), created: now.clone() };
                rounds.begin(&begun).await?;
                id
            }
        };
        let round = Round {
            id: RoundId(uuid::Uuid::now_v7().to_string()),
            conversation,
            question: request.query.q.clone(),
            search: request.query.to_query_string(),
            created: now,
            finished: false,
        };
        // before the round can be found: whoever finds it finds it running
        let (log, stop) = self.registry.open(rounds.clone(), round.id.clone());
        rounds.create(&round).await?;
        let services = self.services.clone();
        tokio::spawn(async move { answer(&services, &request, log, stop.notified()).await });
        Ok(round)
    }

    /// The events after `after`: first those of the log, then those that still come; ends when the round is finished.
    ///
    /// # Errors
    /// `NotFound` for a round that does not exist.
    pub async fn follow(&self, round: &RoundId, after: u64) -> PortResult<BoxStream<'static, TraceEvent>> {
        self.registry.follow(self.services.rounds.clone(), round, after).await
    }

    /// Ends a round that runs: its work is dropped, calls of models with it, and its log is closed. Resolves when that is done.
    ///
    /// # Errors
    /// `NotFound` for a round that does not exist.
    pub async fn stop(&self, round: &RoundId) -> PortResult<Stopping> {
        self.registry.stop(round).await;
        let round = self.services.rounds.round(round).await?;
        let round = round.ok_or_else(|| PortError::new(ErrorKind::NotFound, "stop a round", "there is no such round"))?;
        Ok(if round.finished { Stopping::Finished(round) } else { Stopping::Elsewhere })
    }

    /// How many rounds run in this process.
    pub fn running(&self) -> usize {
        self.registry.running()
    }
}

/// Runs the stages to their end, the deadline or the wish to stop, and sees to it that the log is closed.
async fn answer(services: &Services, request: &Request, mut log: RoundLog, stopped: impl Future<Output = ()>) {
    let stages = AssertUnwindSafe(run(services, request, &mut log)).catch_unwind();
    let failure = tokio::select! {
        outcome = tokio::time::timeout(request.deadline, stages) => match outcome {
            Ok(Ok(Ok(()))) => return,
            Ok(Ok(Err(error))) => {
                tracing::error!(kind = ?error.kind, error = %error, cause = %error.source, "a round failed");
                broken()
            }
            // the panic itself is logged where it happened
            Ok(Err(_)) => broken(),
            Err(_) => too_slow(request.deadline),
        },
        () = stopped => stopped_by_asker(),
    };
    if let Err(error) = log.close(&failure).await {
        tracing::error!(round = %log.round(), error = %error, cause = %error.source, "a round could not be closed");
    }
}

fn broken() -> RoundError {
    RoundError {
        title: "The question could not be answered".to_owned(),
        detail: "Something the answer needs did not work.".to_owned(),
        what_to_do: "Ask again in a moment; the search itself may still work.".to_owned(),
        stopped: false,
    }
}

fn too_slow(deadline: Duration) -> RoundError {
    RoundError {
        title: "The question took too long".to_owned(),
        detail: format!("No answer after {} seconds.", deadline.as_secs()),
        what_to_do: "Ask again, or narrow the question by a place, a kind or a period.".to_owned(),
        stopped: false,
    }
}

fn stopped_by_asker() -> RoundError {
    RoundError {
        title: "Stopped".to_owned(),
        detail: "The answer was stopped before it was finished; what was written by then was not checked.".to_owned(),
        what_to_do: "Ask again when you want the whole answer.".to_owned(),
        stopped: true,
    }
}
