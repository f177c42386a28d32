//! What can be done with an answer.

use leptos::{ev::MouseEvent, ev::SubmitEvent, prelude::*};
use pipeline::model::round::{PathChoice, Round};

use super::{RoundLog, forms::AskForm};
use crate::query_string;

/// Stop, share, take away, ask again.
#[component]
pub fn Actions(log: RoundLog, own: bool, back: String, finished: RwSignal<bool>) -> impl IntoView {
    let RoundLog { round, share_key, .. } = log;
    let shared = query_string::shared_round_address(&round.id, &share_key);
    let page = query_string::round_address(&round.id);
    let by_itself = (!back.starts_with(&page)).then(|| view! { <a class="button" href=page.clone()>"Open by itself"</a> });
    let key = if own { String::new() } else { format!("&key={}", query_string::segment(&share_key)) };
    let export = format!("/api/v1{page}/export?format=md{key}");
    let stop = own.then(|| view! { <Stop page=page.clone() back finished /> });
    view! {
        <div class="answer-actions">
            {stop}
            <ShareLink address=shared />
            {by_itself}
            <a class="button" href=export rel="external" download>
                "Export"
            </a>
        </div>
        <AskAgain round own />
    }
    .into_any()
}

#[component]
fn Stop(page: String, back: String, finished: RwSignal<bool>) -> impl IntoView {
    let action = format!("{page}/stop");
    view! {
        <Show when=move || !finished.get()>
            <form method="post" action=action.clone() on:submit=stop_in_place(page.clone())>
                <input type="hidden" name="back" value=back.clone() />
                <button type="submit">"Stop"</button>
            </form>
        </Show>
    }
    .into_any()
}

/// The end of the round comes as its last event, so that the page stays.
#[cfg(feature = "hydrate")]
fn stop_in_place(page: String) -> impl Fn(SubmitEvent) {
    move |event: SubmitEvent| {
        if window().navigator().send_beacon(&format!("/api/v1{page}/stop")) == Ok(true) {
            event.prevent_default();
        }
    }
}

#[cfg(not(feature = "hydrate"))]
fn stop_in_place(_: String) -> impl Fn(SubmitEvent) {
    |_| {}
}

/// A link for others. A click copies it where the browser lets us, and follows it otherwise.
#[component]
fn ShareLink(address: String) -> impl IntoView {
    let copied = RwSignal::new(false);
    let href = address.clone();
    view! {
        <a class="button" href=href rel="external" on:click=move |event| copy_link(&event, &address, copied)>
            "Copy share link"
        </a>
        <span class="quiet" role="status">
            {move || copied.get().then_some("Copied: whoever has the link can read this round.")}
        </span>
    }
    .into_any()
}

#[cfg(feature = "hydrate")]
fn copy_link(event: &MouseEvent, address: &str, copied: RwSignal<bool>) {
    use wasm_bindgen_futures::JsFuture;
    // elsewhere there is no clipboard, and calling it would throw
    if !window().is_secure_context() {
        return;
    }
    event.prevent_default();
    let link = format!("{}{address}", location().origin().unwrap_or_default());
    let written = JsFuture::from(window().navigator().clipboard().write_text(&link));
    leptos::task::spawn_local(async move {
        match written.await {
            Ok(_) => {
                copied.try_set(true);
            }
            // not allowed: the link itself can be copied from the address bar
            Err(_) => {
                let _ = location().set_href(&link);
            }
        }
    });
}

#[cfg(not(feature = "hydrate"))]
fn copy_link(_: &MouseEvent, _: &str, _: RwSignal<bool>) {}

/// The question to be changed and asked again under the same filters, on the path of one's choice.
#[component]
fn AskAgain(round: Round, own: bool) -> impl IntoView {
    let Round { question, search, conversation, .. } = round;
    let paths = [
        (PathChoice::Auto, "auto", "as the question needs"),
        (PathChoice::Standard, "standard", "one search"),
        (PathChoice::MultiHop, "multi-hop", "step by step"),
    ];
    let paths = paths.into_iter().map(|(path, value, words)| {
        let first = path == PathChoice::default();
        view! {
            <label>
                <input type="radio" name="path" value=value checked=first />
                {words}
            </label>
        }
    });
    view! {
        <details class="ask-again">
            <summary>"Ask again"</summary>
            <AskForm search conversation=own.then_some(conversation) class="ask-form">
                <label for="again">"The question, to be changed or asked as it is"</label>
                <div class="ask-line">
                    <input id="again" name="q" maxlength="2000" value=question required />
                    <button type="submit">"Ask"</button>
                </div>
                <fieldset class="paths">
                    <legend>"How to search"</legend>
                    {paths.collect_view()}
                </fieldset>
            </AskForm>
        </details>
    }
    .into_any()
}
