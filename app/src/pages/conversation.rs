//! What was asked and answered in one conversation, oldest first.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_params_map;
use pipeline::model::{
    conversation::{ConversationLog, ToldRound},
    round::AnswerKind,
};

use crate::{fault::FaultPage, query_string, reads, round::AskForm, words};

#[component]
pub fn ConversationPage() -> impl IntoView {
    let params = use_params_map();
    let log = Resource::new(move || params.read().get("id").unwrap_or_default(), reads::fetch_conversation);
    view! {
        <Transition fallback=|| view! { <div class="skeleton skeleton-page" aria-busy="true"></div> }>
            {move || Suspend::new(async move {
                match log.await {
                    Ok(log) => view! { <ConversationView log /> }.into_any(),
                    Err(fault) => view! { <FaultPage fault /> }.into_any(),
                }
            })}
        </Transition>
    }
    .into_any()
}

#[component]
fn ConversationView(log: ConversationLog) -> impl IntoView {
    let ConversationLog { id, created, rounds } = log;
    let title = rounds.first().map(|told| told.round.question.clone()).unwrap_or_default();
    let search = rounds.last().map(|told| told.round.search.clone()).unwrap_or_default();
    let rounds = rounds.into_iter().map(|told| view! { <Told told /> });
    view! {
        <Title text=title.clone() />
        <article class="prose conversation">
            <p class="quiet">
                <a href="/history">"History"</a>
                " · "
                <time datetime=created.clone()>{words::moment(&created)}</time>
            </p>
            <h1>{title}</h1>
            <ol class="told">{rounds.collect_view()}</ol>
            <AskForm search conversation=Some(id) class="ask-form">
                <label for="follow-up">"Ask a follow-up"</label>
                <div class="ask-line">
                    <input id="follow-up" name="q" maxlength="2000" autocomplete="off" required />
                    <button type="submit">"Ask"</button>
                </div>
            </AskForm>
        </article>
    }
    .into_any()
}

#[component]
fn Told(told: ToldRound) -> impl IntoView {
    let ToldRound { round, rewritten, answer } = told;
    let rewritten = rewritten.filter(|rewritten| *rewritten != round.question);
    let outcome = match answer {
        Some(answer) => {
            let insufficient = answer.kind == AnswerKind::InsufficientInformation;
            let lines = answer.text.split('\n').filter(|line| !line.trim().is_empty());
            let lines = lines.map(|line| view! { <p>{line.to_owned()}</p> }).collect_view();
            view! { <div class="answer" class:insufficient=insufficient>{lines}</div> }.into_any()
        }
        None if round.finished => view! { <p class="quiet">"It was stopped, or it failed."</p> }.into_any(),
        None => view! { <p class="quiet">"It is being answered."</p> }.into_any(),
    };
    view! {
        <li>
            <h2>
                <a href=query_string::round_address(&round.id)>{round.question}</a>
            </h2>
            {rewritten.map(|rewritten| view! { <p class="quiet">"Read as "<q>{rewritten}</q></p> })}
            {outcome}
        </li>
    }
    .into_any()
}
