//! Search: the address says everything, the page shows it.

use leptos::{either::Either, prelude::*};
use leptos_meta::Title;
use leptos_router::hooks::{use_location, use_navigate};
use pipeline::model::{element::ElementId, place::Area, round::RoundId};

use crate::{
    fault::{FaultNotice, PageFault},
    finder::{AskHere, FirstVisit, ResultsView},
    map::{MapContent, MapPanel, StillMap},
    query_string, reads,
    round::{Cards, RoundLog, RoundPanel, RoundState},
};

#[component]
pub fn SearchPage() -> impl IntoView {
    let location = use_location();
    // while another page is on its way this one stays as it is
    let search = Memo::new(move |before: Option<&String>| match before {
        Some(before) if location.pathname.get() != "/" => before.clone(),
        _ => location.search.get(),
    });
    let first_visit = Memo::new(move |_| query_string::pairs(&search.get()).is_empty());
    view! {
        <Show when=move || first_visit.get() fallback=move || view! { <ResultsPage search /> }>
            <FirstVisit />
        </Show>
    }
}

#[component]
fn ResultsPage(
    /// The query string, with the round beside the cards where there is one.
    search: Memo<String>,
) -> impl IntoView {
    let results = Resource::new(
        move || query_string::split_round(&search.get()),
        |(search, round)| async move {
            let found = reads::fetch_search(search.clone()).await;
            let asked = match round {
                Some(RoundId(id)) => Some(reads::fetch_round(id, None).await),
                None => None,
            };
            (search, found, asked)
        },
    );
    let (pending, set_pending) = signal(false);
    let lit = RwSignal::new(None::<ElementId>);
    let map = RwSignal::new(MapContent::default());
    let navigate = use_navigate();
    let on_area = Callback::new(move |area: Option<Area>| {
        let query = query_string::read(&search.get_untracked()).unwrap_or_default();
        navigate(&query_string::search_address(&query_string::with_area(&query, area)), Default::default());
    });
    let title = move || query_string::read(&search.get()).map(|query| query.q).unwrap_or_default();
    view! {
        <Title text=title />
        <div class="finder" class:pending=move || pending.get()>
            <Transition fallback=Skeleton set_pending>
                {move || Suspend::new(async move {
                    let (search, found, asked) = results.await;
                    let cards = Cards::of_search(found.as_ref().map(|found| found.items.as_slice()).unwrap_or_default());
                    let answer = match asked {
                        Some(asked) => Either::Left(view! { <Asked asked search=search.clone() cards lit /> }),
                        None => Either::Right(view! { <AskHere search=search.clone() /> }),
                    };
                    view! {
                        <ResultsView search found lit>
                            {answer}
                        </ResultsView>
                    }
                })}
            </Transition>
            <aside class="map-side sheet" id="map-sheet" popover="auto" aria-label="Map">
                <div class="sheet-head">
                    <h2>"Map"</h2>
                    <button type="button" popovertarget="map-sheet" popovertargetaction="hide">
                        "Show results"
                    </button>
                </div>
                <MapPanel content=map lit on_area>
                    <Transition>
                        {move || Suspend::new(async move {
                            let (search, found, _) = results.await;
                            let query = query_string::read(&search).unwrap_or_default();
                            view! { <StillMap content=MapContent::of_search(&query, found.as_ref().ok()) shown=map /> }
                        })}
                    </Transition>
                </MapPanel>
            </aside>
        </div>
    }
    .into_any()
}

/// The answer above the cards.
#[component]
fn Asked(asked: Result<RoundLog, PageFault>, search: String, cards: Cards, lit: RwSignal<Option<ElementId>>) -> impl IntoView {
    match asked {
        Ok(log) => {
            let state = RoundState::new(&log);
            let back = query_string::round_beside_cards(&search, &log.round.id);
            view! { <RoundPanel log state cards lit back /> }.into_any()
        }
        Err(fault) => view! { <FaultNotice fault /> }.into_any(),
    }
}

/// The shape of what comes.
#[component]
fn Skeleton() -> impl IntoView {
    view! {
        <div class="filters skeleton" aria-hidden="true"></div>
        <div class="results" aria-busy="true">
            <p class="visually-hidden">"Searching…"</p>
            {(0..5).map(|_| view! { <div class="card skeleton"></div> }).collect_view()}
        </div>
    }
}
