//! What a person sees: the pages of Cairn, compiled for the server (`ssr`) and for the browser (`hydrate`).
#![recursion_limit = "512"]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

mod element;
mod fault;
mod finder;
mod json_text;
mod map;
mod pages;
mod parts;
mod query_string;
mod reads;
mod round;
mod settings;
mod words;

use leptos::prelude::*;
use leptos_meta::{MetaTags, Stylesheet, Title, provide_meta_context};
use leptos_router::{
    ParamSegment, SsrMode, StaticSegment,
    components::{Route, Router, Routes},
    hooks::use_location,
};

pub use fault::PageFault;
pub use round::RoundLog;
pub use settings::{PageSettings, RequestId, Visitor};

use finder::SearchBox;
use pages::{AboutPage, ConversationPage, ElementPage, HistoryPage, NotFoundPage, RoundPage, SearchPage};

/// The document around [`App`]; rendered on the server only.
pub fn shell(options: LeptosOptions) -> impl IntoView {
    let settings = use_context::<PageSettings>().unwrap_or_default();
    view! {
        <!DOCTYPE html>
        <html lang="en" data-tiles=settings.tiles>
            <head>
                <meta charset="utf-8" />
                <meta name="viewport" content="width=device-width, initial-scale=1" />
                <meta name="color-scheme" content="light dark" />
                <meta
                    name="description"
                    content="Cairn finds geospatial knowledge: datasets, notebooks, publications, maps, code and teaching resources."
                />
                <link rel="icon" type="image/svg+xml" href="/favicon.svg" />
                <AutoReload options=options.clone() />
                <HydrationScripts options />
                <MetaTags />
            </head>
            <body>
                <App />
            </body>
        </html>
    }
}

#[component]
pub fn App() -> impl IntoView {
    provide_meta_context();
    Effect::new(mark_hydrated);
    view! {
        <Stylesheet id="style" href="/pkg/cairn.css" />
        <Title formatter=|title: String| if title.is_empty() { "Cairn".to_owned() } else { format!("{title} · Cairn") } text="" />
        <Router>
            <a class="skip" href="#main" rel="external">"Skip to the content"</a>
            <TopBar />
            <main id="main" tabindex="-1">
                // every page is whole before it is sent: it can be read without JavaScript, and its status is known
                <Routes fallback=NotFoundPage>
                    <Route path=StaticSegment("") view=SearchPage ssr=SsrMode::Async />
                    <Route path=(StaticSegment("elements"), ParamSegment("id")) view=ElementPage ssr=SsrMode::Async />
                    <Route path=(StaticSegment("rounds"), ParamSegment("id")) view=RoundPage ssr=SsrMode::Async />
                    <Route path=StaticSegment("history") view=HistoryPage ssr=SsrMode::Async />
                    <Route path=(StaticSegment("conversations"), ParamSegment("id")) view=ConversationPage ssr=SsrMode::Async />
                    <Route path=StaticSegment("about") view=AboutPage ssr=SsrMode::Async />
                </Routes>
            </main>
        </Router>
    }
}

#[component]
fn TopBar() -> impl IntoView {
    let path = use_location().pathname;
    Effect::watch(move || path.get(), |_, _, _| focus_content(), false);
    let current = move |page: &'static str| (path.get() == page).then_some("page");
    view! {
        <header class="top">
            <a class="brand" href="/" aria-current=move || current("/")>
                <svg viewBox="0 0 24 24" aria-hidden="true">
                    <ellipse cx="12" cy="19.2" rx="9" ry="3.2" />
                    <ellipse cx="11.4" cy="12.4" rx="6.2" ry="2.8" />
                    <ellipse cx="12.4" cy="6.4" rx="3.6" ry="2.4" />
                </svg>
                "Cairn"
            </a>
            <SearchBox />
            <nav aria-label="Site">
                <a href="/history" aria-current=move || current("/history")>
                    "History"
                </a>
                <a href="/about" aria-current=move || current("/about")>
                    "About"
                </a>
            </nav>
        </header>
    }
    .into_any()
}

/// A page that came without loading is announced as one that was loaded: its content has the focus.
fn focus_content() {
    #[cfg(feature = "hydrate")]
    {
        use wasm_bindgen::JsCast;
        let content = document().get_element_by_id("main").and_then(|main| main.dyn_into::<web_sys::HtmlElement>().ok());
        let options = web_sys::FocusOptions::new();
        options.set_prevent_scroll(true);
        // without the focus the page is still there
        let _ = content.map(|content| content.focus_with_options(&options));
    }
}

/// Tells the browser tests that the page answers to events.
fn mark_hydrated() {
    #[cfg(feature = "hydrate")]
    if let Some(body) = document().body() {
        // a failure would only leave the mark away
        let _ = body.set_attribute("data-hydrated", "");
    }
}
