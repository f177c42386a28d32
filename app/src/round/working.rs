//! What is seen while an answer is made: where it is, and the draft as it is written.

use leptos::prelude::*;
use pipeline::model::round::Stage;

use super::{
    sentences::{sentences, settled},
    state::{Phase, RoundState},
};
use crate::words;

const STEPS: [&str; 4] = ["reading", "searching", "writing", "checking"];

/// The place of a stage's step among [`STEPS`].
fn step_of(stage: Option<Stage>) -> usize {
    match stage {
        None | Some(Stage::Memory | Stage::Augmentation | Stage::Reasoning) => 0,
        Some(Stage::Routing | Stage::Retrieval | Stage::Fusion) => 1,
        Some(Stage::Generation) => 2,
        Some(_) => 3,
    }
}

/// One line: what is done now, then how long it took. It keeps its place.
#[component]
pub fn Progress(state: RoundState, phase: Memo<Phase>) -> impl IntoView {
    let step = Memo::new(move |_| state.story.with(|story| step_of(story.stage)));
    let working = Memo::new(move |_| phase.get() == Phase::Working);
    let steps = STEPS.into_iter().enumerate().map(|(at, name)| {
        let is_current = move || step.get() == at;
        view! { <li class:current=is_current>{name}</li> }
    });
    let status = move || {
        let took = || state.story.with(|story| words::duration(story.trace.elapsed_ms));
        match phase.get() {
            Phase::Working => STEPS.get(step.get()).map(|name| format!("Working: {name}")).unwrap_or_default(),
            Phase::Answered => format!("Answered in {}", took()),
            Phase::Failed | Phase::Ended => format!("Ended after {}", took()),
        }
    };
    view! {
        <div class="progress quiet" class:working=move || working.get()>
            <p role="status">{status}</p>
            <ol class="steps" aria-hidden="true">
                {steps.collect_view()}
            </ol>
        </div>
    }
    .into_any()
}

/// The draft: what is settled is read out sentence by sentence, the rest is only seen.
#[component]
pub fn DraftView(state: RoundState) -> impl IntoView {
    let settled_text = Memo::new(move |_| {
        state.draft.with(|draft| {
            let all = sentences(&draft.text);
            let settled = all.iter().take(settled(&all)).map(|sentence| (*sentence).to_owned());
            (draft.attempt, settled.collect::<Vec<_>>())
        })
    });
    let open_text = move || {
        state.draft.with(|draft| {
            let all = sentences(&draft.text);
            all.iter().skip(settled(&all)).copied().collect::<String>()
        })
    };
    let lines = move || {
        let (attempt, lines) = settled_text.get();
        lines.into_iter().enumerate().map(move |(at, line)| (attempt, at, line)).collect::<Vec<_>>()
    };
    view! {
        <div class="answer drafting" aria-busy="true">
            <p class="answer-kind">{move || draft_words(state)}</p>
            <p class="draft">
                <span aria-live="polite" aria-relevant="additions">
                    <For each=lines key=|(attempt, at, _)| (*attempt, *at) children=settled_line />
                </span>
                <span aria-hidden="true">{open_text}</span>
            </p>
            // a plain link: it works where the program that follows the round did not load
            <p class="quiet">
                <a href="" rel="external">"Load the page again"</a>
                " if nothing moves."
            </p>
        </div>
    }
    .into_any()
}

fn settled_line((_, _, line): (u64, usize, String)) -> impl IntoView {
    view! { <span>{line}</span> }
}

fn draft_words(state: RoundState) -> String {
    state.draft.with(|draft| match (draft.text.is_empty(), draft.attempt) {
        (true, 0 | 1) => "The answer comes here".to_owned(),
        (_, 0 | 1) => "A draft; it is checked before it stands".to_owned(),
        (_, attempt) => format!("Draft {attempt}; the one before did not pass the checks"),
    })
}
