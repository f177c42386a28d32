//! `/rounds`: asking, what came of it, and stopping. The events of a round are in [`super::events`].

use std::collections::BTreeMap;

use axum::{
    Json,
    extract::{Path, State},
    http::{HeaderName, StatusCode, header},
};
use axum_extra::extract::SignedCookieJar;
use pipeline::{
    ask::{
        Request, Stopping,
        access::{self, Caller, Opened},
    },
    model::{
        conversation::ConversationId,
        problem::{FieldError, Problem},
        query::SearchQuery,
        round::{Access, PathChoice, Round, RoundId, RoundView},
    },
    ports::{ErrorKind, PortError},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use super::{events, export, feedback, json};
use crate::http::{
    AppState,
    owner::{Asking, Calling},
    problems::ApiError,
};

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(ask))
        .routes(routes!(round))
        .routes(routes!(events::events))
        .routes(routes!(stop))
        .routes(routes!(feedback::rate, feedback::feedback))
        .routes(routes!(export::export))
}

/// A question; beside it any parameter of a search but `q`, as in its query string, lists as arrays.
#[derive(Deserialize, ToSchema)]
#[schema(example = json!({"question": "Which datasets show sea ice around Svalbard?", "kind": ["dataset"], "datetime": "2010/.."}))]
struct Question {
    question: String,
    /// The conversation it goes on with: one of the same visitor.
    conversation: Option<ConversationId>,
    #[serde(default)]
    path: PathChoice,
    /// Take the question as it is typed, though it may lean on the conversation.
    #[serde(default)]
    own_words: bool,
    #[serde(flatten)]
    filters: BTreeMap<String, Value>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Started {
    pub id: RoundId,
    pub conversation: ConversationId,
    /// Where its events stream.
    pub events: String,
    /// Its page, for the visitor who asked.
    pub page: String,
    /// Its page for others: a link for reading.
    pub share: String,
    /// As `?key=` it is as good as the visitor's cookie, for this round: read, stop, rate. Not to be shared.
    pub key: String,
}

/// Starts a round for a question; its answer comes as events. The cookie of the reply makes the visitor its owner.
#[utoipa::path(post, path = "/rounds", tag = "rounds", request_body = Question,
    responses(
        (status = 201, body = Started, description = "It runs", headers(("location" = String, description = "The round's address"))),
        (status = 404, body = Problem, content_type = "application/problem+json", description = "The visitor has no such conversation"),
        (status = "default", body = Problem, content_type = "application/problem+json", description = "What is wrong, by field")
    ))]
async fn ask(
    State(state): State<AppState>,
    asking: Asking,
    json::Json(question): json::Json<Question>,
) -> Result<(StatusCode, SignedCookieJar, [(HeaderName, String); 1], Json<Started>), ApiError> {
    let query = read(&question).map_err(ApiError::invalid)?;
    let request = Request { path: question.path, own_words: question.own_words, ..query.into() };
    let round = start(&state, &asking, question.conversation.as_ref(), request).await?;
    let address = format!("/api/v1/rounds/{}", round.id);
    let started = Started {
        events: format!("{address}/events"),
        page: format!("/rounds/{}", round.id),
        share: format!("/rounds/{}?key={}", round.id, state.round_keys.key(Access::Read, &round.id)),
        key: state.round_keys.key(Access::Own, &round.id),
        conversation: round.conversation,
        id: round.id,
    };
    Ok((StatusCode::CREATED, asking.cookie, [(header::LOCATION, address)], Json(started)))
}

/// Starts a round for whoever asks.
///
/// # Errors
/// A conversation that is not theirs, or what is wrong with the question.
pub async fn start(
    state: &AppState,
    asking: &Asking,
    conversation: Option<&ConversationId>,
    request: Request,
) -> Result<Round, ApiError> {
    state.asker.start(&asking.id, conversation, request).await.map_err(|error| {
        absent_or_failed(error, "You have no such conversation here. Leave `conversation` out to begin a new one.")
    })
}

/// A round and its events so far.
#[utoipa::path(get, path = "/rounds/{id}", tag = "rounds",
    params(("id" = String, Path, description = "The round's id"), ("key" = Option<String>, Query, description = "Opens it without the owner's cookie")),
    responses(
        (status = 200, body = RoundView, description = "The round"),
        (status = 404, body = Problem, content_type = "application/problem+json", description = "There is none, or it is another's"),
        (status = "default", body = Problem, content_type = "application/problem+json", description = "What went wrong")
    ))]
async fn round(
    State(state): State<AppState>,
    Path(id): Path<RoundId>,
    Calling(caller): Calling,
) -> Result<Json<RoundView>, ApiError> {
    let view = access::view(&*state.services.rounds, &state.round_keys, &id, &caller).await;
    view.map(Json).map_err(absent)
}

/// Stops a round: its work ends within a second, calls of models with it, and its log is closed by an `error` event with
/// `stopped`. What was written by then stays. A finished round stays as it is.
#[utoipa::path(post, path = "/rounds/{id}/stop", tag = "rounds",
    params(("id" = String, Path, description = "The round's id"), ("key" = Option<String>, Query, description = "The owner's key, without the cookie")),
    responses(
        (status = 200, body = Round, description = "It is finished"),
        (status = 403, body = Problem, content_type = "application/problem+json", description = "The key is for reading"),
        (status = 404, body = Problem, content_type = "application/problem+json", description = "There is none, or it is another's"),
        (status = 409, body = Problem, content_type = "application/problem+json", description = "It runs in another process"),
        (status = "default", body = Problem, content_type = "application/problem+json", description = "What went wrong")
    ))]
async fn stop(State(state): State<AppState>, Path(id): Path<RoundId>, Calling(caller): Calling) -> Result<Json<Round>, ApiError> {
    stop_own(&state, &id, &caller).await.map(Json)
}

/// # Errors
/// It is not the caller's, or another process runs it.
pub async fn stop_own(state: &AppState, id: &RoundId, caller: &Caller) -> Result<Round, ApiError> {
    open_own(state, id, caller).await?;
    match state.asker.stop(id).await? {
        Stopping::Finished(round) => Ok(round),
        Stopping::Elsewhere => Err(ApiError::new(
            StatusCode::CONFLICT,
            "This round does not run in this process. Stop it where it was asked; if that has ended, it is closed at the next start.",
        )),
    }
}

/// # Errors
/// There is no such round for the caller.
pub async fn open(state: &AppState, id: &RoundId, caller: &Caller) -> Result<Opened, ApiError> {
    access::open(&*state.services.rounds, &state.round_keys, id, caller).await.map_err(absent)
}

/// # Errors
/// As [`open`]; the caller may only read it.
pub async fn open_own(state: &AppState, id: &RoundId, caller: &Caller) -> Result<Opened, ApiError> {
    let opened = open(state, id, caller).await?;
    if opened.access != Access::Own {
        return Err(ApiError::new(
            StatusCode::FORBIDDEN,
            "This link is for reading. Only who asked may stop or rate a round; ask the question yourself.",
        ));
    }
    Ok(opened)
}

pub(super) fn absent(error: PortError) -> ApiError {
    absent_or_failed(error, "There is no such round for you. The id is mistyped, or it is another's who has not shared it.")
}

pub(super) fn absent_or_failed(error: PortError, detail: &str) -> ApiError {
    if error.kind == ErrorKind::NotFound { ApiError::not_found(detail) } else { error.into() }
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
