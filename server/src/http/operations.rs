//! What operators and their machines ask: is it alive, is it usable, what has it done.

use axum::{Json, extract::State, http::StatusCode, response::IntoResponse};
use pipeline::{
    catalog::projection,
    ports::{PortError, search_index::IndexPart},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use super::AppState;

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(healthz)).routes(routes!(readyz)).routes(routes!(metrics))
}

/// Whether the server can be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Readiness {
    pub ready: bool,
    /// Why it is not ready, a sentence each.
    pub reasons: Vec<String>,
    /// What works less well than it could, a sentence each.
    pub degraded: Vec<String>,
}

/// Whether the process answers at all.
#[utoipa::path(get, path = "/healthz", tag = "operations", responses((status = 200, description = "It does", body = String)))]
async fn healthz() -> &'static str {
    "ok\n"
}

/// Whether searches can be answered.
#[utoipa::path(get, path = "/readyz", tag = "operations",
    responses((status = 200, body = Readiness, description = "Usable"), (status = 503, body = Readiness, description = "Not usable yet")))]
async fn readyz(State(state): State<AppState>) -> impl IntoResponse {
    let readiness = readiness(&state).await;
    let status = if readiness.ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, Json(readiness))
}

async fn readiness(state: &AppState) -> Readiness {
    let services = &state.services;
    let mut reasons = Vec::new();
    if let Err(error) = services.records.last_seq().await {
        reasons.push(sentence("The records do not answer", &error));
    }
    match services.index.checkpoint(IndexPart::Text).await {
        Ok(checkpoint) if checkpoint < state.usable_from => {
            reasons.push(format!("The search index is being filled: {checkpoint} of {} changes.", state.usable_from));
        }
        Ok(_) => {}
        Err(error) => reasons.push(sentence("The search index does not answer", &error)),
    }
    let mut degraded = Vec::new();
    if let Err(reason) = &services.embedder {
        degraded.push(format!("Semantic search is off: {reason}"));
    }
    if let Some(language) = &services.language
        && let Err(error) = language.ready().await
    {
        degraded.push(sentence("The language model does not answer, so that answers are extracted", &error));
    }
    if let Err(error) = services.graph.checkpoint().await {
        degraded.push(sentence("The graph does not answer", &error));
    }
    Readiness { ready: reasons.is_empty(), reasons, degraded }
}

fn sentence(what: &str, error: &PortError) -> String {
    format!("{what} ({error}: {}).", error.source)
}

/// Counters and times in the text format of Prometheus.
#[utoipa::path(get, path = "/metrics", tag = "operations", responses((status = 200, description = "Metrics", body = String)))]
async fn metrics(State(state): State<AppState>) -> impl IntoResponse {
    record_projections(&state).await;
    let text = state.metrics.as_ref().map(|metrics| metrics.render()).unwrap_or_default();
    ([("content-type", "text/plain; version=0.0.4; charset=utf-8")], text)
}

/// How far each projection is behind the records, at the moment of asking.
async fn record_projections(state: &AppState) {
    let services = &state.services;
    if let Ok(lags) = projection::lag(services).await {
        for lag in lags.iter().filter(|lag| lag.error.is_none()) {
            metrics::gauge!("cairn_projection_lag", "projection" => lag.name).set(lag.rows() as f64);
        }
    }
    if let Ok(count) = services.records.count().await {
        metrics::gauge!("cairn_elements").set(count as f64);
    }
}
