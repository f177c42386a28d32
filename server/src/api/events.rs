//! `/rounds/{id}/events`: a round's log as server-sent events, from any point on, until it is finished.

use std::{convert::Infallible, time::Duration};

use axum::{
    extract::{Path, State},
    http::{HeaderMap, HeaderName, header},
    response::{
        IntoResponse, Response,
        sse::{Event, KeepAlive, Sse},
    },
};
use futures::{StreamExt, stream};
use pipeline::model::{
    problem::{FieldError, Problem},
    round::{RoundId, TraceEvent},
};

use super::rounds::open;
use crate::http::{AppState, owner::Calling, problems::ApiError};

/// Proxies close connections that say nothing for a minute or so.
const HEARTBEAT: Duration = Duration::from_secs(15);
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// The events of a round: those there are, then those to come. `event` is the stage, `id` the event's number, `data` the
/// event. After the last one `done` follows and the stream ends; a stream that ends without it can be resumed.
#[utoipa::path(get, path = "/rounds/{id}/events", tag = "rounds",
    params(
        ("id" = String, Path, description = "The round's id"),
        ("key" = Option<String>, Query, description = "Opens it without the owner's cookie"),
        ("last-event-id" = Option<u64>, Header, description = "Only events after this one; browsers send it when they reconnect")
    ),
    responses(
        (status = 200, body = TraceEvent, content_type = "text/event-stream", description = "Server-sent events"),
        (status = 404, body = Problem, content_type = "application/problem+json", description = "There is none, or it is another's"),
        (status = "default", body = Problem, content_type = "application/problem+json", description = "What went wrong")
    ))]
pub(super) async fn events(
    State(state): State<AppState>,
    Path(id): Path<RoundId>,
    Calling(caller): Calling,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let after = last_seen(&headers).map_err(|error| ApiError::invalid(vec![error]))?;
    open(&state, &id, &caller).await?;
    let log = state.asker.follow(&id, after).await?;
    let events = log
        .map(|event| sent(&event))
        .chain(stream::once(async { Event::default().event("done").data("{}") }))
        .map(Ok::<_, Infallible>)
        .take_until(Box::pin(state.shutdown.ended()));
    let heartbeat = KeepAlive::new().interval(HEARTBEAT).text("heartbeat");
    let unbuffered = [(HeaderName::from_static("x-accel-buffering"), "no"), (header::CACHE_CONTROL, "no-cache, no-transform")];
    Ok((unbuffered, Sse::new(events).keep_alive(heartbeat)).into_response())
}

fn last_seen(headers: &HeaderMap) -> Result<u64, FieldError> {
    let Some(value) = headers.get(LAST_EVENT_ID) else { return Ok(0) };
    let number = value.to_str().ok().and_then(|text| text.trim().parse().ok());
    number.ok_or_else(|| FieldError::new("last-event-id", "give the id of the last event that came, a number"))
}

fn sent(event: &TraceEvent) -> Event {
    let named = Event::default().id(event.seq.to_string()).event(event.stage.name());
    match named.json_data(event) {
        Ok(event) => event,
        Err(error) => {
            tracing::error!(round = %event.round, seq = event.seq, %error, "an event cannot be written as JSON");
            Event::default().comment("an event could not be written")
        }
    }
}
