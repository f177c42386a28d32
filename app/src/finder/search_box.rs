//! The one box, on top of every page.

use leptos::{ev::SubmitEvent, html::Input, prelude::*};
use leptos_router::hooks::use_location;

use super::form_values::FormValues;

/// The id of the form; fields of the filters belong to it wherever they stand.
pub const FORM: &str = "search-form";

#[component]
pub fn SearchBox() -> impl IntoView {
    let location = use_location();
    let asked =
        Memo::new(
            move |_| {
                if location.pathname.get() == "/" { FormValues::read(&location.search.get()).q } else { String::new() }
            },
        );
    // set on a change only: what somebody typed before the page answered stays
    let field = NodeRef::<Input>::new();
    Effect::watch(
        move || asked.get(),
        move |asked, _, _| {
            if let Some(field) = field.get_untracked() {
                field.set_value(asked);
            }
        },
        false,
    );
    view! {
        <form id=FORM class="search-box" role="search" method="get" action="/" on:submit=submit_in_place()>
            <label class="visually-hidden" for="q">
                "What are you looking for?"
            </label>
            <input
                id="q"
                name="q"
                type="search"
                maxlength="2000"
                autocomplete="off"
                placeholder="What are you looking for?"
                value=asked.get_untracked()
                node_ref=field
            />
            <button type="submit">"Search"</button>
            // a question makes a round: a POST, answered with the address of the round
            <button type="submit" class="ask" formaction="/ask" formmethod="post">
                "Ask"
            </button>
        </form>
    }
    .into_any()
}

/// Leads to the canonical address of the search without loading the page anew. The Ask button is left to the browser.
#[cfg(feature = "hydrate")]
fn submit_in_place() -> impl Fn(SubmitEvent) {
    use leptos_router::hooks::use_navigate;
    use wasm_bindgen::JsCast;

    let navigate = use_navigate();
    move |event: SubmitEvent| {
        let form = event.target().and_then(|target| target.dyn_into::<web_sys::HtmlFormElement>().ok());
        let leaves = event.submitter().is_some_and(|button| button.has_attribute("formaction"));
        let Some(form) = form.filter(|_| !leaves) else { return };
        let Some(pairs) = form_pairs(&form) else { return };
        event.prevent_default();
        navigate(&crate::query_string::form_address(forget_stale_place(pairs)), Default::default());
    }
}

#[cfg(not(feature = "hydrate"))]
fn submit_in_place() -> impl Fn(SubmitEvent) {
    |_| {}
}

#[cfg(feature = "hydrate")]
fn form_pairs(form: &web_sys::HtmlFormElement) -> Option<Vec<(String, String)>> {
    let data = web_sys::FormData::new_with_form(form).ok()?;
    let mut pairs = Vec::new();
    for entry in data.entries() {
        let entry = js_sys::Array::from(&entry.ok()?);
        pairs.push((entry.get(0).as_string()?, entry.get(1).as_string()?));
    }
    Some(pairs)
}

/// The meaning chosen for a place name does not hold for other words.
#[cfg(feature = "hydrate")]
fn forget_stale_place(mut pairs: Vec<(String, String)>) -> Vec<(String, String)> {
    let before = FormValues::read(&location().search().unwrap_or_default());
    let now = |field: &str| pairs.iter().find(|(name, _)| name == field).map_or("", |(_, value)| value.trim());
    if now("place") != before.place || now("q") != before.q {
        pairs.retain(|(name, _)| name != "place_id");
    }
    pairs
}

/// Submits the search form, as a changed filter does when there is JavaScript.
pub fn submit_form() {
    #[cfg(feature = "hydrate")]
    {
        use wasm_bindgen::JsCast;
        let form = document().get_element_by_id(FORM).and_then(|form| form.dyn_into::<web_sys::HtmlFormElement>().ok());
        if let Some(form) = form {
            // it fails only where the form is invalid, and then the browser has said so
            let _ = form.request_submit();
        }
    }
}
