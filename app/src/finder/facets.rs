//! Values with counts to choose from.

use leptos::prelude::*;
use pipeline::model::{period::Interval, query::SearchQuery, results::FacetCount};

use super::{FORM, search_box::submit_form};
use crate::{query_string, words};

/// Values shown before "more".
const SHOWN: usize = 8;
/// Decades shown at most, the latest ones.
const SHOWN_DECADES: usize = 10;
/// The height of the highest bar.
const BAR: f64 = 28.0;

/// Checkboxes by value: the chosen ones first, then the most frequent.
#[component]
pub fn FacetChoices(
    legend: &'static str,
    parameter: &'static str,
    chosen: Vec<String>,
    counts: Vec<FacetCount>,
) -> impl IntoView {
    let count_of = |value: &str| counts.iter().find(|count| count.value == value).map(|count| count.count);
    let first: Vec<(String, Option<u64>, bool)> = chosen.iter().map(|value| (value.clone(), count_of(value), true)).collect();
    let others = counts.iter().filter(|count| !chosen.contains(&count.value));
    let choices: Vec<_> = first.into_iter().chain(others.map(|count| (count.value.clone(), Some(count.count), false))).collect();
    if choices.is_empty() {
        return None;
    }
    let choice = move |(value, count, checked): (String, Option<u64>, bool)| {
        view! {
            <li>
                <label>
                    <input
                        type="checkbox"
                        form=FORM
                        name=parameter
                        value=value.clone()
                        checked=checked
                        prop:checked=checked
                        on:change=|_| submit_form()
                    />
                    <span class="value">{value}</span>
                    {count.map(|count| view! { <span class="count">{words::count(count)}</span> })}
                </label>
            </li>
        }
    };
    let mut choices = choices.into_iter();
    let shown = choices.by_ref().take(SHOWN.max(chosen.len())).map(choice).collect_view();
    let more: Vec<_> = choices.collect();
    let more = (!more.is_empty()).then(|| {
        view! {
            <details>
                <summary>{format!("{} more", more.len())}</summary>
                <ul class="choices">{more.into_iter().map(choice).collect_view()}</ul>
            </details>
        }
    });
    Some(
        view! {
            <fieldset>
                <legend>{legend}</legend>
                <ul class="choices">{shown}</ul>
                {more}
            </fieldset>
        }
        .into_any(),
    )
}

/// A bar a decade, each a link that sets the time range to it.
#[component]
pub fn Decades(decades: Vec<FacetCount>, query: SearchQuery) -> impl IntoView {
    let mut decades: Vec<(i32, u64)> =
        decades.iter().filter_map(|facet| Some((facet.value.parse().ok()?, facet.count))).collect();
    decades.sort_unstable();
    let decades = decades.split_off(decades.len().saturating_sub(SHOWN_DECADES));
    let most = decades.iter().map(|(_, count)| *count).max()?;
    let bars = decades.into_iter().map(|(decade, count)| {
        let height = (count as f64 / most as f64 * BAR).max(2.0);
        let mut narrowed = query_string::first_page(&query);
        narrowed.filter.datetime = format!("{decade:04}/{:04}", decade + 9).parse::<Interval>().ok();
        view! {
            <li>
                <a href=query_string::search_address(&narrowed)>
                    <svg viewBox="0 0 10 28" preserveAspectRatio="none" aria-hidden="true">
                        <rect x="0" y=BAR - height width="10" height=height />
                    </svg>
                    <span aria-hidden="true">{format!("’{:02}", decade.rem_euclid(100))}</span>
                    <span class="visually-hidden">{format!("{decade} to {}: {}", decade + 9, words::count(count))}</span>
                </a>
            </li>
        }
    });
    Some(view! { <ol class="decades" aria-label="By decade">{bars.collect_view()}</ol> })
}
