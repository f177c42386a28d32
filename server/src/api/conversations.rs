//! `/conversations`: a visitor's own history.

use axum::{
    Json,
    extract::{Path, Query, State},
};
use pipeline::{
    ask::history,
    model::{
        conversation::{ConversationId, ConversationLog, ConversationPage},
        problem::{FieldError, Problem},
        query::{DEFAULT_LIMIT, MAX_LIMIT},
    },
};
use serde::Deserialize;
use utoipa_axum::{router::OpenApiRouter, routes};

use super::rounds::absent_or_failed;
use crate::http::{AppState, owner::Calling, problems::ApiError};

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(conversations)).routes(routes!(conversation))
}

#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Part {
    /// Where to go on: `next_cursor` of the part before
    cursor: Option<String>,
    /// How many at most, to 100
    #[param(default = 20)]
    limit: Option<usize>,
}

/// The visitor's conversations, the newest first; none without the cookie.
#[utoipa::path(get, path = "/conversations", tag = "rounds", params(Part),
    responses(
        (status = 200, body = ConversationPage, description = "A part of them"),
        (status = "default", body = Problem, content_type = "application/problem+json", description = "What is wrong, by field")
    ))]
async fn conversations(
    State(state): State<AppState>,
    Calling(caller): Calling,
    Query(part): Query<Part>,
) -> Result<Json<ConversationPage>, ApiError> {
    let limit = part.limit.unwrap_or(DEFAULT_LIMIT);
    if !(1..=MAX_LIMIT).contains(&limit) {
        return Err(ApiError::invalid(vec![FieldError::new("limit", format!("give a number from 1 to {MAX_LIMIT}"))]));
    }
    let cursor = part.cursor.map(ConversationId);
    let page = history::conversation_page(&*state.services.rounds, caller.visitor.as_ref(), cursor.as_ref(), limit).await?;
    Ok(Json(page))
}

/// What was asked and answered in a conversation, oldest first; for its owner.
#[utoipa::path(get, path = "/conversations/{id}", tag = "rounds", params(("id" = String, Path, description = "The conversation's id")),
    responses(
        (status = 200, body = ConversationLog, description = "The conversation"),
        (status = 404, body = Problem, content_type = "application/problem+json", description = "There is none, or it is another's"),
        (status = "default", body = Problem, content_type = "application/problem+json", description = "What went wrong")
    ))]
async fn conversation(
    State(state): State<AppState>,
    Path(id): Path<ConversationId>,
    Calling(caller): Calling,
) -> Result<Json<ConversationLog>, ApiError> {
    let log = history::conversation_log(&*state.services.rounds, &id, caller.visitor.as_ref()).await;
    log.map(Json)
        .map_err(|error| absent_or_failed(error, "You have no such conversation. The id is mistyped, or it is another's."))
}
