//! The ways to the next page and back to the first.

use leptos::prelude::*;
use pipeline::model::{cursor::Cursor, query::SearchQuery};

use crate::query_string;

#[component]
pub fn Pager(query: SearchQuery, next_cursor: Option<String>) -> impl IntoView {
    let first = query.cursor.is_some().then(|| query_string::search_address(&query_string::first_page(&query)));
    let next = next_cursor.and_then(|cursor| Cursor::decode(&cursor).ok()).map(|cursor| {
        let mut following = query.clone();
        following.cursor = Some(cursor);
        query_string::search_address(&following)
    });
    (first.is_some() || next.is_some()).then(|| {
        view! {
            <nav class="pager" aria-label="Pages">
                {first.map(|address| view! { <a href=address>"First page"</a> })}
                {next.map(|address| view! { <a class="next" rel="next" href=address>"Next page"</a> })}
            </nav>
        }
    })
}
