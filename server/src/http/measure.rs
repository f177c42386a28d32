//! Each request in the log and in the metrics, by its route: paths and queries hold what people look for.

use std::time::Instant;

use axum::{
    extract::{MatchedPath, Request},
    middleware::Next,
    response::Response,
};
use tracing::Instrument;

use super::request_id::RequestId;

pub async fn measure(request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().map_or_else(|| "none".to_owned(), |path| path.as_str().to_owned());
    let method = request.method().to_string();
    let id = request.extensions().get::<RequestId>().map(|id| id.0.clone()).unwrap_or_default();
    let span = tracing::info_span!("request", %id, %method, %route);
    let started = Instant::now();
    let response = next.run(request).instrument(span.clone()).await;
    let elapsed = started.elapsed();
    let status = response.status().as_u16();
    span.in_scope(|| {
        tracing::debug!(status, elapsed_ms = elapsed.as_secs_f64() * 1e3, "answered");
        // that a server is not ready yet is an answer, not an error
        if status >= 500 && route != "/readyz" {
            tracing::warn!(status, "answered with an error");
        }
    });
    let labels = [("route", route), ("method", method), ("status", status.to_string())];
    metrics::counter!("cairn_http_requests_total", &labels).increment(1);
    metrics::histogram!("cairn_http_request_seconds", &labels).record(elapsed);
    response
}
