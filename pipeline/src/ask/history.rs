//! What was said before in a conversation, read from the logs of its rounds.

use serde::de::DeserializeOwned;

use super::Turn;
use crate::{
    model::{
        conversation::{Conversation, ConversationId, ConversationLog, ConversationPage, OwnerId, ToldRound},
        round::{Answer, AnswerKind, References, Round, Stage, TraceEvent},
    },
    ports::{ErrorKind, PortError, PortResult, Rounds},
};

/// How many earlier rounds a question may lean on.
const TURNS: usize = 6;

/// A conversation as its owner reads it.
///
/// # Errors
/// `NotFound` for a conversation that is not there or another's.
pub async fn conversation_log(
    rounds: &dyn Rounds,
    id: &ConversationId,
    visitor: Option<&OwnerId>,
) -> PortResult<ConversationLog> {
    let conversation = owned(rounds, id, visitor).await?;
    let mut told = Vec::new();
    for round in rounds.rounds_in(id, usize::MAX).await? {
        let events = rounds.events_of(&round.id, &[Stage::Memory, Stage::Answer]).await?;
        told.push(ToldRound { rewritten: rewritten(&events), answer: last(&events, Stage::Answer), round });
    }
    Ok(ConversationLog { id: conversation.id, created: conversation.created, rounds: told })
}

/// A visitor's conversations, the newest first; none without a visitor.
///
/// # Errors
/// Records that cannot be read.
pub async fn conversation_page(
    rounds: &dyn Rounds,
    visitor: Option<&OwnerId>,
    cursor: Option<&ConversationId>,
    limit: usize,
) -> PortResult<ConversationPage> {
    let Some(visitor) = visitor else { return Ok(ConversationPage { items: Vec::new(), next_cursor: None }) };
    let mut items = rounds.conversations(visitor, cursor, limit.saturating_add(1)).await?;
    let has_more = items.len() > limit;
    items.truncate(limit);
    let next_cursor = items.last().filter(|_| has_more).map(|last| last.id.clone());
    Ok(ConversationPage { items, next_cursor })
}

/// # Errors
/// As [`conversation_log`].
pub(super) async fn owned(rounds: &dyn Rounds, id: &ConversationId, visitor: Option<&OwnerId>) -> PortResult<Conversation> {
    let conversation = rounds.conversation(id).await?;
    let owned = conversation.filter(|conversation| visitor.is_some() && conversation.owner.as_ref() == visitor);
    owned.ok_or_else(|| PortError::new(ErrorKind::NotFound, "open a conversation", "there is no such conversation"))
}

/// The last rounds as a new question sees them, oldest first.
pub(super) async fn turns(rounds: &dyn Rounds, id: &ConversationId) -> PortResult<Vec<Turn>> {
    let mut turns = Vec::new();
    for round in rounds.rounds_in(id, TURNS).await? {
        let events = rounds.events_of(&round.id, &[Stage::Memory, Stage::Answer, Stage::References]).await?;
        turns.push(turn(round, &events));
    }
    Ok(turns)
}

fn turn(round: Round, events: &[TraceEvent]) -> Turn {
    // a refusal tells nothing about the world
    let answer: Option<Answer> =
        last(events, Stage::Answer).filter(|answer: &Answer| answer.kind != AnswerKind::InsufficientInformation);
    let cards = last(events, Stage::References).map(|references: References| references.items).unwrap_or_default();
    let mut cited = Vec::new();
    for citation in answer.iter().flat_map(|answer| &answer.citations) {
        let title =
            cards.iter().find(|card| card.id == citation.id).map_or_else(|| citation.id.to_string(), |card| card.title.clone());
        if !cited.iter().any(|(id, _)| *id == citation.id) {
            cited.push((citation.id.clone(), title));
        }
    }
    Turn { question: rewritten(events).unwrap_or(round.question), answer, cited }
}

/// How the question was read in the end, when that is not as it was typed.
pub(super) fn rewritten(events: &[TraceEvent]) -> Option<String> {
    let memory = events.iter().rev().find(|event| event.stage == Stage::Memory)?;
    let rewritten = memory.data.get("rewritten")?.as_str()?.trim();
    (!rewritten.is_empty()).then(|| rewritten.to_owned())
}

/// The `data` of a stage's last event that has this form.
pub(super) fn last<T: DeserializeOwned>(events: &[TraceEvent], stage: Stage) -> Option<T> {
    events.iter().rev().filter(|event| event.stage == stage).find_map(|event| T::deserialize(&event.data).ok())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::model::round::{RoundId, StageStatus};

    fn round() -> Round {
        Round {
            id: RoundId("r".to_owned()),
            conversation: ConversationId("c".to_owned()),
            question: "And in 2015?".to_owned(),
            search: String::new(),
            created: "2026-11-30T12:00:00Z".to_owned(),
            finished: true,
        }
    }

    fn events(data: &[(Stage, Value)]) -> Vec<TraceEvent> {
        let event = |(seq, (stage, data)): (u64, &(Stage, Value))| TraceEvent {
            seq,
            round: RoundId("r".to_owned()),
            stage: *stage,
            status: StageStatus::Finished,
            elapsed_ms: 1.0,
            iteration: 1,
            data: data.clone(),
        };
        (1..).zip(data).map(event).collect()
    }

    fn answer(kind: &str) -> (Stage, Value) {
        let citation = |n: u32, id: &str| json!({ "n": n, "id": id, "quote": "q" });
        let citations = [citation(1, "a"), citation(2, "b"), citation(3, "a")];
        (Stage::Answer, json!({ "text": "Ice. [1] [2] [3]", "citations": citations, "kind": kind }))
    }

    #[test]
    fn a_turn_is_what_was_read_and_answered() {
        let memory =
            |rewritten: &str| (Stage::Memory, json!({ "question": "And in 2015?", "rewritten": rewritten, "because": "it" }));
        let told = turn(round(), &events(&[memory("In 2015?"), memory("Sea ice in 2015?"), answer("answer")]));
        assert_eq!(told.question, "Sea ice in 2015?");
        assert_eq!(told.answer.unwrap().text, "Ice. [1] [2] [3]");
        let cited: Vec<_> = told.cited.iter().map(|(id, title)| (id.0.as_str(), title.as_str())).collect();
        assert_eq!(cited, [("a", "a"), ("b", "b")], "each once, by its id where its card is not there");
    }

    #[test]
    fn refusals_and_failures_are_no_facts() {
        let failed = (Stage::Error, json!({ "title": "t", "detail": "d", "what_to_do": "w" }));
        for log in [vec![answer("insufficient-information")], vec![failed], vec![], vec![(Stage::Answer, json!("odd"))]] {
            let told = turn(round(), &events(&log));
            assert_eq!((told.question.as_str(), told.answer, told.cited.len()), ("And in 2015?", None, 0), "{log:?}");
        }
    }

    #[test]
    fn a_question_that_was_not_rewritten_stays() {
        for rewritten in [json!(null), json!(""), json!(7)] {
            let memory = (Stage::Memory, json!({ "question": "And in 2015?", "rewritten": rewritten }));
            assert_eq!(turn(round(), &events(&[memory])).question, "And in 2015?");
        }
    }
}
