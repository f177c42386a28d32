//! The drafts of the answer, what was found wrong with a sentence beside it.

use leptos::prelude::*;

use crate::{
    round::story::{Attempt, Check},
    words,
};

#[component]
pub fn Drafts(attempts: Vec<Attempt>) -> impl IntoView {
    let drafts = attempts.into_iter().map(|attempt| view! { <DraftOf attempt /> });
    view! {
        <h3>"Drafts and their checks"</h3>
        {drafts.collect_view()}
    }
    .into_any()
}

#[component]
fn DraftOf(attempt: Attempt) -> impl IntoView {
    let findings: usize = attempt.checks.iter().map(|check| check.findings.len()).sum();
    let outcome = match (&attempt.reason, findings) {
        (Some(reason), _) => reason.clone(),
        (None, 0) if attempt.checks.is_empty() => "not checked".to_owned(),
        (None, 0) => "nothing found against it".to_owned(),
        (None, findings) => words::counted(findings as u64, "finding", "findings"),
    };
    let checks = attempt.checks.iter().map(|check| view! { <li>{check_words(check)}</li> }).collect_view();
    let (sentences, whole) = attempt.judged();
    let sentences = sentences.into_iter().map(|(sentence, problems)| {
        let problems = problems.into_iter().map(|problem| view! { <strong class="problem">{problem.to_owned()}</strong> });
        view! { <li><span>{sentence.to_owned()}</span> {problems.collect_view()}</li> }
    });
    let sentences = sentences.collect_view();
    let whole = whole.into_iter().map(|finding| {
        let about = (!finding.sentence.is_empty()).then(|| view! { <q>{finding.sentence.clone()}</q> });
        view! { <li>{about} <strong class="problem">{finding.problem.clone()}</strong></li> }
    });
    let whole = whole.collect_view();
    let failed = findings != 0 || attempt.reason.is_some();
    view! {
        <details class="method-list" class:failed=failed>
            <summary><strong>{format!("Draft {}", attempt.number)}</strong>" "{outcome}</summary>
            <ul class="notes">{checks}</ul>
            <ol class="judged">{sentences}</ol>
            {(!whole.is_empty()).then(|| view! { <p class="quiet">"About the whole:"</p><ul class="judged">{whole}</ul> })}
        </details>
    }
    .into_any()
}

fn check_words(check: &Check) -> String {
    format!("{}: {}", check.name, check.verdict.replace('-', " "))
}
