//! Errors as RFC 9457 problem details: every error of the API, and what the pages' own error pages do not reach.

use std::{any::Any, time::Duration};

use axum::{
    Json,
    body::Body,
    extract::Request,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use pipeline::{
    model::problem::{FieldError, Problem},
    ports::{ErrorKind, PortError},
    search::SearchError,
};

use super::{request_id::RequestId, security};

mod page;

const MEDIA_TYPE: &str = "application/problem+json";

/// What a handler returns when it cannot answer.
#[derive(Debug)]
pub struct ApiError {
    problem: Problem,
    retry_after: Option<Duration>,
}

impl ApiError {
    pub fn new(status: StatusCode, detail: impl Into<String>) -> Self {
        let problem = Problem {
            problem_type: format!("urn:cairn:problem:{}", name(status)),
            title: title(status).to_owned(),
            status: status.as_u16(),
            detail: detail.into(),
            instance: String::new(),
            errors: Vec::new(),
        };
        Self { problem, retry_after: None }
    }

    /// Faults of a request, by field.
    pub fn invalid(errors: Vec<FieldError>) -> Self {
        let mut error = Self::new(StatusCode::BAD_REQUEST, "Change what `errors` names and send it again.");
        error.problem.errors = errors;
        error
    }

    pub fn not_found(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, detail)
    }

    fn of_status(status: StatusCode) -> Self {
        Self::new(status, detail(status))
    }
}

/// The one place where the kind of a port's error becomes a status.
pub fn status_of(kind: ErrorKind) -> StatusCode {
    match kind {
        ErrorKind::Invalid => StatusCode::BAD_REQUEST,
        ErrorKind::NotFound => StatusCode::NOT_FOUND,
        ErrorKind::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        ErrorKind::TimedOut => StatusCode::GATEWAY_TIMEOUT,
        ErrorKind::Incompatible | ErrorKind::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

impl From<PortError> for ApiError {
    fn from(error: PortError) -> Self {
        let status = status_of(error.kind);
        if status.is_server_error() {
            tracing::error!(operation = error.operation, kind = ?error.kind, cause = %error.source, "a request failed");
        }
        // only what is wrong with a request is said in the engine's words
        let mut answer =
            if error.kind == ErrorKind::Invalid { Self::new(status, error.source.to_string()) } else { Self::of_status(status) };
        answer.retry_after = error.retry_after;
        answer
    }
}

impl From<SearchError> for ApiError {
    fn from(error: SearchError) -> Self {
        match error {
            SearchError::Invalid(errors) => Self::invalid(errors),
            SearchError::Failed(error) => error.into(),
        }
    }
}

impl IntoResponse for ApiError {
    /// The body is written by [`finish`], which knows the request.
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = status.into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds.as_secs().max(1)));
        }
        response.extensions_mut().insert(self.problem);
        response
    }
}

/// Writes the body of each error: a problem for programs, a plain page for people.
pub async fn finish(request: Request, next: Next) -> Response {
    let instance = request.extensions().get::<RequestId>().map(|id| id.0.clone()).unwrap_or_default();
    let for_a_person = wants_html(request.headers()) && !request.uri().path().starts_with("/api");
    let mut response = next.run(request).await;
    let problem = match response.extensions_mut().remove::<Problem>() {
        Some(problem) => Some(problem),
        None if is_bare_error(&response) => Some(ApiError::of_status(response.status()).problem),
        None => None,
    };
    let Some(mut problem) = problem else { return response };
    problem.instance = instance;
    let (media_type, body) = if for_a_person {
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, security::STATIC_PAGE_POLICY);
        ("text/html; charset=utf-8", Body::from(page::render(&problem)))
    } else {
        (MEDIA_TYPE, Json(&problem).into_response().into_body())
    };
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    response.headers_mut().remove(header::CONTENT_LENGTH);
    *response.body_mut() = body;
    response
}

/// An error without a body of its own kind: what Axum says in plain text.
fn is_bare_error(response: &Response) -> bool {
    let status = response.status();
    let media_type = response.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    (status.is_client_error() || status.is_server_error()) && (media_type.is_empty() || media_type.starts_with("text/plain"))
}

fn wants_html(headers: &HeaderMap) -> bool {
    headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).is_some_and(|accept| accept.contains("text/html"))
}

pub async fn no_such_address() -> ApiError {
    ApiError::of_status(StatusCode::NOT_FOUND)
}

pub fn panicked(cause: Box<dyn Any + Send + 'static>) -> Response {
    let cause = cause.downcast_ref::<String>().map(String::as_str).or_else(|| cause.downcast_ref::<&str>().copied());
    tracing::error!(cause = cause.unwrap_or("unknown"), "a handler panicked");
    ApiError::of_status(StatusCode::INTERNAL_SERVER_ERROR).into_response()
}

fn name(status: StatusCode) -> &'static str {
    match status {
        StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY => "invalid",
        StatusCode::FORBIDDEN => "forbidden",
        StatusCode::NOT_FOUND => "not-found",
        StatusCode::METHOD_NOT_ALLOWED => "method-not-allowed",
        StatusCode::PAYLOAD_TOO_LARGE => "too-large",
        StatusCode::UNSUPPORTED_MEDIA_TYPE => "unsupported-media-type",
        StatusCode::SERVICE_UNAVAILABLE => "unavailable",
        StatusCode::GATEWAY_TIMEOUT => "timed-out",
        status if status.is_client_error() => "refused",
        _ => "internal",
    }
}

fn title(status: StatusCode) -> &'static str {
    match name(status) {
        "invalid" => "The request is not valid",
        "forbidden" => "The request is not allowed",
        "not-found" => "There is nothing here",
        "method-not-allowed" => "This address does not take such a request",
        "too-large" => "The request is too large",
        "unsupported-media-type" => "The request has a form that is not read here",
        "unavailable" => "The service cannot answer at the moment",
        "timed-out" => "The answer took too long",
        "refused" => "The request was refused",
        _ => "Something went wrong on our side",
    }
}

fn detail(status: StatusCode) -> &'static str {
    match name(status) {
        "not-found" => "Look at the address; /api/v1/openapi.json lists what there is.",
        "method-not-allowed" => "Use a method the `Allow` header names.",
        "too-large" => "Send less at once.",
        "unsupported-media-type" => "Send JSON, with the header Content-Type: application/json.",
        "unavailable" | "timed-out" => "Try again in a moment; nothing is lost.",
        "internal" => "Try again; if it fails again, tell the operator the request id.",
        _ => "Look at the request; /api/v1/openapi.json says what is taken.",
    }
}
