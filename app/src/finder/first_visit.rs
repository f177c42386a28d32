//! What somebody sees who comes for the first time: questions to try, what there is, and where.

use leptos::prelude::*;
use pipeline::model::{element::Kind, overview::Overview};

use crate::{
    fault::FaultNotice,
    parts::{KindMark, World, WorldBox},
    query_string, reads, words,
};

#[component]
pub fn FirstVisit() -> impl IntoView {
    let overview = Resource::new(|| (), |()| reads::fetch_overview());
    view! {
        <div class="first-visit">
            <h1>"Find geospatial knowledge"</h1>
            <p class="lead">
                "Datasets, notebooks, publications, maps, code and teaching resources, found by words, meaning, place and relations. "
                "Search for cards at once, or ask for a short answer with its sources."
            </p>
            <Suspense fallback=|| view! { <div class="skeleton skeleton-world" aria-busy="true"></div> }>
                {move || Suspend::new(async move {
                    match overview.await {
                        Ok(overview) => view! { <OverviewView overview /> }.into_any(),
                        Err(fault) => view! { <FaultNotice fault /> }.into_any(),
                    }
                })}
            </Suspense>
        </div>
    }
    .into_any()
}

#[component]
fn OverviewView(overview: Overview) -> impl IntoView {
    let Overview { total, kinds, examples, footprints, without_footprint } = overview;
    if total == 0 {
        return view! {
            <div class="notice">
                <h2>"The catalogue is empty"</h2>
                <p>"Whoever runs this server fills it with " <code>"cairn import FILE"</code> "."</p>
            </div>
        }
        .into_any();
    }
    let examples = examples.into_iter().map(|example| {
        let address = query_string::address("/", [("q", &example)]);
        view! { <li><a href=address>{example}</a></li> }
    });
    let count_of = |kind: Kind| kinds.iter().find(|count| count.value == kind.name()).map_or(0, |count| count.count);
    let kinds = Kind::ALL.into_iter().map(|kind| {
        view! {
            <li>
                <a href=query_string::address("/", [("kind", kind.name())])>
                    <KindMark kind />
                    <strong>{words::count(count_of(kind))}</strong>
                </a>
            </li>
        }
    });
    let shown = footprints.len() as u64;
    let boxes =
        footprints.into_iter().map(|footprint| WorldBox { bbox: footprint.bbox, kind: footprint.kind, number: None }).collect();
    let label = format!("World map of {}", words::counted(shown, "footprint", "footprints"));
    view! {
        <section aria-labelledby="try">
            <h2 id="try">"Try one of these"</h2>
            <ul class="examples">{examples.collect_view()}</ul>
        </section>
        <section aria-labelledby="holds">
            <h2 id="holds">{words::counted(total, "element", "elements")}" to find"</h2>
            <ul class="kind-counts">{kinds.collect_view()}</ul>
        </section>
        <figure class="world-figure">
            <World boxes label />
            <figcaption class="quiet">
                {format!(
                    "Footprints of {}; {} without a footprint.",
                    words::counted(shown, "element", "elements"),
                    words::counted(without_footprint, "element is", "elements are"),
                )} " "<a href="/?sort=popular">"Browse everything"</a>
            </figcaption>
        </figure>
    }
    .into_any()
}
