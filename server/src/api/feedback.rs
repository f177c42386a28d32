//! `/rounds/{id}/feedback`: what its owner makes of a round.

use axum::{
    Json,
    extract::{Path, State},
};
use pipeline::{
    ask::access::Caller,
    model::{
        feedback::Feedback,
        problem::{FieldError, Problem},
        round::RoundId,
    },
};
use serde_json::{Map, Value};

use super::{json, rounds::open_own};
use crate::http::{AppState, owner::Calling, problems::ApiError};

/// Keeps what is made of a round, in the place of what was kept before. An empty one takes it back.
#[utoipa::path(post, path = "/rounds/{id}/feedback", tag = "rounds", request_body = Feedback,
    params(("id" = String, Path, description = "The round's id"), ("key" = Option<String>, Query, description = "The owner's key, without the cookie")),
    responses(
        (status = 200, body = Feedback, description = "As it is kept"),
        (status = 403, body = Problem, content_type = "application/problem+json", description = "The key is for reading"),
        (status = 404, body = Problem, content_type = "application/problem+json", description = "There is none, or it is another's"),
        (status = "default", body = Problem, content_type = "application/problem+json", description = "What is wrong, by field")
    ))]
pub(super) async fn rate(
    State(state): State<AppState>,
    Path(id): Path<RoundId>,
    Calling(caller): Calling,
    json::Json(body): json::Json<Map<String, Value>>,
) -> Result<Json<Feedback>, ApiError> {
    keep(&state, &id, &caller, read(&body)).await.map(Json)
}

/// What is kept of it; null before it was rated.
#[utoipa::path(get, path = "/rounds/{id}/feedback", tag = "rounds",
    params(("id" = String, Path, description = "The round's id"), ("key" = Option<String>, Query, description = "The owner's key, without the cookie")),
    responses(
        (status = 200, body = Option<Feedback>, description = "As it is kept"),
        (status = 403, body = Problem, content_type = "application/problem+json", description = "The key is for reading"),
        (status = 404, body = Problem, content_type = "application/problem+json", description = "There is none, or it is another's"),
        (status = "default", body = Problem, content_type = "application/problem+json", description = "What went wrong")
    ))]
pub(super) async fn feedback(
    State(state): State<AppState>,
    Path(id): Path<RoundId>,
    Calling(caller): Calling,
) -> Result<Json<Option<Feedback>>, ApiError> {
    let Some(owner) = open_own(&state, &id, &caller).await?.owner else { return Ok(Json(None)) };
    Ok(Json(state.services.rounds.feedback(&id, &owner).await?))
}

/// Whose round it is is looked at first: what is wrong with the feedback is told to its owner alone.
///
/// # Errors
/// The round is not the caller's; what is wrong, by field.
pub async fn keep(
    state: &AppState,
    id: &RoundId,
    caller: &Caller,
    read: Result<Feedback, Vec<FieldError>>,
) -> Result<Feedback, ApiError> {
    let opened = open_own(state, id, caller).await?;
    let feedback = read.map_err(ApiError::invalid)?;
    if let Some(owner) = &opened.owner {
        state.services.rounds.rate(id, owner, &feedback).await?;
    }
    Ok(feedback)
}

/// The body as the pairs of a form, so that there is one reading of them.
fn read(body: &Map<String, Value>) -> Result<Feedback, Vec<FieldError>> {
    let mut pairs = Vec::new();
    let mut errors = Vec::new();
    for (name, value) in body {
        match (name.as_str(), value) {
            ("thumbs" | "comment", Value::String(text)) => pairs.push((name, text.clone())),
            ("ratings", Value::Object(ratings)) => pairs.extend(ratings.iter().map(|(name, value)| (name, value.to_string()))),
            ("thumbs" | "comment" | "ratings", Value::Null) => {}
            ("thumbs" | "comment", _) => errors.push(FieldError::new(name, "give text")),
            ("ratings", _) => errors.push(FieldError::new(name, "give an object, such as {\"relevance\": 4}")),
            _ => errors.push(FieldError::new(name, "is not part of feedback; it has thumbs, ratings and comment")),
        }
    }
    match Feedback::from_pairs(pairs) {
        Ok(feedback) if errors.is_empty() => Ok(feedback),
        Ok(_) => Err(errors),
        Err(more) => Err(errors.into_iter().chain(more).collect()),
    }
}
