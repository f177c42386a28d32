//! Rounds in SQLite: an append-only log of events each. What belongs to them is in [`super::conversations`].

use async_trait::async_trait;
use sqlx::{FromRow, SqliteConnection};

use super::{
    conversations,
    database::{failed, limit, list, signed, unsigned},
    records::SqliteRecords,
};
use crate::{
    model::{
        conversation::{Conversation, ConversationId, ConversationSummary, OwnerId},
        feedback::Feedback,
        round::{Round, RoundError, RoundId, Stage, StageStatus, TraceEvent},
    },
    ports::{ErrorKind, PortError, PortResult, Rounds},
};

#[async_trait]
impl Rounds for SqliteRecords {
    async fn begin(&self, conversation: &Conversation) -> PortResult<()> {
        conversations::begin(&self.database, conversation).await
    }

    async fn conversation(&self, id: &ConversationId) -> PortResult<Option<Conversation>> {
        conversations::conversation(&self.database, id).await
    }

    async fn conversations(
        &self,
        owner: &OwnerId,
        before: Option<&ConversationId>,
        limit: usize,
    ) -> PortResult<Vec<ConversationSummary>> {
        conversations::conversations(&self.database, owner, before, limit).await
    }

    async fn rounds_in(&self, conversation: &ConversationId, count: usize) -> PortResult<Vec<Round>> {
        let rows: Vec<RoundRow> = sqlx::query_as("SELECT * FROM rounds WHERE conversation_id = ? ORDER BY id DESC LIMIT ?")
            .bind(&conversation.0)
            .bind(limit(count))
            .fetch_all(self.database.readers())
            .await
            .map_err(failed("rounds: of a conversation"))?;
        Ok(rows.into_iter().rev().map(Round::from).collect())
    }

    async fn create(&self, round: &Round) -> PortResult<()> {
        let operation = "rounds: create";
        if conversations::conversation(&self.database, &round.conversation).await?.is_none() {
            return Err(PortError::new(ErrorKind::NotFound, operation, "there is no such conversation"));
        }
        let mut transaction = self.database.write(operation).await?;
        let insert = sqlx::query(
            "INSERT OR IGNORE INTO rounds (id, conversation_id, question, search, created, finished) VALUES (?, ?, ?, ?, ?, ?)",
        )
        .bind(&round.id.0)
        .bind(&round.conversation.0)
        .bind(&round.question)
        .bind(&round.search)
        .bind(&round.created)
        .bind(round.finished);
        let created = insert.execute(&mut *transaction).await.map_err(failed(operation))?.rows_affected();
        if created == 0 {
            return Err(PortError::new(ErrorKind::Invalid, operation, "there is a round with this id already"));
        }
        transaction.commit().await.map_err(failed(operation))
    }

    async fn append(&self, round: &RoundId, events: &[TraceEvent], finishes: bool) -> PortResult<()> {
        let operation = "rounds: append";
        let invalid = |reason: String| Err(PortError::new(ErrorKind::Invalid, operation, reason));
        let database = &self.database;
        let mut transaction = if finishes { database.write(operation).await? } else { database.write_soon(operation).await? };
        let Some(log) = open_log(&mut transaction, round).await? else {
            return Err(PortError::new(ErrorKind::NotFound, operation, "there is no such round"));
        };
        if log.finished {
            return invalid("the round is finished".to_owned());
        }
        for (event, expected) in events.iter().zip(log.last_seq.saturating_add(1)..) {
            if event.round != *round {
                return invalid(format!("event {} belongs to another round", event.seq));
            }
            if signed(event.seq) != expected {
                return invalid(format!("event {} does not follow {}", event.seq, expected - 1));
            }
        }
        write(&mut transaction, round, events, finishes).await?;
        transaction.commit().await.map_err(failed(operation))
    }

    async fn round(&self, id: &RoundId) -> PortResult<Option<Round>> {
        let row: Option<RoundRow> = sqlx::query_as("SELECT * FROM rounds WHERE id = ?")
            .bind(&id.0)
            .fetch_optional(self.database.readers())
            .await
            .map_err(failed("rounds: round"))?;
        Ok(row.map(Round::from))
    }

    async fn events(&self, id: &RoundId, after: u64) -> PortResult<Vec<TraceEvent>> {
        let bodies = sqlx::query_scalar("SELECT body FROM round_events WHERE round_id = ? AND seq > ? ORDER BY seq")
            .bind(&id.0)
            .bind(signed(after))
            .fetch_all(self.database.readers())
            .await
            .map_err(failed("rounds: events"))?;
        parsed(bodies)
    }

    async fn events_of(&self, id: &RoundId, stages: &[Stage]) -> PortResult<Vec<TraceEvent>> {
        let bodies = sqlx::query_scalar(
            "SELECT body FROM round_events
             WHERE round_id = ? AND body ->> 'stage' IN (SELECT value FROM json_each(?)) ORDER BY seq",
        )
        .bind(&id.0)
        .bind(list(stages.iter().map(|stage| stage.name())))
        .fetch_all(self.database.readers())
        .await
        .map_err(failed("rounds: events of some stages"))?;
        parsed(bodies)
    }

    async fn close_abandoned(&self) -> PortResult<u64> {
        let operation = "rounds: close abandoned";
        let mut transaction = self.database.write(operation).await?;
        let abandoned: Vec<(String, i64, f64)> = sqlx::query_as(
            "SELECT id, last_seq, coalesce((SELECT body ->> 'elapsed_ms' FROM round_events WHERE round_id = id AND seq = last_seq), 0.0)
             FROM rounds WHERE finished = 0",
        )
        .fetch_all(&mut *transaction)
        .await
        .map_err(failed(operation))?;
        for (id, last_seq, elapsed_ms) in &abandoned {
            let round = RoundId(id.clone());
            let event = interrupted(&round, unsigned(*last_seq) + 1, *elapsed_ms)?;
            write(&mut transaction, &round, &[event], true).await?;
        }
        transaction.commit().await.map_err(failed(operation))?;
        Ok(abandoned.len() as u64)
    }

    async fn rate(&self, round: &RoundId, by: &OwnerId, feedback: &Feedback) -> PortResult<()> {
        conversations::rate(&self.database, round, by, feedback).await
    }

    async fn feedback(&self, round: &RoundId, by: &OwnerId) -> PortResult<Option<Feedback>> {
        conversations::feedback(&self.database, round, by).await
    }
}

#[derive(FromRow)]
struct RoundRow {
    id: String,
    conversation_id: String,
    question: String,
    search: String,
    created: String,
    finished: bool,
}

impl From<RoundRow> for Round {
    fn from(row: RoundRow) -> Self {
        Self {
            id: RoundId(row.id),
            conversation: ConversationId(row.conversation_id),
            question: row.question,
            search: row.search,
            created: row.created,
            finished: row.finished,
        }
    }
}

fn parsed(bodies: Vec<String>) -> PortResult<Vec<TraceEvent>> {
    bodies.iter().map(|body| serde_json::from_str(body).map_err(PortError::internal("rounds: read an event"))).collect()
}

#[derive(FromRow)]
struct LogState {
    finished: bool,
    last_seq: i64,
}

async fn open_log(connection: &mut SqliteConnection, round: &RoundId) -> PortResult<Option<LogState>> {
    sqlx::query_as("SELECT finished, last_seq FROM rounds WHERE id = ?")
        .bind(&round.0)
        .fetch_optional(connection)
        .await
        .map_err(failed("rounds: append"))
}

/// Writes events that are known to follow.
async fn write(connection: &mut SqliteConnection, round: &RoundId, events: &[TraceEvent], finishes: bool) -> PortResult<()> {
    let operation = "rounds: append";
    for event in events {
        let body = serde_json::to_string(event).map_err(PortError::internal(operation))?;
        sqlx::query("INSERT INTO round_events (round_id, seq, body) VALUES (?, ?, ?)")
            .bind(&round.0)
            .bind(signed(event.seq))
            .bind(body)
            .execute(&mut *connection)
            .await
            .map_err(failed(operation))?;
    }
    sqlx::query("UPDATE rounds SET finished = ?, last_seq = last_seq + ? WHERE id = ?")
        .bind(finishes)
        .bind(signed(events.len() as u64))
        .bind(&round.0)
        .execute(connection)
        .await
        .map_err(failed(operation))?;
    Ok(())
}

fn interrupted(round: &RoundId, seq: u64, elapsed_ms: f64) -> PortResult<TraceEvent> {
    let error = RoundError {
        title: "The answer was interrupted".to_owned(),
        detail: "The server stopped while this question was being answered.".to_owned(),
        what_to_do: "Ask the question again.".to_owned(),
        stopped: false,
    };
    Ok(TraceEvent {
        seq,
        round: round.clone(),
        stage: Stage::Error,
        status: StageStatus::Failed,
        elapsed_ms,
        iteration: 1,
        data: serde_json::to_value(error).map_err(PortError::internal("rounds: close abandoned"))?,
    })
}
