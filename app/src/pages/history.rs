//! What a visitor asked before, newest first.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;
use pipeline::model::conversation::{ConversationPage, ConversationSummary};

use crate::{fault::FaultPage, query_string, reads, words};

#[component]
pub fn HistoryPage() -> impl IntoView {
    let query = use_query_map();
    let history = Resource::new(move || query.read().get("cursor"), reads::fetch_conversations);
    view! {
        <Transition fallback=|| view! { <div class="skeleton skeleton-page" aria-busy="true"></div> }>
            {move || Suspend::new(async move {
                match history.await {
                    Ok(page) => view! { <HistoryView page /> }.into_any(),
                    Err(fault) => view! { <FaultPage fault /> }.into_any(),
                }
            })}
        </Transition>
    }
    .into_any()
}

#[component]
fn HistoryView(page: ConversationPage) -> impl IntoView {
    let ConversationPage { items, next_cursor } = page;
    let nothing = items.is_empty().then(|| {
        view! {
            <div class="notice">
                <p>"Nothing was asked here yet."</p>
                <p>
                    "Write a question in the box on top and press Ask: it is answered from the catalogue and kept here. "
                    <a href="/">"Examples to begin with"</a>
                </p>
            </div>
        }
    });
    let lines = items.into_iter().map(|conversation| view! { <Line conversation /> });
    let older = next_cursor.map(|cursor| query_string::address("/history", [("cursor", cursor.0)]));
    view! {
        <Title text="History" />
        <article class="prose history">
            <h1>"History"</h1>
            <p class="quiet">"Kept for this browser alone: another one does not see what you asked, unless you share a link."</p>
            {nothing}
            <ol class="conversations">{lines.collect_view()}</ol>
            {older.map(|address| view! { <nav class="pager" aria-label="Pages"><a class="next" rel="next" href=address>"Older"</a></nav> })}
        </article>
    }
    .into_any()
}

#[component]
fn Line(conversation: ConversationSummary) -> impl IntoView {
    let ConversationSummary { id, created, question, rounds } = conversation;
    view! {
        <li>
            <a href=query_string::conversation_address(&id)>{question}</a>
            <p class="quiet">
                <time datetime=created.clone()>{words::moment(&created)}</time>
                " · "
                {words::counted(rounds, "question", "questions")}
            </p>
        </li>
    }
    .into_any()
}
