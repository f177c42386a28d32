//! The errors of the server's ports as faults of a page; each also sets the status of the reply.

use leptos::prelude::*;
use pipeline::{
    model::problem::FieldError,
    ports::{ErrorKind, PortError},
    search::SearchError,
};

use super::PageFault;
use crate::settings::RequestId;

/// A context the server gives to every page.
///
/// # Errors
/// It was not given: a fault of the server's wiring.
pub fn server_context<T: Clone + Send + Sync + 'static>() -> Result<T, PageFault> {
    use_context::<T>().ok_or_else(|| {
        replied(PageFault::new(500, "This server is not set up", "Tell the operator; nothing on your side is wrong."))
    })
}

pub fn invalid(errors: Vec<FieldError>) -> PageFault {
    replied(PageFault::invalid(errors))
}

pub fn search_failed(error: SearchError) -> PageFault {
    match error {
        SearchError::Invalid(errors) => invalid(errors),
        SearchError::Failed(error) => port_failed(error),
    }
}

pub fn not_found(title: &str, detail: &str) -> PageFault {
    replied(PageFault::new(404, title, detail))
}

/// As [`port_failed`], with words of its own for what is not there.
pub fn absent_or_failed(error: PortError, title: &str, detail: &str) -> PageFault {
    if error.kind == ErrorKind::NotFound { not_found(title, detail) } else { port_failed(error) }
}

pub fn port_failed(error: PortError) -> PageFault {
    let fault = match error.kind {
        ErrorKind::Invalid => PageFault::new(400, "This cannot be shown as asked", "Go back to the search and start from there."),
        ErrorKind::NotFound => {
            PageFault::new(404, "There is nothing here", "The address may be mistyped, or what was here was withdrawn.")
        }
        ErrorKind::Unavailable | ErrorKind::TimedOut => {
            PageFault::new(503, "The catalogue does not answer at the moment", "Try again in a minute; nothing is lost.")
        }
        ErrorKind::Incompatible | ErrorKind::Internal => {
            PageFault::new(500, "Something went wrong on our side", "Try again; if it happens again, tell the operator.")
        }
    };
    tracing::error!(operation = error.operation, kind = ?error.kind, cause = %error.source, "a page could not be shown");
    replied(fault)
}

fn replied(mut fault: PageFault) -> PageFault {
    if let (Some(reply), Ok(status)) = (use_context::<leptos_axum::ResponseOptions>(), fault.0.status.try_into()) {
        reply.set_status(status);
    }
    fault.0.instance = use_context::<RequestId>().map(|id| id.0).unwrap_or_default();
    fault
}
