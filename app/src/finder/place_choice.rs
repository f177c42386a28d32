//! Which place a name was taken for, and the others it could mean.

use leptos::prelude::*;
use pipeline::model::{
    place::{PlaceOutcome, PlaceStatus},
    query::SearchQuery,
};

use crate::query_string;

#[component]
pub fn PlaceChoice(outcome: PlaceOutcome, query: SearchQuery) -> impl IntoView {
    let PlaceOutcome { name, status, chosen, alternatives, reason } = outcome;
    match (status, chosen) {
        (PlaceStatus::Found | PlaceStatus::Ambiguous, Some(chosen)) => {
            let others = alternatives.into_iter().filter(|place| place.id != chosen.id).map(|place| {
                let mut other = query_string::first_page(&query);
                other.place_id = Some(place.id);
                view! { <li><a href=query_string::search_address(&other)>{place.label}</a></li> }
            });
            let others = others.collect_view();
            let taken = format!("“{name}” is taken as {}", chosen.label);
            if others.is_empty() {
                return view! { <p class="place-choice">{taken}</p> }.into_any();
            }
            view! {
                <details class="place-choice">
                    <summary>{taken} " — " <span class="action">"change"</span></summary>
                    <p class="quiet">{reason}</p>
                    <ul>{others}</ul>
                </details>
            }
            .into_any()
        }
        _ => {
            let lift = query.place.is_some().then(|| {
                let without = query_string::search_address(&query_string::without(&query, "place"));
                view! { " "<a href=without>"Search without the place"</a> }
            });
            view! { <p class="notice" role="status">{reason}{lift}</p> }.into_any()
        }
    }
}
