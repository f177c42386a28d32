//! The trace: one line when closed, the whole way to the answer when open.

use std::collections::BTreeSet;

use leptos::prelude::*;
use pipeline::model::{element::ElementId, round::StageStatus};

use super::{
    Story,
    story::{FusionLine, MethodLine, StageLine},
};
use crate::{query_string, words};

/// Hits of a method shown in its list.
const SHOWN_HITS: usize = 10;
/// The width of the time line's bars.
const BAR: f64 = 100.0;

#[component]
pub fn TracePanel(story: Story) -> impl IntoView {
    if story.stages.is_empty() {
        return None;
    }
    let calls = match story.model_calls {
        0 => "no model calls".to_owned(),
        calls => words::counted(calls as u64, "model call", "model calls"),
    };
    let summary = format!(
        "Trace: {} · {} · {calls}",
        words::counted(story.stages.len() as u64, "stage", "stages"),
        words::duration(story.elapsed_ms)
    );
    let stages =
        story.stages.iter().map(|line| view! { <StageRow line=line.clone() whole_ms=story.elapsed_ms /> }).collect_view();
    let methods = story.methods.iter().map(|line| view! { <MethodView line=line.clone() story=story.clone() /> }).collect_view();
    let fusion = (!story.fusion.is_empty()).then(|| view! { <FusionTable lines=story.fusion.clone() story=story.clone() /> });
    Some(
        view! {
            <details class="trace">
                <summary>{summary}</summary>
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
                        <tbody>{stages}</tbody>
                    </table>
                </div>
                {(!methods.is_empty()).then(|| view! { <h3>"What each method brought"</h3>{methods} })}
                {fusion}
            </details>
        }
        .into_any(),
    )
}

#[component]
fn StageRow(line: StageLine, whole_ms: f64) -> impl IntoView {
    let scale = |elapsed_ms: f64| if whole_ms > 0.0 { elapsed_ms / whole_ms * BAR } else { 0.0 };
    let took_ms = line.ended_ms - line.began_ms;
    let class = status_class(line.status);
    let name =
        if line.iteration > 1 { format!("{} ({})", line.stage.name(), line.iteration) } else { line.stage.name().to_owned() };
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

#[component]
fn MethodView(line: MethodLine, story: Story) -> impl IntoView {
    let outcome = match &line.reason {
        Some(reason) if line.failed => format!("did not answer: {reason}"),
        Some(reason) if line.hits.is_empty() => format!("not asked: {reason}"),
        _ => words::counted(line.total.max(line.hits.len() as u64), "candidate", "candidates"),
    };
    let elapsed = line.elapsed_ms.map(|elapsed_ms| format!(" in {}", words::duration(elapsed_ms)));
    let query = (!line.query.is_empty()).then(|| view! { <p class="quiet">"Asked: "<q>{line.query.clone()}</q></p> });
    let more = line.total.max(line.hits.len() as u64).saturating_sub(SHOWN_HITS.min(line.hits.len()) as u64);
    let hits = line
        .hits
        .into_iter()
        .take(SHOWN_HITS)
        .map(|(id, rank)| view! { <li value=rank><ElementName id story=story.clone() /></li> });
    let hits = hits.collect_view();
    view! {
        <details class="method-list" class:failed=line.failed>
            <summary><strong>{line.name}</strong>" "{outcome}{elapsed}</summary>
            {query}
            <ol>{hits}</ol>
            {(more > 0).then(|| view! { <p class="quiet">{format!("and {} more", words::count(more))}</p> })}
        </details>
    }
    .into_any()
}

#[component]
fn FusionTable(lines: Vec<FusionLine>, story: Story) -> impl IntoView {
    let methods: BTreeSet<String> = lines.iter().flat_map(|line| line.ranks.keys().cloned()).collect();
    let head = methods.iter().map(|method| view! { <th scope="col" class="figure">{method.clone()}</th> }).collect_view();
    let rows = lines.into_iter().take(SHOWN_HITS).map(|line| {
        let ranks =
            methods.iter().map(|method| view! { <td class="figure">{line.ranks.get(method).copied()}</td> }).collect_view();
        view! {
            <tr>
                <td class="figure">{line.position}</td>
                <th scope="row">
                    <ElementName id=line.id story=story.clone() />
                </th>
                {ranks}
            </tr>
        }
    });
    view! {
        <h3>"How the lists were joined"</h3>
        <p class="quiet">"The rank each method gave; reciprocal rank fusion makes the order."</p>
        <div class="table-scroll" role="region" aria-label="Fusion" tabindex="0">
            <table>
                <thead>
                    <tr>
                        <th scope="col" class="figure">
                            "Place"
                        </th>
                        <th scope="col">"Element"</th>
                        {head}
                    </tr>
                </thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
        </div>
    }
    .into_any()
}

#[component]
fn ElementName(id: ElementId, story: Story) -> impl IntoView {
    view! { <a href=query_string::element_address(&id)>{story.title_of(&id)}</a> }
}
