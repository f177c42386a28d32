//! Asking from the results: the box on top does the same, further from the map.

use leptos::prelude::*;

use crate::{query_string, round::AskForm};

/// Asks the search's words under an area that was drawn or typed.
#[component]
pub fn AskHere(
    /// The query string of the search.
    search: String,
) -> impl IntoView {
    let query = query_string::read(&search).ok()?;
    if query.filter.area.is_none() || query.q.is_empty() {
        return None;
    }
    Some(view! {
        <AskForm search class="inline">
            <input type="hidden" name="q" value=query.q />
            <button type="submit">"Answer from the area drawn"</button>
        </AskForm>
    })
}
