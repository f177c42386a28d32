//! The answer and all that belongs to it, following the round while it runs.

use leptos::prelude::*;
use pipeline::model::{
    element::ElementId,
    round::{Access, Round, RoundError},
};

use super::{
    RoundLog,
    actions::Actions,
    answer::AnswerView,
    cards::Cards,
    feedback::FeedbackForm,
    forms::AskForm,
    state::{Phase, RoundState},
    trace::TracePanel,
    working::{DraftView, Progress},
};
use crate::query_string;

/// Loads the page anew while there is no JavaScript that follows the round.
const REFRESH: &str = r#"<meta http-equiv="refresh" content="1">"#;

#[component]
pub fn RoundPanel(
    log: RoundLog,
    state: RoundState,
    cards: Cards,
    lit: RwSignal<Option<ElementId>>,
    /// The address of the page it is on.
    back: String,
) -> impl IntoView {
    let own = log.access == Access::Own;
    let RoundLog { round, feedback, .. } = log.clone();
    let waiting = !round.finished;
    #[cfg(feature = "hydrate")]
    if waiting {
        let log = log.clone();
        Effect::new(move || super::follow::follow(&log, state));
    }
    let phase = state.phase();
    let page = query_string::round_address(&round.id);
    let outcome = move || match phase.get() {
        Phase::Working => view! { <DraftView state /> }.into_any(),
        Phase::Answered => state.story.with_untracked(|story| {
            let answer = story.answer.clone();
            let (references, cards) = (story.references.clone(), cards.clone());
            answer.map(|answer| view! { <AnswerView answer references cards lit /> }).into_any()
        }),
        Phase::Failed => state.story.with_untracked(|story| {
            let draft = state.draft.with_untracked(|draft| draft.text.clone());
            story.error.clone().map(|error| view! { <RoundFault error draft /> }).into_any()
        }),
        Phase::Ended => view! { <p class="notice">"This round ended without an answer. Ask again."</p> }.into_any(),
    };
    let rate = {
        let back = back.clone();
        move || {
            (own && phase.get() == Phase::Answered)
                .then(|| view! { <FeedbackForm page=page.clone() given=feedback.clone() back=back.clone() /> })
        }
    };
    view! {
        {waiting.then(|| view! { <noscript inner_html=REFRESH></noscript> })}
        <section class="answer-panel" aria-labelledby="answer-title">
            <h2 class="visually-hidden" id="answer-title">
                "Answer"
            </h2>
            <ReadingNote round=round.clone() own state />
            <Progress state phase />
            {outcome}
            <FollowUp round own state phase />
            <Actions log own back finished=state.finished />
            <TracePanel state />
            {rate}
        </section>
    }
    .into_any()
}

/// How a follow-up was read, and the way back to one's own words.
#[component]
fn ReadingNote(round: Round, own: bool, state: RoundState) -> impl IntoView {
    let reading = Memo::new(move |_| state.story.with(|story| story.reading.clone()));
    move || {
        let reading = reading.get()?;
        let rewritten = reading.rewritten.filter(|rewritten| *rewritten != round.question)?;
        let because = (!reading.because.is_empty()).then(|| format!(" ({})", reading.because));
        let undo = own.then(|| {
            let Round { question, search, conversation, .. } = round.clone();
            view! {
                <AskForm search conversation=Some(conversation) class="inline">
                    <input type="hidden" name="q" value=question />
                    <button type="submit" name="own_words" value="1">
                        "Use my words instead"
                    </button>
                </AskForm>
            }
        });
        Some(view! {
            <div class="reading">
                <p>"Read as "<q>{rewritten}</q><span class="quiet">{because}</span></p>
                {undo}
            </div>
        })
    }
}

/// Questions that go on from here: suggested ones, and one's own.
#[component]
fn FollowUp(round: Round, own: bool, state: RoundState, phase: Memo<Phase>) -> impl IntoView {
    move || {
        if !own || phase.get() != Phase::Answered {
            return None;
        }
        let suggested = state.story.with_untracked(|story| story.answer.as_ref().map(|answer| answer.follow_ups.clone()));
        let suggested = suggested.unwrap_or_default().into_iter().map(|question| {
            view! {
                <li>
                    <button type="submit" name="q" value=question.clone()>
                        {question.clone()}
                    </button>
                </li>
            }
        });
        let suggested = suggested.collect_view();
        let Round { search, conversation, .. } = round.clone();
        let own_form = view! {
            <AskForm search=search.clone() conversation=Some(conversation.clone()) class="ask-form">
                <label for="follow-up">"Ask a follow-up"</label>
                <div class="ask-line">
                    <input id="follow-up" name="q" maxlength="2000" autocomplete="off" required />
                    <button type="submit">"Ask"</button>
                </div>
            </AskForm>
        };
        Some(view! {
            {(!suggested.is_empty())
                .then(|| {
                    view! {
                        <AskForm search conversation=Some(conversation) class="follow-ups">
                            <ul aria-label="Questions that go on from here">{suggested}</ul>
                        </AskForm>
                    }
                })}
            {own_form}
        })
    }
}

#[component]
fn RoundFault(error: RoundError, draft: String) -> impl IntoView {
    let RoundError { title, detail, what_to_do, stopped } = error;
    let draft = (stopped && !draft.is_empty()).then(|| {
        view! {
            <p class="quiet">"What was written by then, unchecked:"</p>
            <p class="draft">{draft}</p>
        }
    });
    view! {
        <div class="notice" class:notice-fault=!stopped role=(!stopped).then_some("alert")>
            <h3>{title}</h3>
            <p>{detail}</p>
            <p>{what_to_do}</p>
            {draft}
        </div>
    }
    .into_any()
}
