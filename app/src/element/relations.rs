//! The typed relations of an element: a drawing, and the same as lists by edge.

use std::collections::BTreeMap;

use leptos::prelude::*;
use pipeline::model::{
    element::Kind,
    element_page::GraphReport,
    graph::{Direction, Edge, Neighbour, Node},
};

use super::graph_drawing::GraphDrawing;
use crate::{parts::KindMark, query_string};

#[component]
pub fn Relations(graph: GraphReport, kind: Kind) -> impl IntoView {
    let degraded = graph.degraded.map(|reason| view! { <p class="notice" role="status">{reason}</p> });
    let mut groups: BTreeMap<(Edge, bool), Vec<Node>> = BTreeMap::new();
    for Neighbour { edge, direction, node } in graph.neighbours.iter().cloned() {
        groups.entry((edge, direction == Direction::In)).or_default().push(node);
    }
    let empty = (groups.is_empty() && degraded.is_none())
        .then(|| view! { <p class="quiet">"No relation to another element or person is known."</p> });
    let lists = groups.into_iter().map(|((edge, inwards), nodes)| {
        let (outwards_phrase, inwards_phrase) = edge.phrases();
        let phrase = if inwards { inwards_phrase } else { outwards_phrase };
        view! {
            <h3>{phrase}</h3>
            <ul class="neighbours">{nodes.into_iter().map(|node| view! { <li><NodeLink node edge /></li> }).collect_view()}</ul>
        }
    });
    view! {
        <section aria-labelledby="relations">
            <h2 id="relations">"Relations"</h2>
            {degraded} {empty} <GraphDrawing neighbours=graph.neighbours kind /> {lists.collect_view()}
        </section>
    }
    .into_any()
}

#[component]
fn NodeLink(node: Node, edge: Edge) -> impl IntoView {
    let address = node_address(&node, edge);
    match node {
        Node::Element { kind, title, .. } => view! { <KindMark kind />" "<a href=address>{title}</a> }.into_any(),
        Node::Person { name } => view! { <a href=address>{name}</a> }.into_any(),
    }
}

/// An element's page, or a search for what a person contributed or wrote.
pub fn node_address(node: &Node, edge: Edge) -> String {
    match node {
        Node::Element { id, .. } => query_string::element_address(id),
        Node::Person { name } if edge == Edge::ContributedBy => query_string::address("/", [("contributor", name)]),
        Node::Person { name } => query_string::address("/", [("q", format!("\"{name}\""))]),
    }
}
