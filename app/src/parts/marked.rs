//! Text with the words that matched.

use leptos::{either::Either, prelude::*};
use pipeline::model::results::Marked;

#[component]
pub fn MarkedText(text: Marked) -> impl IntoView {
    text.0
        .into_iter()
        .map(|part| if part.marked { Either::Left(view! { <mark>{part.text}</mark> }) } else { Either::Right(part.text) })
        .collect_view()
}
