//! A round: a question and its answer at an address that stays.

use leptos::{either::EitherOf4, prelude::*};
use leptos_meta::Title;
use leptos_router::hooks::{use_params_map, use_query_map};
use pipeline::model::{
    element::ElementId,
    results::ResultItem,
    round::{Round, RoundError},
};

use crate::{
    fault::FaultPage,
    map::{MapContent, MapPanel, StillMap},
    parts::{CardNumber, ResultCard},
    query_string, reads,
    round::{AnswerView, RoundLog, Story, TracePanel},
};

/// Loads the page anew while there is no JavaScript that follows the round.
const REFRESH: &str = r#"<meta http-equiv="refresh" content="1">"#;

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
    let RoundLog { round, events, .. } = log;
    let waiting = !round.finished;
    let events = RwSignal::new(events);
    let finished = RwSignal::new(round.finished);
    #[cfg(feature = "hydrate")]
    if waiting {
        let id = round.id.clone();
        Effect::new(move || crate::round::follow(&id, events, finished));
    }
    let story = Memo::new(move |_| events.with(|events| Story::read(events)));
    let references = Memo::new(move |_| story.with(|story| story.references.clone()));
    let lit = RwSignal::new(None::<ElementId>);
    let map = RwSignal::new(MapContent::default());
    let cards_address = cards_address(&round);
    let query = query_string::read(&round.search).unwrap_or_default();
    view! {
        <Title text=round.question.clone() />
        {waiting.then(|| view! { <noscript inner_html=REFRESH></noscript> })}
        <article class="round">
            <div class="round-main">
                <p class="quiet">"Question"</p>
                <h1>{round.question.clone()}</h1>
                <div aria-live="polite">
                    {move || story.with(|story| view! { <Outcome story=story.clone() finished=finished.get() lit /> })}
                </div>
                {move || story.with(|story| view! { <TracePanel story=story.clone() /> })}
                <AskAgain round=round.clone() />
                <p>
                    <a href=cards_address>"All search results for this question"</a>
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
fn Outcome(story: Story, finished: bool, lit: RwSignal<Option<ElementId>>) -> impl IntoView {
    if let Some(error) = story.error.clone() {
        return EitherOf4::A(view! { <RoundFault error /> });
    }
    if let Some(answer) = story.answer.clone() {
        return EitherOf4::B(view! { <AnswerView story answer lit /> });
    }
    if finished {
        return EitherOf4::C(view! { <p class="notice">"This round ended without an answer. Ask again."</p> });
    }
    let doing = story.stages.last().map_or("starting", |line| line.stage.name());
    EitherOf4::D(view! {
        <div class="answer working" aria-busy="true">
            <p class="answer-kind">"Working: " {doing}</p>
            <p>{story.draft}</p>
            // a plain link: it works where the program that follows the round did not load
            <p class="quiet">
                <a href="" rel="external">"Load the page again"</a>
                " if nothing moves."
            </p>
        </div>
    })
}

#[component]
fn RoundFault(error: RoundError) -> impl IntoView {
    view! {
        <div class="notice notice-fault" role="alert">
            <h2>{error.title}</h2>
            <p>{error.detail}</p>
            <p>{error.what_to_do}</p>
        </div>
    }
}

/// The question to be changed and asked again under the same filters.
#[component]
fn AskAgain(round: Round) -> impl IntoView {
    let kept = query_string::pairs(&round.search).into_iter().filter(|(name, _)| name != "q" && name != "cursor");
    let kept = kept.map(|(name, value)| view! { <input type="hidden" name=name value=value /> }).collect_view();
    view! {
        <form class="ask-again" method="post" action="/ask">
            <label for="again">"Ask again, or something else"</label>
            <div>
                <input id="again" name="q" maxlength="2000" value=round.question required />
                <button type="submit">"Ask"</button>
            </div>
            {kept}
        </form>
    }
    .into_any()
}

#[component]
fn References(
    references: Memo<Vec<ResultItem>>,
    query: pipeline::model::query::SearchQuery,
    lit: RwSignal<Option<ElementId>>,
) -> impl IntoView {
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
