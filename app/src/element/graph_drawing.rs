//! The neighbourhood of an element: what points to it on the left, what it points to on the right.

use leptos::prelude::*;
use pipeline::model::{
    element::Kind,
    graph::{Direction, Neighbour, Node},
};

use super::relations::node_address;
use crate::parts::kind_mark;

/// Neighbours drawn a side; the lists hold all of them.
const SHOWN: usize = 8;
const ROW: f64 = 40.0;
/// The width of a node with its label, and of the room its edge bends in.
const COLUMN: f64 = 250.0;
const BEND: f64 = 110.0;
/// Letters that fit beside a node.
const LABEL: usize = 32;
const PERSON: &str = "M8 2a3 3 0 1 0 0 6a3 3 0 1 0 0-6zM2.5 14a5.5 5 0 0 1 11 0z";

#[component]
pub fn GraphDrawing(neighbours: Vec<Neighbour>, kind: Kind) -> impl IntoView {
    let (inwards, outwards): (Vec<_>, Vec<_>) =
        neighbours.into_iter().partition(|neighbour| neighbour.direction == Direction::In);
    let rows = inwards.len().max(outwards.len()).min(SHOWN);
    if rows == 0 {
        return None;
    }
    let height = rows as f64 * ROW;
    let middle = height / 2.0;
    let side = |neighbours: &[Neighbour]| if neighbours.is_empty() { 14.0 } else { COLUMN + BEND };
    let centre = side(&inwards);
    let width = centre + side(&outwards);
    let spokes = |neighbours: Vec<Neighbour>| {
        let top = middle - neighbours.len().min(SHOWN) as f64 * ROW / 2.0 + ROW / 2.0;
        let nodes = neighbours.into_iter().take(SHOWN).enumerate();
        nodes.map(|(at, neighbour)| view! { <Spoke neighbour y=top + at as f64 * ROW centre middle /> }).collect_view()
    };
    Some(
        view! {
            <svg class="graph" viewBox=format!("0 0 {width} {height}") width=width height=height aria-hidden="true">
                <defs>
                    <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
                        <path d="M0 0L8 4L0 8z" />
                    </marker>
                </defs>
                {spokes(inwards)} {spokes(outwards)}
                <path
                    class=format!("self {}", kind_mark::class(kind))
                    d=kind_mark::shape(kind)
                    transform=format!("translate({} {}) scale(1.5)", centre - 12.0, middle - 12.0)
                />
            </svg>
        }
        .into_any(),
    )
}

/// An edge with its phrase and the node at its other end.
#[component]
fn Spoke(neighbour: Neighbour, y: f64, centre: f64, middle: f64) -> impl IntoView {
    let inwards = neighbour.direction == Direction::In;
    // towards the node: left of the middle for what points to it
    let away = if inwards { -1.0 } else { 1.0 };
    let node_x = centre + away * BEND;
    let (node_end, own_end) = ((node_x - away * 11.0, y), (centre + away * 15.0, middle));
    let (from, to) = if inwards { (node_end, own_end) } else { (own_end, node_end) };
    let bend = f64::midpoint(from.0, to.0);
    let path = format!("M{} {}C{bend} {} {bend} {} {} {}", from.0, from.1, from.1, to.1, to.0, to.1);
    let (label_x, anchor) = (node_x + away * 14.0, if inwards { "end" } else { "start" });
    let (class, shape, label) = match &neighbour.node {
        Node::Element { kind, title, .. } => (kind_mark::class(*kind), kind_mark::shape(*kind), shortened(title)),
        Node::Person { name } => ("kind-person", PERSON, shortened(name)),
    };
    view! {
        <path class="edge" d=path marker-end="url(#arrow)" />
        <a href=node_address(&neighbour.node, neighbour.edge) tabindex="-1">
            <path class=class d=shape transform=format!("translate({} {})", node_x - 8.0, y - 8.0) />
            <text x=label_x y=y - 1.0 text-anchor=anchor>
                {label}
            </text>
            <text class="phrase" x=label_x y=y + 12.0 text-anchor=anchor>
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
