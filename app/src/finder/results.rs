//! Filters and cards for one search.

use leptos::prelude::*;
use pipeline::model::{element::ElementId, query::SearchQuery, results::SearchResults};

use super::{
    active_filters::ActiveFilters,
    filters::Filters,
    form_values::FormValues,
    nothing_found::NothingFound,
    pager::Pager,
    place_choice::PlaceChoice,
    summary::{Caveats, Methods, SortChoice, Summary, range},
};
use crate::{
    fault::{FaultNotice, PageFault},
    parts::{CardNumber, ResultCard},
    query_string,
};

#[component]
pub fn ResultsView(
    /// The query string that was answered.
    search: String,
    found: Result<SearchResults, PageFault>,
    lit: RwSignal<Option<ElementId>>,
    /// The answer, where the question was asked.
    children: Children,
) -> impl IntoView {
    let query = query_string::read(&search).unwrap_or_default();
    let values = FormValues::read(&search);
    let facets = found.as_ref().map(|found| found.facets.clone()).unwrap_or_default();
    let list = match found {
        Ok(found) => view! { <Found query=query.clone() found lit /> }.into_any(),
        Err(fault) => view! { <FaultNotice fault /> }.into_any(),
    };
    view! {
        <Filters values facets query=query.clone() />
        <section class="results" aria-label="Results">
            <h1 class="visually-hidden">"Search results"</h1>
            <div class="sheet-buttons">
                <button type="button" popovertarget="filters">
                    "Filters"
                </button>
                <button type="button" popovertarget="map-sheet">
                    "Map"
                </button>
            </div>
            <ActiveFilters query />
            {children()}
            {list}
        </section>
    }
    .into_any()
}

#[component]
fn Found(query: SearchQuery, found: SearchResults, lit: RwSignal<Option<ElementId>>) -> impl IntoView {
    let (first, last) = range(&query, &found);
    let SearchResults { total, items, methods, place, without_footprint, removed_by, next_cursor, elapsed_ms, .. } = found;
    let nothing = items.is_empty().then(|| view! { <NothingFound query=query.clone() removed_by /> });
    let cards = items.into_iter().map(|item| {
        let number = CardNumber(item.position);
        view! { <ResultCard item number lit query=query.clone() /> }
    });
    view! {
        {place.map(|outcome| view! { <PlaceChoice outcome query=query.clone() /> })}
        <div class="summary">
            <Summary total first last elapsed_ms />
            <SortChoice sort=query.sort />
        </div>
        <Caveats methods=methods.clone() without_footprint />
        {nothing}
        <ol class="cards" start=first>{cards.collect_view()}</ol>
        <Pager query=query.clone() next_cursor />
        <Methods methods />
    }
    .into_any()
}
