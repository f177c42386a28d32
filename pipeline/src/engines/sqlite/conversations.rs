//! Conversations in SQLite, and what people make of rounds.

use sqlx::FromRow;

use super::database::{Database, failed, limit, unsigned};
use crate::{
    model::{
        conversation::{Conversation, ConversationId, ConversationSummary, OwnerId},
        feedback::Feedback,
        round::RoundId,
    },
    ports::{ErrorKind, PortError, PortResult},
};

pub(super) async fn begin(database: &Database, conversation: &Conversation) -> PortResult<()> {
    let operation = "rounds: begin a conversation";
    let mut transaction = database.write(operation).await?;
    let insert = sqlx::query("INSERT OR IGNORE INTO conversations (id, owner, created) VALUES (?, ?, ?)")
        .bind(&conversation.id.0)
        .bind(conversation.owner.as_ref().map(|owner| &owner.0))
        .bind(&conversation.created);
    let begun = insert.execute(&mut *transaction).await.map_err(failed(operation))?.rows_affected();
    if begun == 0 {
        return Err(PortError::new(ErrorKind::Invalid, operation, "there is a conversation with this id already"));
    }
    transaction.commit().await.map_err(failed(operation))
}

pub(super) async fn conversation(database: &Database, id: &ConversationId) -> PortResult<Option<Conversation>> {
    let row: Option<(Option<String>, String)> = sqlx::query_as("SELECT owner, created FROM conversations WHERE id = ?")
        .bind(&id.0)
        .fetch_optional(database.readers())
        .await
        .map_err(failed("rounds: conversation"))?;
    Ok(row.map(|(owner, created)| Conversation { id: id.clone(), owner: owner.map(OwnerId), created }))
}

#[derive(FromRow)]
struct SummaryRow {
    id: String,
    created: String,
    question: String,
    rounds: i64,
}

pub(super) async fn conversations(
    database: &Database,
    owner: &OwnerId,
    before: Option<&ConversationId>,
    count: usize,
) -> PortResult<Vec<ConversationSummary>> {
    let rows: Vec<SummaryRow> = sqlx::query_as(
        "SELECT id, created,
             (SELECT question FROM rounds WHERE conversation_id = conversations.id ORDER BY rounds.id LIMIT 1) AS question,
             (SELECT count(*) FROM rounds WHERE conversation_id = conversations.id) AS rounds
         FROM conversations
         WHERE owner = ?1 AND (?2 IS NULL OR id < ?2) AND EXISTS (SELECT 1 FROM rounds WHERE conversation_id = conversations.id)
         ORDER BY id DESC LIMIT ?3",
    )
    .bind(&owner.0)
    .bind(before.map(|before| &before.0))
    .bind(limit(count))
    .fetch_all(database.readers())
    .await
    .map_err(failed("rounds: conversations"))?;
    let summary = |row: SummaryRow| ConversationSummary {
        id: ConversationId(row.id),
        created: row.created,
        question: row.question,
        rounds: unsigned(row.rounds),
    };
    Ok(rows.into_iter().map(summary).collect())
}

pub(super) async fn rate(database: &Database, round: &RoundId, by: &OwnerId, feedback: &Feedback) -> PortResult<()> {
    let operation = "rounds: rate";
    let mut transaction = database.write(operation).await?;
    let known: bool = sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM rounds WHERE id = ?)")
        .bind(&round.0)
        .fetch_one(&mut *transaction)
        .await
        .map_err(failed(operation))?;
    if !known {
        return Err(PortError::new(ErrorKind::NotFound, operation, "there is no such round"));
    }
    let statement = if feedback.is_empty() {
        sqlx::query("DELETE FROM round_feedback WHERE round_id = ? AND owner = ?").bind(&round.0).bind(&by.0)
    } else {
        let body = serde_json::to_string(feedback).map_err(PortError::internal(operation))?;
        sqlx::query(
            "INSERT INTO round_feedback (round_id, owner, body, updated) VALUES (?, ?, ?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
             ON CONFLICT (round_id, owner) DO UPDATE SET body = excluded.body, updated = excluded.updated",
        )
        .bind(&round.0)
        .bind(&by.0)
        .bind(body)
    };
    statement.execute(&mut *transaction).await.map_err(failed(operation))?;
    transaction.commit().await.map_err(failed(operation))
}

pub(super) async fn feedback(database: &Database, round: &RoundId, by: &OwnerId) -> PortResult<Option<Feedback>> {
    let operation = "rounds: feedback";
    let body: Option<String> = sqlx::query_scalar("SELECT body FROM round_feedback WHERE round_id = ? AND owner = ?")
        .bind(&round.0)
        .bind(&by.0)
        .fetch_optional(database.readers())
        .await
        .map_err(failed(operation))?;
    body.map(|body| serde_json::from_str(&body).map_err(PortError::internal(operation))).transpose()
}
