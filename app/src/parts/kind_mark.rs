//! The kind of an element: colour, shape and word, never one alone.

use leptos::prelude::*;
use pipeline::model::element::Kind;

/// The outline of a kind in a box of 16 by 16.
pub fn shape(kind: Kind) -> &'static str {
    match kind {
        Kind::Dataset => "M2.5 2.5h11v11h-11z",
        Kind::Notebook => "M8 1.8a6.2 6.2 0 1 0 0 12.4a6.2 6.2 0 1 0 0-12.4z",
        Kind::Publication => "M3.5 1.5h6l3 3v10h-9z",
        Kind::Map => "M8 1l7 7l-7 7l-7-7z",
        Kind::Code => "M4.4 2h7.2l3.6 6l-3.6 6h-7.2l-3.6-6z",
        Kind::Oer => "M8 1.6l6.8 12.4h-13.6z",
    }
}

/// The class that gives the colour of a kind.
pub fn class(kind: Kind) -> &'static str {
    match kind {
        Kind::Dataset => "kind-dataset",
        Kind::Notebook => "kind-notebook",
        Kind::Publication => "kind-publication",
        Kind::Map => "kind-map",
        Kind::Code => "kind-code",
        Kind::Oer => "kind-oer",
    }
}

#[component]
pub fn KindMark(kind: Kind) -> impl IntoView {
    view! {
        <span class=format!("kind {}", class(kind))>
            <svg viewBox="0 0 16 16" aria-hidden="true">
                <path d=shape(kind) />
            </svg>
            {kind.label()}
        </span>
    }
}
