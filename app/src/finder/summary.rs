//! The line above the results: how many, in what order, and what did not work.

use leptos::prelude::*;
use pipeline::model::{
    query::{SearchQuery, Sort},
    results::{MethodReport, MethodStatus, SearchResults},
};

use super::{FORM, search_box::submit_form};
use crate::words;

#[component]
pub fn Summary(total: u64, first: u64, last: u64, elapsed_ms: f64) -> impl IntoView {
    let range =
        (total > 0 && (first > 1 || last < total)).then(|| format!("{} to {} shown", words::count(first), words::count(last)));
    view! {
        <div class="total" role="status">
            <h2>{words::counted(total, "result", "results")}</h2>
            <p>{range} <span class="quiet">" in " {words::duration(elapsed_ms)}</span></p>
        </div>
    }
}

#[component]
pub fn SortChoice(sort: Sort) -> impl IntoView {
    let options = Sort::ALL.into_iter().map(|option| {
        let selected = option == sort;
        view! { <option value=option.name() selected=selected prop:selected=selected>{sort_words(option)}</option> }
    });
    view! {
        <label class="sort">
            "Sort by "
            <select form=FORM name="sort" on:change=|_| submit_form()>
                {options.collect_view()}
            </select>
        </label>
    }
    .into_any()
}

fn sort_words(sort: Sort) -> &'static str {
    match sort {
        Sort::Relevance => "relevance",
        Sort::Popular => "most opened",
        Sort::Newest => "newest",
        Sort::Title => "title",
    }
}

/// What to know about the count: methods that did not answer, and elements the area could not be asked of.
#[component]
pub fn Caveats(methods: Vec<MethodReport>, without_footprint: u64) -> impl IntoView {
    let degraded = methods.into_iter().filter(|method| method.status == MethodStatus::Degraded).map(|method| {
        let reason = method.reason.unwrap_or_else(|| "it did not answer".to_owned());
        view! { <li class="degraded">{format!("{} search took no part: {reason}", capitalised(method.name.name()))}</li> }
    });
    let uncounted = (without_footprint > 0).then(|| {
        let many = words::counted(without_footprint, "more element fits", "more elements fit");
        view! { <li>{many}" but "{if without_footprint == 1 { "has" } else { "have" }}" no footprint, so the area could not be asked of "{if without_footprint == 1 { "it" } else { "them" }}"."</li> }
    });
    let lines = (degraded.collect_view(), uncounted);
    (!lines.0.is_empty() || lines.1.is_some()).then(|| view! { <ul class="caveats">{lines.0} {lines.1}</ul> })
}

/// Each method with what it brought and how long it took.
#[component]
pub fn Methods(methods: Vec<MethodReport>) -> impl IntoView {
    let rows = methods.into_iter().map(|method| {
        let outcome = match method.status {
            MethodStatus::Ok => words::counted(method.count, "candidate", "candidates"),
            MethodStatus::Skipped => "not asked".to_owned(),
            MethodStatus::Degraded => "did not answer".to_owned(),
        };
        let elapsed = (method.status != MethodStatus::Skipped).then(|| words::duration(method.elapsed_ms));
        view! {
            <tr>
                <th scope="row">{method.name.name()}</th>
                <td>{outcome}</td>
                <td class="figure">{elapsed}</td>
                <td class="quiet">{method.reason}</td>
            </tr>
        }
    });
    view! {
        <details class="methods">
            <summary>"How these were found"</summary>
            <table>
                <thead>
                    <tr>
                        <th scope="col">"Method"</th>
                        <th scope="col">"Brought"</th>
                        <th scope="col">"Time"</th>
                        <th scope="col">"Note"</th>
                    </tr>
                </thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
        </details>
    }
    .into_any()
}

/// The places of the first and last card in the whole list, 1-based.
pub fn range(query: &SearchQuery, results: &SearchResults) -> (u64, u64) {
    let first = query.cursor.as_ref().map_or(1, |cursor| cursor.offset + 1);
    (first, (first + results.items.len() as u64).saturating_sub(1))
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
