//! What each method brought, and how their lists were joined.

use std::collections::BTreeSet;

use leptos::prelude::*;
use pipeline::model::{element::ElementId, results::ResultItem};

use crate::{
    query_string,
    round::story::{FusionLine, MethodLine, title_of},
    words,
};

/// Hits of a method shown in its list.
const SHOWN_HITS: usize = 10;

#[component]
pub fn MethodView(line: MethodLine, references: Vec<ResultItem>) -> impl IntoView {
    let outcome = match &line.reason {
        Some(reason) if line.failed => format!("did not answer: {reason}"),
        Some(reason) if line.hits.is_empty() => format!("not asked: {reason}"),
        _ => words::counted(line.total.max(line.hits.len() as u64), "candidate", "candidates"),
    };
    let elapsed = line.elapsed_ms.map(|elapsed_ms| format!(" in {}", words::duration(elapsed_ms)));
    let more = line.total.max(line.hits.len() as u64).saturating_sub(SHOWN_HITS.min(line.hits.len()) as u64);
    let hits = line
        .hits
        .into_iter()
        .take(SHOWN_HITS)
        .map(|(id, rank)| view! { <li value=rank><ElementName id references=references.clone() /></li> });
    let hits = hits.collect_view();
    view! {
        <details class="method-list" class:failed=line.failed>
            <summary><strong>{line.name}</strong>" "{outcome}{elapsed}</summary>
            <ol>{hits}</ol>
            {(more > 0).then(|| view! { <p class="quiet">{format!("and {} more", words::count(more))}</p> })}
        </details>
    }
    .into_any()
}

#[component]
pub fn FusionTable(lines: Vec<FusionLine>, references: Vec<ResultItem>) -> impl IntoView {
    let methods: BTreeSet<String> = lines.iter().flat_map(|line| line.ranks.keys().cloned()).collect();
    let head = methods.iter().map(|method| view! { <th scope="col" class="figure">{method.clone()}</th> }).collect_view();
    let rows = lines.into_iter().take(SHOWN_HITS).map(|line| {
        let ranks =
            methods.iter().map(|method| view! { <td class="figure">{line.ranks.get(method).copied()}</td> }).collect_view();
        view! {
            <tr>
                <td class="figure">{line.position}</td>
                <th scope="row">
                    <ElementName id=line.id references=references.clone() />
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
fn ElementName(id: ElementId, references: Vec<ResultItem>) -> impl IntoView {
    view! { <a href=query_string::element_address(&id)>{title_of(&references, &id)}</a> }
}
