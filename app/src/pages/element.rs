//! One element with everything that is known of it.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_params_map;
use pipeline::model::{element::Element, element_page::ElementPage as PageContent};

use crate::{
    element::{Authors, Badges, Facts, Links, OutgoingLink, PeriodBar, Relations},
    fault::FaultPage,
    map::{MapContent, MapPanel, StillMap},
    parts::KindMark,
    query_string, reads, words,
};

#[component]
pub fn ElementPage() -> impl IntoView {
    let params = use_params_map();
    let page = Resource::new(move || params.read().get("id").unwrap_or_default(), reads::fetch_element);
    view! {
        <Transition fallback=|| view! { <div class="skeleton skeleton-page" aria-busy="true"></div> }>
            {move || Suspend::new(async move {
                match page.await {
                    Ok(page) => view! { <ElementView page /> }.into_any(),
                    Err(fault) => view! { <FaultPage fault /> }.into_any(),
                }
            })}
        </Transition>
    }
    .into_any()
}

#[component]
fn ElementView(page: PageContent) -> impl IntoView {
    let PageContent { element, description_html, graph } = page;
    let id = element.id.clone();
    let json = query_string::element_api_address(&id);
    let main_link = element.links.first().map(|link| {
        view! {
            <OutgoingLink href=link.href.clone() id=id.clone() class="button">
                "Open"
            </OutgoingLink>
        }
    });
    let tags = element
        .tags
        .iter()
        .map(|tag| view! { <li><a class="tag" href=query_string::address("/", [("tag", tag)])>{tag.clone()}</a></li> });
    let tags = tags.collect_view();
    let description =
        (!description_html.is_empty()).then(|| view! { <div class="description" inner_html=description_html></div> });
    view! {
        <Title text=element.title.clone() />
        <article class="element">
            <header>
                <KindMark kind=element.kind />
                <h1>{element.title.clone()}</h1>
                <Authors authors=element.authors.clone() />
                <Badges element=element.clone() />
                <div class="actions">{main_link} <a href=json rel="external">"JSON"</a></div>
            </header>
            <div class="element-main">
                {description}
                {(!tags.is_empty()).then(|| view! { <ul class="tags" aria-label="Tags">{tags}</ul> })}
                <Links links=element.links.clone() id=id />
                <Relations graph kind=element.kind />
            </div>
            <div class="element-side">
                <Place element=element.clone() />
                {element.temporal.clone().map(|period| view! { <PeriodBar period /> })}
                <section aria-labelledby="facts">
                    <h2 id="facts">"Facts"</h2>
                    <Facts element />
                </section>
            </div>
        </article>
    }
    .into_any()
}

#[component]
fn Place(element: Element) -> impl IntoView {
    let places = element.spatial.as_ref().map(|spatial| spatial.places.join(", ")).filter(|places| !places.is_empty());
    let map = element.bbox().map(|bbox| {
        let near = query_string::address("/", [("bbox", bbox.to_string())]);
        let content = MapContent::of_element(&element);
        let shown = RwSignal::new(MapContent::default());
        view! {
            <MapPanel content=shown lit=RwSignal::new(None)>
                <StillMap content shown />
            </MapPanel>
            <p>{words::bbox(&bbox)}</p>
            <p>
                <a href=near>"What else is here"</a>
            </p>
        }
    });
    let missing = map.is_none().then(|| view! { <p class="quiet">"The footprint of this element is not known."</p> });
    view! {
        <section aria-labelledby="place">
            <h2 id="place">"Place"</h2>
            {places.map(|places| view! { <p>{places}</p> })} {map} {missing}
        </section>
    }
    .into_any()
}
