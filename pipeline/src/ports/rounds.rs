//! The truth about questions: rounds with their events, the conversations they belong to, and what people make of them.

use async_trait::async_trait;

use super::PortResult;
use crate::model::{
    conversation::{Conversation, ConversationId, ConversationSummary, OwnerId},
    feedback::Feedback,
    round::{Round, RoundId, Stage, TraceEvent},
};

#[async_trait]
pub trait Rounds: Send + Sync {
    /// Begins a conversation. `Invalid` for an id that is there already.
    async fn begin(&self, conversation: &Conversation) -> PortResult<()>;

    async fn conversation(&self, id: &ConversationId) -> PortResult<Option<Conversation>>;

    /// Those of an owner in which something was asked, the newest first, from before `before` on, at most `limit`.
    async fn conversations(
        &self,
        owner: &OwnerId,
        before: Option<&ConversationId>,
        limit: usize,
    ) -> PortResult<Vec<ConversationSummary>>;

    /// The last `limit` rounds of a conversation, in the order they were asked.
    async fn rounds_in(&self, conversation: &ConversationId, limit: usize) -> PortResult<Vec<Round>>;

    /// `Invalid` for an id that is there already, `NotFound` for a conversation that is not.
    async fn create(&self, round: &Round) -> PortResult<()>;

    /// Appends to the round's log. `seq` must follow the last one without a gap; `Invalid` otherwise.
    /// `finishes` closes the log for good and makes it durable; of an open log a power cut, though not the end of the process,
    /// may take the last moments.
    async fn append(&self, round: &RoundId, events: &[TraceEvent], finishes: bool) -> PortResult<()>;

    async fn round(&self, id: &RoundId) -> PortResult<Option<Round>>;

    /// Events with `seq` > `after`, in order.
    async fn events(&self, id: &RoundId, after: u64) -> PortResult<Vec<TraceEvent>>;

    /// The events of some stages, in order: for who does not want every piece of a streamed text.
    async fn events_of(&self, id: &RoundId, stages: &[Stage]) -> PortResult<Vec<TraceEvent>>;

    /// Closes rounds that a stopped process left open, by an `error` event each; returns how many.
    async fn close_abandoned(&self) -> PortResult<u64>;

    /// Keeps what somebody makes of a round, in the place of what they made of it before; an empty one takes it back.
    /// `NotFound` for a round that is not there.
    async fn rate(&self, round: &RoundId, by: &OwnerId, feedback: &Feedback) -> PortResult<()>;

    async fn feedback(&self, round: &RoundId, by: &OwnerId) -> PortResult<Option<Feedback>>;
}
