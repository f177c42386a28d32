//! `/rounds`: asking, and what came of it. The events of a round are in [`super::events`].

use std::collections::BTreeMap;

use axum::{
    Json,
    extract::{Path, State},
    http::{HeaderName, StatusCode, header},
};
use pipeline::model::{
    problem::{FieldError, Problem},
    query::SearchQuery,
    round::{Round, RoundId, TraceEvent},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use super::{events, json};
use crate::http::{AppState, problems::ApiError};

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(ask)).routes(routes!(round)).routes(routes!(events::events))
}

/// A question; beside it any parameter of a search but `q`, as in its query string, lists as arrays.
#[derive(Deserialize, ToSchema)]
#[schema(example = json!({"question": "Which datasets show sea ice around Svalbard?", "kind": ["dataset"], "datetime": "2010/.."}))]
struct Question {
    question: String,
    #[serde(flatten)]
    filters: BTreeMap<String, Value>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Started {
    pub id: RoundId,
    /// Where its events stream.
    pub events: String,
    /// Its page, for people.
    pub page: String,
}

/// A round with its log as far as it has come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RoundView {
    pub round: Round,
    pub events: Vec<TraceEvent>,
}

/// Starts a round for a question; its answer comes as events.
#[utoipa::path(post, path = "/rounds", tag = "rounds", request_body = Question,
    responses(
        (status = 201, body = Started, description = "It runs", headers(("location" = String, description = "The round's address"))),
        (status = "default", body = Problem, content_type = "application/problem+json", description = "What is wrong, by field")
    ))]
async fn ask(
    State(state): State<AppState>,
    json::Json(question): json::Json<Question>,
) -> Result<(StatusCode, [(HeaderName, String); 1], Json<Started>), ApiError> {
    let query = read(&question).map_err(ApiError::invalid)?;
    let id = state.asker.start(&query.into()).await?;
    let address = format!("/api/v1/rounds/{id}");
    let started = Started { events: format!("{address}/events"), page: format!("/rounds/{id}"), id };
    Ok((StatusCode::CREATED, [(header::LOCATION, address)], Json(started)))
}

/// A round and its events so far.
#[utoipa::path(get, path = "/rounds/{id}", tag = "rounds", params(("id" = String, Path, description = "The round's id")),
    responses(
        (status = 200, body = RoundView, description = "The round"),
        (status = 404, body = Problem, content_type = "application/problem+json", description = "There is none"),
        (status = "default", body = Problem, content_type = "application/problem+json", description = "What went wrong")
    ))]
async fn round(State(state): State<AppState>, Path(id): Path<String>) -> Result<Json<RoundView>, ApiError> {
    let id = RoundId(id);
    let round = state.services.rounds.round(&id).await?.ok_or_else(absent)?;
    let events = state.services.rounds.events(&id, 0).await?;
    Ok(Json(RoundView { round, events }))
}

pub(super) fn absent() -> ApiError {
    ApiError::not_found("There is no such round. The id is mistyped, or it was removed.")
}

/// The body as the pairs of a query string, so that there is one reading of them.
fn read(question: &Question) -> Result<SearchQuery, Vec<FieldError>> {
    let mut pairs: Vec<(&str, String)> = vec![("q", question.question.clone())];
    let mut errors = Vec::new();
    if question.question.trim().is_empty() {
        errors.push(FieldError::new("question", "write what you want to know"));
    }
    for (name, value) in &question.filters {
        match (name.as_str(), value) {
            ("q", _) => errors.push(FieldError::new("q", "is `question` here")),
            (_, Value::Null) => {}
            ("bbox", Value::Array(numbers)) => {
                pairs.push(("bbox", numbers.iter().map(Value::to_string).collect::<Vec<_>>().join(",")));
            }
            ("geometry", Value::Object(_)) => pairs.push(("geometry", value.to_string())),
            (name, Value::String(text)) => pairs.push((name, text.clone())),
            (name, Value::Number(number)) => pairs.push((name, number.to_string())),
            (name, Value::Array(values)) if values.iter().all(Value::is_string) => {
                pairs.extend(values.iter().filter_map(Value::as_str).map(|value| (name, value.to_owned())));
            }
            (name, _) => {
                errors.push(FieldError::new(name, "has a form that is not read here; give text, a number or a list of texts"))
            }
        }
    }
    match SearchQuery::from_pairs(pairs) {
        Ok(query) if errors.is_empty() => Ok(query),
        Ok(_) => Err(errors),
        Err(more) => Err(errors.into_iter().chain(more).collect()),
    }
}
