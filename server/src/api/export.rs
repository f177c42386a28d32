//! `/rounds/{id}/export`: a round to keep, as Markdown or JSON.

use axum::{
    Json,
    extract::{Path, Query, State},
    http::{HeaderMap, header},
    response::{IntoResponse, Response},
};
use pipeline::{
    ask::{access, export::markdown},
    model::{
        feedback::Feedback,
        problem::Problem,
        round::{Round, RoundId, TraceEvent},
    },
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::rounds::absent;
use crate::http::{AppState, owner::Calling, problems::ApiError};

#[derive(Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum Format {
    /// For people.
    #[default]
    Md,
    /// The round with all its events, and the owner's feedback.
    Json,
}

/// Everything about a round but the key to it.
#[derive(Serialize, ToSchema)]
struct WholeRound {
    round: Round,
    events: Vec<TraceEvent>,
    /// What its owner makes of it, for the owner alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    feedback: Option<Feedback>,
}

#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Wanted {
    #[serde(default)]
    #[param(inline, default = "md")]
    format: Format,
    /// Opens the round without the owner's cookie
    #[serde(rename = "key")]
    _key: Option<String>,
}

/// A round as a file: the question, the answer with its sources and how it was found, or the whole log.
#[utoipa::path(get, path = "/rounds/{id}/export", tag = "rounds", params(("id" = String, Path, description = "The round's id"), Wanted),
    responses(
        (status = 200, description = "The file", content((String = "text/markdown"), (WholeRound = "application/json"))),
        (status = 404, body = Problem, content_type = "application/problem+json", description = "There is none, or it is another's"),
        (status = "default", body = Problem, content_type = "application/problem+json", description = "What is wrong")
    ))]
pub(super) async fn export(
    State(state): State<AppState>,
    Path(id): Path<RoundId>,
    Query(wanted): Query<Wanted>,
    Calling(caller): Calling,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let view = access::view(&*state.services.rounds, &state.round_keys, &id, &caller).await.map_err(absent)?;
    // ids are hexadecimal digits and hyphens; one that came otherwise does not reach the header
    let name: String = id.0.chars().filter(|character| character.is_ascii_alphanumeric() || *character == '-').collect();
    let (extension, file) = match wanted.format {
        Format::Md => {
            let text = markdown(&view, &site_address(&state, &headers));
            ("md", ([(header::CONTENT_TYPE, "text/markdown; charset=utf-8")], text).into_response())
        }
        Format::Json => {
            let whole = WholeRound { round: view.round, events: view.events, feedback: view.feedback };
            ("json", Json(whole).into_response())
        }
    };
    let disposition = format!("attachment; filename=\"cairn-{name}.{extension}\"");
    Ok(([(header::CONTENT_DISPOSITION, disposition)], file).into_response())
}

/// Where readers of the file find the pages.
fn site_address(state: &AppState, headers: &HeaderMap) -> String {
    if let Some(url) = &state.server.public_url {
        return url.clone();
    }
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or("localhost");
    format!("http://{host}")
}
