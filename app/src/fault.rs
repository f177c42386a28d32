//! What went wrong, in words for the person in front of the page.

use leptos::{prelude::*, server_fn::error::FromServerFnError};
use leptos_meta::Title;
use pipeline::model::problem::{FieldError, Problem};
use serde::{Deserialize, Serialize};

use crate::json_text::JsonText;

#[cfg(feature = "ssr")]
pub mod from_ports;

/// The error of every server function: an RFC 9457 problem whose title says what happened and whose detail says what to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{}", .0.title)]
#[serde(transparent)]
pub struct PageFault(pub Problem);

impl PageFault {
    pub fn new(status: u16, title: &str, detail: &str) -> Self {
        Self(Problem {
            problem_type: "about:blank".to_owned(),
            title: title.to_owned(),
            status,
            detail: detail.to_owned(),
            instance: String::new(),
            errors: Vec::new(),
        })
    }

    pub fn invalid(errors: Vec<FieldError>) -> Self {
        let mut fault = Self::new(400, "This search cannot be run as it is", "Change what is named below and search again.");
        fault.0.errors = errors;
        fault
    }
}

impl FromServerFnError for PageFault {
    type Encoder = JsonText;

    fn from_server_fn_error(error: ServerFnErrorErr) -> Self {
        match error {
            ServerFnErrorErr::Request(_) => Self::new(
                503,
                "The server could not be reached",
                "What is on the page stays as it is. Look at your connection, then try again.",
            ),
            _ => {
                Self::new(500, "Something went wrong on our side", "Load the page again; if it happens again, tell the operator.")
            }
        }
    }
}

/// What happened, what to do, and the request to name when asking for help.
#[component]
pub fn FaultNotice(fault: PageFault) -> impl IntoView {
    let Problem { title, detail, instance, errors, .. } = fault.0;
    let named = (!errors.is_empty()).then(|| {
        let lines = errors.into_iter().map(|error| view! { <li><strong>{error.field}</strong>": "{error.message}</li> });
        view! { <ul>{lines.collect_view()}</ul> }
    });
    view! {
        <div class="notice notice-fault" role="alert">
            <h2>{title}</h2>
            <p>{detail}</p>
            {named}
            <RequestName instance />
        </div>
    }
    .into_any()
}

/// A page that could not be shown.
#[component]
pub fn FaultPage(fault: PageFault) -> impl IntoView {
    let Problem { title, detail, instance, .. } = fault.0;
    view! {
        <Title text=title.clone() />
        <article class="prose">
            <h1>{title}</h1>
            <p>{detail}</p>
            <p>
                <a href="/">"Back to the search"</a>
            </p>
            <RequestName instance />
        </article>
    }
    .into_any()
}

/// What to name when asking for help.
#[component]
fn RequestName(instance: String) -> impl IntoView {
    (!instance.is_empty()).then(|| view! { <p class="quiet">"Request " <code>{instance}</code></p> })
}
