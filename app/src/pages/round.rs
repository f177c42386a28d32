//! A round: a question and its answer at an address that stays.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::{use_params_map, use_query_map};
use pipeline::model::{element::ElementId, query::SearchQuery, results::ResultItem, round::Round};

use crate::{
    fault::FaultPage,
    map::{MapContent, MapPanel, StillMap},
    parts::{CardNumber, ResultCard},
    query_string, reads,
    round::{Cards, RoundLog, RoundPanel, RoundState},
};

#[component]
pub fn RoundPage() -> impl IntoView {
    let (params, query) = (use_params_map(), use_query_map());
    let log = Resource::new(
        move || (params.read().get("id").unwrap_or_default(), query.read().get("key")),
        |(id, key)| reads::fetch_round(id, key),
    );
    view! {
        <Transition fallback=|| view! { <div class="skeleton skeleton-page" aria-busy="true"></div> }>
            {move || Suspend::new(async move {
                match log.await {
                    Ok(log) => view! { <RoundView log /> }.into_any(),
                    Err(fault) => view! { <FaultPage fault /> }.into_any(),
                }
            })}
        </Transition>
    }
    .into_any()
}

#[component]
fn RoundView(log: RoundLog) -> impl IntoView {
    let state = RoundState::new(&log);
    let references = Memo::new(move |_| state.story.with(|story| story.references.clone()));
    let lit = RwSignal::new(None::<ElementId>);
    let map = RwSignal::new(MapContent::default());
    let round = log.round.clone();
    let question = round.question.clone();
    let query = query_string::read(&round.search).unwrap_or_default();
    let back = query_string::round_address(&round.id);
    view! {
        <Title text=question.clone() />
        <article class="round">
            <div class="round-main">
                <p class="quiet">"Question"</p>
                <h1>{question}</h1>
                <RoundPanel log state cards=Cards::References lit back />
                <p>
                    <a href=cards_address(&round)>"All search results for this question"</a>
                </p>
                <References references query lit />
            </div>
            <aside class="map-side" aria-label="Map">
                <MapPanel content=map lit>
                    {move || view! { <StillMap content=MapContent::of_cards(&references.read()) shown=map /> }}
                </MapPanel>
            </aside>
        </article>
    }
    .into_any()
}

fn cards_address(round: &Round) -> String {
    let mut query = query_string::read(&round.search).unwrap_or_default();
    query.q = round.question.clone();
    query_string::search_address(&query)
}

#[component]
fn References(references: Memo<Vec<ResultItem>>, query: SearchQuery, lit: RwSignal<Option<ElementId>>) -> impl IntoView {
    let cards = move || {
        let items = references.get();
        let cards = (1..)
            .zip(items)
            .map(|(number, item)| view! { <ResultCard item number=CardNumber(number) lit query=query.clone() /> });
        cards.collect_view()
    };
    view! {
        <section aria-labelledby="references">
            <h2 id="references">"The evidence"</h2>
            <ol class="cards">{cards}</ol>
        </section>
    }
    .into_any()
}
