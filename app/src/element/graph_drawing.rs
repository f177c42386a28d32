//! The neighbourhood of an element: what points to it on the left, what it points to on the right.

use leptos::prelude::*;
use pipeline::model::graph::{Direction, Neighbour, Node};

use super::relations::node_address;
use crate::parts::kind_mark;

/// Neighbours drawn a side; the lists hold all of them.
const SHOWN: usize = 8;
const ROW: usize = 40;
const MIDDLE: f64 = 360.0;
/// Letters that fit beside a node.
const LABEL: usize = 30;

#[component]
pub fn GraphDrawing(neighbours: Vec<Neighbour>, title: String) -> impl IntoView {
    let (inwards, outwards): (Vec<_>, Vec<_>) =
        neighbours.into_iter().partition(|neighbour| neighbour.direction == Direction::In);
    let rows = inwards.len().max(outwards.len()).min(SHOWN);
    if rows == 0 {
        return None;
    }
    let height = rows * ROW + 24;
    let middle = height as f64 / 2.0;
    let side = |neighbours: Vec<Neighbour>| {
        let shown = neighbours.len().min(SHOWN);
        let top = middle - (shown * ROW) as f64 / 2.0 + ROW as f64 / 2.0;
        let nodes = neighbours.into_iter().take(SHOWN).enumerate();
        nodes.map(|(at, neighbour)| view! { <Spoke neighbour y=top + (at * ROW) as f64 middle /> }).collect_view()
    };
    Some(
        view! {
            <svg class="graph" viewBox=format!("0 0 720 {height}") aria-hidden="true">
                <defs>
                    <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
                        <path d="M0 0L8 4L0 8z" />
                    </marker>
                </defs>
                {side(inwards)} {side(outwards)} <circle class="self" cx=MIDDLE cy=middle r="9" />
                <text class="self" x=MIDDLE y=middle + 26.0 text-anchor="middle">
                    {shortened(&title)}
                </text>
            </svg>
        }
        .into_any(),
    )
}

/// An edge with its phrase and the node at its other end.
#[component]
fn Spoke(neighbour: Neighbour, y: f64, middle: f64) -> impl IntoView {
    let inwards = neighbour.direction == Direction::In;
    let node_x = if inwards { 232.0 } else { 488.0 };
    let (from, to) =
        if inwards { ((node_x + 12.0, y), (MIDDLE - 13.0, middle)) } else { ((MIDDLE + 13.0, middle), (node_x - 12.0, y)) };
    let bend = f64::midpoint(from.0, to.0);
    let path = format!("M{} {}C{bend} {} {bend} {} {} {}", from.0, from.1, from.1, to.1, to.0, to.1);
    let (label_x, anchor) = if inwards { (node_x - 14.0, "end") } else { (node_x + 14.0, "start") };
    let label = match &neighbour.node {
        Node::Element { title, .. } => shortened(title),
        Node::Person { name } => shortened(name),
    };
    let (class, shape) = match &neighbour.node {
        Node::Element { kind, .. } => (kind_mark::class(*kind), kind_mark::shape(*kind)),
        Node::Person { .. } => ("kind-person", "M8 2a3 3 0 1 0 0 6a3 3 0 1 0 0-6zM2.5 14a5.5 5 0 0 1 11 0z"),
    };
    let address = node_address(&neighbour.node);
    view! {
        <path class="edge" d=path marker-end="url(#arrow)" />
        <a href=address tabindex="-1">
            <path class=class d=shape transform=format!("translate({} {})", node_x - 8.0, y - 8.0) />
            <text x=label_x y=y text-anchor=anchor>
                {label}
            </text>
            <text class="phrase" x=label_x y=y + 13.0 text-anchor=anchor>
                {neighbour.edge.name().replace('-', " ")}
            </text>
        </a>
    }
    .into_any()
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= LABEL {
        return text.to_owned();
    }
    let kept: String = text.chars().take(LABEL - 1).collect();
    format!("{}…", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_titles_are_cut_between_letters() {
        assert_eq!(shortened("Short"), "Short");
        assert_eq!(shortened(&"é".repeat(40)).chars().count(), LABEL);
    }
}
