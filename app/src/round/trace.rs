//! The trace: one line when closed, the whole way to the answer when open.

mod calls;
mod drafts;
mod lists;

use leptos::prelude::*;
use pipeline::model::{results::ResultItem, round::StageStatus};

use self::{
    calls::CallTable,
    drafts::Drafts,
    lists::{FusionTable, MethodView},
};
use super::{
    RoundState,
    story::{MethodLine, StageLine, Trace},
};
use crate::words;

/// The width of the time line's bars.
const BAR: f64 = 100.0;

#[component]
pub fn TracePanel(state: RoundState) -> impl IntoView {
    let story = state.story;
    let summary = move || story.with(|story| summary(&story.trace));
    // what is open stays open while the round goes on
    view! {
        <details class="trace">
            <summary>{summary}</summary>
            {move || {
                story.with(|story| view! { <TraceBody trace=story.trace.clone() references=story.references.clone() /> })
            }}
        </details>
    }
    .into_any()
}

fn summary(trace: &Trace) -> String {
    let mut parts = vec![
        format!("Trace: {}", words::counted(trace.stages.len() as u64, "stage", "stages")),
        words::duration(trace.elapsed_ms),
        match trace.calls.len() {
            0 => "no model calls".to_owned(),
            calls => words::counted(calls as u64, "model call", "model calls"),
        },
    ];
    let clouded = |line: &&StageLine| matches!(line.status, StageStatus::Degraded | StageStatus::Failed);
    let degraded = trace.stages.iter().filter(clouded).count();
    if degraded > 0 {
        parts.push(format!("{degraded} degraded"));
    }
    parts.join(" · ")
}

#[component]
fn TraceBody(trace: Trace, references: Vec<ResultItem>) -> impl IntoView {
    let Trace { stages, methods, fusion, calls, attempts, elapsed_ms } = trace;
    let passes = stages.iter().map(|line| line.iteration).max().unwrap_or(1);
    let groups = (1..=passes).map(|pass| {
        let rows = stages.iter().filter(|line| line.iteration == pass).cloned();
        let rows = rows.map(|line| view! { <StageRow line whole_ms=elapsed_ms /> }).collect_view();
        let head = (passes > 1).then(|| view! { <tr><th colspan="4" scope="rowgroup" class="pass">{pass_name(pass)}</th></tr> });
        (!rows.is_empty()).then(|| view! { <tbody>{head} {rows}</tbody> })
    });
    let groups = groups.collect_view();
    view! {
        <div class="table-scroll" role="region" aria-label="Stages" tabindex="0">
            <table>
                <thead>
                    <tr>
                        <th scope="col">"Stage"</th>
                        <th scope="col">"What it did"</th>
                        <th scope="col">"When"</th>
                        <th scope="col" class="figure">
                            "Took"
                        </th>
                    </tr>
                </thead>
                {groups}
            </table>
        </div>
        <Searches methods references=references.clone() />
        {(!fusion.is_empty()).then(|| view! { <FusionTable lines=fusion references /> })}
        {(!calls.is_empty()).then(|| view! { <CallTable calls /> })}
        {(!attempts.is_empty()).then(|| view! { <Drafts attempts /> })}
    }
    .into_any()
}

fn pass_name(pass: u32) -> String {
    if pass == 1 { "As asked".to_owned() } else { format!("Step {pass}") }
}

/// The lists of the methods, search by search.
#[component]
fn Searches(methods: Vec<MethodLine>, references: Vec<ResultItem>) -> impl IntoView {
    if methods.is_empty() {
        return None;
    }
    let mut before = None;
    let lists = methods.into_iter().map(|line| {
        let search = (line.iteration, line.query.clone());
        let head = (before.as_ref() != Some(&search)).then(|| {
            let pass = (line.iteration > 1).then(|| format!("{}: ", pass_name(line.iteration)));
            view! { <h4>{pass} <q>{line.query.clone()}</q></h4> }
        });
        before = Some(search);
        view! {
            {head}
            <MethodView line references=references.clone() />
        }
    });
    Some(view! {
        <h3>"What each method brought"</h3>
        {lists.collect_view()}
    })
}

#[component]
fn StageRow(line: StageLine, whole_ms: f64) -> impl IntoView {
    let scale = |elapsed_ms: f64| if whole_ms > 0.0 { elapsed_ms / whole_ms * BAR } else { 0.0 };
    let took_ms = line.ended_ms - line.began_ms;
    let class = status_class(line.status);
    let name = line.stage.name();
    let notes = line.notes.into_iter().map(|note| view! { <li>{note}</li> }).collect_view();
    view! {
        <tr class=class>
            <th scope="row">{name} {status_words(line.status).map(|words| view! { <span class="status">{words}</span> })}</th>
            <td>
                <ul class="notes">{notes}</ul>
            </td>
            <td>
                <svg class="when" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
                    <rect x=scale(line.began_ms) y="1" width=scale(took_ms).max(1.0) height="6" />
                </svg>
            </td>
            <td class="figure">{words::duration(took_ms)}</td>
        </tr>
    }
    .into_any()
}

fn status_class(status: StageStatus) -> &'static str {
    match status {
        StageStatus::Degraded => "stage-degraded",
        StageStatus::Failed => "stage-failed",
        StageStatus::Started | StageStatus::Progress => "stage-running",
        StageStatus::Finished => "stage-finished",
    }
}

fn status_words(status: StageStatus) -> Option<&'static str> {
    match status {
        StageStatus::Finished => None,
        StageStatus::Started | StageStatus::Progress => Some("running"),
        StageStatus::Degraded => Some("degraded"),
        StageStatus::Failed => Some("failed"),
    }
}
