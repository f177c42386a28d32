//! A reply begins within a time or is an error. Streams may go on as long as they like once they have begun.

use std::time::Duration;

use axum::{
    extract::{Request, State},
    http::StatusCode,
    middleware::Next,
    response::{IntoResponse, Response},
};

use super::problems::ApiError;

pub async fn limit(State(timeout): State<Duration>, request: Request, next: Next) -> Response {
    match tokio::time::timeout(timeout, next.run(request)).await {
        Ok(response) => response,
        Err(_) => {
            let detail = format!("There was no answer within {} seconds. Try again, or ask for less at once.", timeout.as_secs());
            ApiError::new(StatusCode::SERVICE_UNAVAILABLE, detail).into_response()
        }
    }
}
