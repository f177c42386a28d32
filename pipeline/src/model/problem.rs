//! What is wrong with an input, field by field, in words that say what to do.

use serde::{Deserialize, Serialize};

/// One fault of one field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[error("{field}: {message}")]
pub struct FieldError {
    pub field: String,
    pub message: String,
}

impl FieldError {
    pub fn new(field: &str, message: impl Into<String>) -> Self {
        Self { field: field.to_owned(), message: message.into() }
    }
}

/// RFC 9457 problem details.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Problem {
    /// A URI reference that names the kind of problem.
    #[serde(rename = "type")]
    pub problem_type: String,
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// A sentence that says what to do.
    pub detail: String,
    /// The request id.
    pub instance: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<FieldError>,
}
