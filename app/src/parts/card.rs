//! A result as a card: what it is, why it is here, where on the globe.

use std::collections::BTreeMap;

use leptos::prelude::*;
use pipeline::model::{
    element::{Author, ElementId, Link},
    query::{Method, SearchQuery},
    results::ResultItem,
};

use super::{Footprint, KindMark, MarkedText};
use crate::{element::OutgoingLink, query_string, words};

/// Names shown before "and n more".
const SHOWN_AUTHORS: usize = 3;
const SHOWN_TAGS: usize = 6;
const SHOWN_PLACES: usize = 3;

/// How a card is numbered: on the page and, with the same number, on the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CardNumber(pub u32);

impl CardNumber {
    /// The anchor of the card.
    pub fn anchor(self) -> String {
        format!("card-{}", self.0)
    }
}

#[component]
pub fn ResultCard(
    item: ResultItem,
    number: CardNumber,
    /// The element under the pointer, shared with the map.
    lit: RwSignal<Option<ElementId>>,
    /// The search whose filters a tag adds to.
    query: SearchQuery,
) -> impl IntoView {
    let id = item.id.clone();
    let is_lit = {
        let id = id.clone();
        move || lit.with(|lit| lit.as_ref() == Some(&id))
    };
    let light = move || lit.set(Some(id.clone()));
    let light_on_focus = light.clone();
    let facts = facts(&item);
    let address = query_string::element_address(&item.id);
    view! {
        <li
            class="card"
            class:lit=is_lit
            id=number.anchor()
            on:mouseenter=move |_| light()
            on:mouseleave=move |_| lit.set(None)
            on:focusin=move |_| light_on_focus()
            on:focusout=move |_| lit.set(None)
        >
            <div class="card-head">
                <span class="number">{number.0}</span>
                <KindMark kind=item.kind />
            </div>
            <h3>
                <a href=address>
                    <MarkedText text=item.title_marked />
                </a>
            </h3>
            <p class="facts">{facts}</p>
            {(!item.excerpt.0.is_empty()).then(|| view! { <p class="excerpt"><MarkedText text=item.excerpt /></p> })}
            <Tags tags=item.tags query />
            <div class="card-foot">
                <Ranks ranks=item.ranks because=item.because />
                {item.link.map(|link| view! { <OpenLink link id=item.id /> })}
            </div>
            <div class="card-map">
                <Footprint bbox=item.bbox />
            </div>
        </li>
    }
    .into_any()
}

/// `Ana Costa and 2 more · 2015 · CC-BY-4.0 · Peru`.
fn facts(item: &ResultItem) -> String {
    let mut facts = Vec::new();
    facts.extend(authors(&item.authors));
    let when = item.year.map(|year| year.to_string()).or_else(|| item.temporal.as_ref().and_then(words::period));
    facts.extend(when);
    facts.extend(item.license.as_deref().map(words::licence));
    if !item.places.is_empty() {
        let shown: Vec<&str> = item.places.iter().take(SHOWN_PLACES).map(String::as_str).collect();
        facts.push(shown.join(", "));
    }
    facts.join(" · ")
}

fn authors(authors: &[Author]) -> Option<String> {
    let shown: Vec<&str> = authors.iter().take(SHOWN_AUTHORS).map(|author| author.name.as_str()).collect();
    if shown.is_empty() {
        return None;
    }
    let more = authors.len() - shown.len();
    Some(if more > 0 { format!("{} and {more} more", shown.join(", ")) } else { shown.join(", ") })
}

#[component]
fn Tags(tags: Vec<String>, query: SearchQuery) -> impl IntoView {
    let shown = tags.into_iter().take(SHOWN_TAGS).map(|tag| {
        let mut narrowed = query_string::first_page(&query);
        if !narrowed.filter.tags.contains(&tag) {
            narrowed.filter.tags.push(tag.clone());
        }
        view! { <li><a class="tag" href=query_string::search_address(&narrowed)>{tag}</a></li> }
    });
    let shown = shown.collect_view();
    (!shown.is_empty()).then(|| view! { <ul class="tags" aria-label="Tags">{shown}</ul> })
}

/// `keyword 1 · semantic 4 · spatial 2`: the place each method gave it.
#[component]
fn Ranks(ranks: BTreeMap<Method, u32>, because: Vec<String>) -> impl IntoView {
    let ranks = ranks
        .into_iter()
        .map(|(method, rank)| view! { <li><span class="method">{method.name()}</span>" "<span class="rank">{rank}</span></li> })
        .collect_view();
    let because = because.into_iter().map(|reason| view! { <li class="because">{reason}</li> }).collect_view();
    (!ranks.is_empty() || !because.is_empty())
        .then(|| view! { <ul class="ranks" aria-label="Why it matched: the rank each method gave it">{ranks} {because}</ul> })
}

#[component]
fn OpenLink(link: Link, id: ElementId) -> impl IntoView {
    view! {
        <OutgoingLink href=link.href id class="open">
            "Open"
        </OutgoingLink>
    }
}
