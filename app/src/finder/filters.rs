//! The filters beside the results: one plain form with the box on top, so that they work without JavaScript.

use leptos::prelude::*;
use pipeline::model::{
    element::Kind,
    place::Relation,
    query::SearchQuery,
    results::{FacetCount, Facets},
};

use super::{
    FORM,
    facets::{Decades, FacetChoices},
    form_values::FormValues,
    search_box::submit_form,
};
use crate::{parts::KindMark, words};

#[component]
pub fn Filters(values: FormValues, facets: Facets, query: SearchQuery) -> impl IntoView {
    let Facets { kinds, tags, contributors, decades } = facets;
    let clear = clear_address(&query);
    view! {
        <aside class="filters sheet" id="filters" popover="auto" aria-label="Filters">
            <div class="sheet-head">
                <h2>"Filters"</h2>
                <button type="button" popovertarget="filters" popovertargetaction="hide">
                    "Show results"
                </button>
            </div>
            <Kinds chosen=values.kinds.clone() counts=kinds />
            <Time from=values.from.clone() to=values.to.clone()>
                <Decades decades query />
            </Time>
            <Where values=values.clone() />
            <FacetChoices legend="Tags" parameter="tag" chosen=values.tags.clone() counts=tags />
            <FacetChoices legend="Contributors" parameter="contributor" chosen=values.contributors.clone() counts=contributors />
            <Kept values />
            <div class="filter-actions">
                <button type="submit" form=FORM>
                    "Apply filters"
                </button>
                <a href=clear>"Clear all"</a>
            </div>
        </aside>
    }
    .into_any()
}

fn clear_address(query: &SearchQuery) -> String {
    crate::query_string::search_address(&SearchQuery { q: query.q.clone(), sort: query.sort, ..SearchQuery::default() })
}

/// What has no field of its own here and must not be lost.
#[component]
fn Kept(values: FormValues) -> impl IntoView {
    let hidden = |name: &'static str, value: String| {
        (!value.is_empty()).then(|| view! { <input type="hidden" form=FORM name=name value=value.clone() prop:value=value /> })
    };
    view! {
        {hidden("geometry", values.geometry)}
        {hidden("place_id", values.place_id)}
        {hidden("limit", values.limit)}
        {values.methods.into_iter().map(|method| hidden("method", method)).collect_view()}
    }
}

#[component]
fn Kinds(chosen: std::collections::BTreeSet<String>, counts: Vec<FacetCount>) -> impl IntoView {
    // a kind that the chosen ones leave out has no count: choosing it too would add its elements
    let count_of = |kind: Kind| counts.iter().find(|count| count.value == kind.name()).map(|count| words::count(count.count));
    let choices = Kind::ALL.into_iter().map(|kind| {
        let checked = chosen.contains(kind.name());
        view! {
            <li>
                <label>
                    <input type="checkbox" form=FORM name="kind" value=kind.name() checked=checked prop:checked=checked on:change=|_| submit_form() />
                    <KindMark kind />
                    <span class="count">{count_of(kind)}</span>
                </label>
            </li>
        }
    });
    view! {
        <fieldset>
            <legend>"Kind"</legend>
            <ul class="choices">{choices.collect_view()}</ul>
        </fieldset>
    }
    .into_any()
}

#[component]
fn Time(from: String, to: String, children: Children) -> impl IntoView {
    view! {
        <fieldset>
            <legend>"Time"</legend>
            <div class="pair">
                <label>
                    "From"
                    <input form=FORM name="from" placeholder="2015-06" value=from.clone() prop:value=from />
                </label>
                <label>
                    "To"
                    <input form=FORM name="to" placeholder="2020" value=to.clone() prop:value=to />
                </label>
            </div>
            {children()}
        </fieldset>
    }
}

#[component]
fn Where(values: FormValues) -> impl IntoView {
    let FormValues { place, relation, edges, geometry, .. } = values;
    let by_numbers = edges.iter().any(|edge| !edge.is_empty());
    let [west, south, east, north] = edges;
    let edge = |name: &'static str, label: &'static str, value: String| {
        view! {
            <label>
                {label}
                <input form=FORM name=name inputmode="decimal" value=value.clone() prop:value=value />
            </label>
        }
    };
    let relations = Relation::ALL.into_iter().map(|option| {
        let selected = relation == option.name() || (relation.is_empty() && option == Relation::default());
        view! { <option value=option.name() selected=selected prop:selected=selected>{relation_words(option)}</option> }
    });
    view! {
        <fieldset>
            <legend>"Place"</legend>
            <label>
                "Name of a place"
                <input form=FORM name="place" placeholder="Lake Victoria" value=place.clone() prop:value=place />
            </label>
            <label>
                "Footprint"
                <select form=FORM name="relation" on:change=|_| submit_form()>
                    {relations.collect_view()}
                </select>
            </label>
            {(!geometry.is_empty()).then(|| view! { <p class="quiet">"A drawn shape is set; its chip takes it away."</p> })}
            <details open=by_numbers>
                <summary>"Box in degrees"</summary>
                <div class="edges">
                    {edge("bbox_north", "North", north)} {edge("bbox_west", "West", west)} {edge("bbox_east", "East", east)}
                    {edge("bbox_south", "South", south)}
                </div>
            </details>
        </fieldset>
    }
    .into_any()
}

fn relation_words(relation: Relation) -> &'static str {
    match relation {
        Relation::Intersects => "touches the area",
        Relation::Within => "lies within the area",
        Relation::Contains => "covers the area",
        Relation::Disjoint => "lies outside the area",
    }
}
