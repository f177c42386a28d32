//! Why a call ended without a whole reply. No text of a prompt or a reply is in a reason: servers put both in their messages.

use std::error::Error;

use async_openai::error::OpenAIError;

use crate::model::round::Outcome;

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub outcome: Outcome,
    pub reason: String,
}

impl Fault {
    pub fn failed(reason: impl Into<String>) -> Self {
        Self { outcome: Outcome::Failed, reason: reason.into() }
    }

    pub fn timed_out(reason: impl Into<String>) -> Self {
        Self { outcome: Outcome::TimedOut, reason: reason.into() }
    }
}

impl From<OpenAIError> for Fault {
    fn from(error: OpenAIError) -> Self {
        match error {
            OpenAIError::ApiError(reply) => {
                let named: Vec<String> = reply.api_error.r#type.into_iter().chain(reply.api_error.code).collect();
                let declined = named.iter().any(|name| name.starts_with("content_"));
                let outcome = if declined { Outcome::Refused } else { Outcome::Failed };
                Self { outcome, reason: format!("the server says {} {}", reply.status_code, named.join(" ")).trim().to_owned() }
            }
            OpenAIError::Reqwest(error) => Self::failed(causes(&error.without_url())),
            OpenAIError::StreamError(_) => Self::failed("the stream broke"),
            OpenAIError::JSONDeserialize(..) => Self::failed("the server sent what is no reply of a model"),
            OpenAIError::InvalidArgument(_) => Self::failed("the request could not be written"),
            // whatever else is about files
            _ => Self::failed("the client failed"),
        }
    }
}

/// An error and what it comes from, the address apart.
fn causes(error: &(dyn Error + 'static)) -> String {
    let mut causes = vec![error.to_string()];
    let mut next = error.source();
    while let Some(error) = next {
        causes.push(error.to_string());
        next = error.source();
    }
    causes.dedup();
    causes.join(": ")
}
