//! Nothing found: which filter is in the way, and one click to lift it.

use leptos::prelude::*;
use pipeline::model::{query::SearchQuery, results::FilterEffect};

use crate::{query_string, words};

#[component]
pub fn NothingFound(query: SearchQuery, removed_by: Vec<FilterEffect>) -> impl IntoView {
    let helpful: Vec<FilterEffect> = removed_by.into_iter().filter(|effect| effect.found_without > 0).collect();
    let advice = if helpful.is_empty() {
        "No filter alone is in the way. Try fewer or more general words, or ask in a sentence."
    } else {
        "These filters are in the way:"
    };
    let lifts = helpful.into_iter().map(|effect| {
        let address = query_string::search_address(&query_string::without(&query, &effect.parameter));
        view! {
            <li>
                <a href=address>"Lift the "{filter_words(&effect.parameter)}</a>
                {format!(": {} would be found", words::counted(effect.found_without, "element", "elements"))}
            </li>
        }
    });
    view! {
        <div class="nothing">
            <h2>"Nothing fits all of this"</h2>
            <p>{advice}</p>
            <ul>{lifts.collect_view()}</ul>
            <p>
                <a href="/?sort=popular">"Browse the whole catalogue"</a>
            </p>
        </div>
    }
    .into_any()
}

fn filter_words(parameter: &str) -> String {
    match parameter {
        "datetime" => "time range".to_owned(),
        "bbox" | "geometry" | "area" => "area".to_owned(),
        "place" => "place".to_owned(),
        "q" => "words".to_owned(),
        other => format!("{other} filter"),
    }
}
