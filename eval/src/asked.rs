//! Questions asked as the server asks them, and what the logs of their rounds tell.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use futures::StreamExt;
use pipeline::{
    ask::{Asker, Request},
    model::{
        conversation::{ConversationId, OwnerId},
        query::SearchQuery,
        results::ResultItem,
        round::{Answer, AnswerKind, ModelCall, Outcome, References, RoundError, Stage, StageStatus, TraceEvent},
    },
};
use serde::{Deserialize, de::DeserializeOwned};

/// One question's round.
#[derive(Debug, Default)]
pub struct Asked {
    /// As it was read, where that differs from how it was typed.
    pub rewritten: Option<String>,
    pub answer: Option<Answer>,
    /// The cards beside the answer, as a person sees them.
    pub references: Vec<ResultItem>,
    pub error: Option<RoundError>,
    pub calls: Calls,
    pub elapsed: Duration,
}

/// Calls of the language model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Calls {
    /// Without those of grading.
    pub all: usize,
    /// Begun when the first token of an answer came, the call that wrote it among them.
    pub before_first_token: usize,
    pub grading: usize,
    /// Without a usable reply, grading among them.
    pub failed: usize,
}

impl Asked {
    pub fn refused(&self) -> bool {
        self.answer.as_ref().is_some_and(|answer| answer.kind == AnswerKind::InsufficientInformation)
    }

    /// The answer, unless there is none or it is a refusal.
    pub fn told(&self) -> Option<&Answer> {
        self.answer.as_ref().filter(|answer| answer.kind != AnswerKind::InsufficientInformation)
    }

    fn of(events: &[TraceEvent], elapsed: Duration) -> Self {
        let memory = events.iter().rev().find(|event| event.stage == Stage::Memory);
        let rewritten = memory.and_then(|event| event.data.get("rewritten")?.as_str().map(str::to_owned));
        Self {
            rewritten,
            answer: last(events, Stage::Answer),
            references: last::<References>(events, Stage::References).map(|references| references.items).unwrap_or_default(),
            error: last(events, Stage::Error),
            calls: Calls::of(events),
            elapsed,
        }
    }
}

impl Calls {
    fn of(events: &[TraceEvent]) -> Self {
        let mut calls = Self::default();
        let mut first_token = None;
        for event in events {
            if first_token.is_none() && event.stage == Stage::Generation && event.status == StageStatus::Progress {
                // the call that writes is told when it has ended
                first_token = Some(calls.all + 1);
            }
            let made = event.data.get("calls").and_then(|calls| Vec::<ModelCall>::deserialize(calls).ok()).unwrap_or_default();
            calls.failed += made.iter().filter(|call| call.outcome != Outcome::Text).count();
            match event.stage {
                Stage::Fusion => calls.grading += made.len(),
                _ => calls.all += made.len(),
            }
        }
        calls.before_first_token = first_token.unwrap_or(calls.all);
        calls
    }
}

/// The `data` of a stage's last event.
fn last<T: DeserializeOwned>(events: &[TraceEvent], stage: Stage) -> Option<T> {
    let event = events.iter().rev().find(|event| event.stage == stage)?;
    T::deserialize(&event.data).ok()
}

/// Asks questions one after the other in one conversation and tells of the last one. Each is asked under what `request` says, the last
/// one also under its query's filters.
///
/// # Errors
/// Rounds that cannot be started or followed; one that fails is none.
pub async fn converse(asker: &Asker, earlier: &[String], request: &Request) -> Result<Asked> {
    let owner = OwnerId("eval".to_owned());
    let mut conversation: Option<ConversationId> = None;
    for question in earlier {
        let query = SearchQuery { q: question.clone(), ..SearchQuery::default() };
        let (before, _) = ask(asker, &owner, conversation.as_ref(), Request { query, ..request.clone() }).await?;
        conversation = Some(before);
    }
    Ok(ask(asker, &owner, conversation.as_ref(), request.clone()).await?.1)
}

async fn ask(
    asker: &Asker,
    owner: &OwnerId,
    conversation: Option<&ConversationId>,
    request: Request,
) -> Result<(ConversationId, Asked)> {
    let question = request.query.q.clone();
    let started = Instant::now();
    let round = asker.start(owner, conversation, request).await.with_context(|| format!("asking “{question}”"))?;
    let events: Vec<TraceEvent> = asker.follow(&round.id, 0).await?.collect().await;
    Ok((round.conversation, Asked::of(&events, started.elapsed())))
}

#[cfg(test)]
mod tests {
    use pipeline::model::round::RoundId;
    use serde_json::{Value, json};

    use super::*;

    fn event(stage: Stage, status: StageStatus, data: Value) -> TraceEvent {
        TraceEvent { seq: 1, round: RoundId("r".to_owned()), stage, status, elapsed_ms: 1.0, iteration: 1, data }
    }

    fn calls(outcomes: &[&str]) -> Value {
        let call = |outcome: &&str| json!({ "model": "m", "prompt_tokens": 1, "completion_tokens": 1, "elapsed_ms": 1.0, "outcome": outcome });
        json!({ "calls": outcomes.iter().map(call).collect::<Vec<_>>() })
    }

    #[test]
    fn calls_are_counted_by_when_they_were_made_and_what_for() {
        let events = [
            event(Stage::Reasoning, StageStatus::Finished, calls(&["text"])),
            event(Stage::Fusion, StageStatus::Finished, calls(&["text", "timed-out", "text"])),
            event(Stage::Generation, StageStatus::Started, json!({ "attempt": 1 })),
            event(Stage::Generation, StageStatus::Degraded, calls(&["empty"])),
            event(Stage::Generation, StageStatus::Progress, json!({ "text": "Ice " })),
            event(Stage::Generation, StageStatus::Progress, json!({ "text": "melts" })),
            event(Stage::Generation, StageStatus::Finished, calls(&["text"])),
            event(Stage::Validation, StageStatus::Finished, calls(&["text"])),
        ];
        assert_eq!(Calls::of(&events), Calls { all: 4, before_first_token: 3, grading: 3, failed: 2 });
        assert_eq!(Calls::of(&events[..1]), Calls { all: 1, before_first_token: 1, grading: 0, failed: 0 });
        assert_eq!(Calls::of(&[]), Calls::default());
    }

    #[test]
    fn the_last_reading_and_the_answer_are_told() {
        let answer = json!({ "text": "No.", "citations": [], "kind": "insufficient-information" });
        let events = [
            event(Stage::Memory, StageStatus::Finished, json!({ "question": "It?", "rewritten": null, "because": "" })),
            event(Stage::Memory, StageStatus::Finished, json!({ "question": "It?", "rewritten": "Ice?", "because": "" })),
            event(Stage::Answer, StageStatus::Degraded, answer),
        ];
        let asked = Asked::of(&events, Duration::ZERO);
        assert_eq!((asked.rewritten.as_deref(), asked.refused(), asked.told()), (Some("Ice?"), true, None));
        assert!(!Asked::default().refused() && Asked::default().told().is_none());
    }
}
