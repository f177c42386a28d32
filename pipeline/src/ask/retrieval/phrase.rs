//! The edges that explain a hit, as a plain phrase: `used in the notebook “Flood maps”`.

use crate::model::{
    element::ElementId,
    graph::{Direction, EdgeStep, Node},
};

/// Ends named after one verb; the rest are counted.
const NAMED: usize = 3;

/// Told from the hit: each edge at it, and what lies behind the other end.
pub fn phrase(hit: &ElementId, steps: &[EdgeStep]) -> String {
    let mut untold: Vec<&EdgeStep> = steps.iter().collect();
    let mut clauses: Vec<(&'static str, Vec<String>)> = Vec::new();
    while let Some(at) = untold.iter().position(|step| is(&step.from, hit) || is(&step.to, hit)) {
        let step = untold.remove(at);
        let here = if is(&step.from, hit) { &step.from } else { &step.to };
        let (verb, other) = told_from(here, step);
        let end = format!("{}{}", named(other), behind(other, hit, &mut untold));
        match clauses.iter_mut().find(|(told, _)| *told == verb) {
            Some((_, ends)) => ends.push(end),
            None => clauses.push((verb, vec![end])),
        }
    }
    clauses.iter().map(|(verb, ends)| format!("{verb} {}", listed(ends))).collect::<Vec<_>>().join("; ")
}

fn is(node: &Node, hit: &ElementId) -> bool {
    matches!(node, Node::Element { id, .. } if id == hit)
}

/// The verb of an edge seen from one of its ends, and the other end.
fn told_from<'a>(here: &Node, step: &'a EdgeStep) -> (&'static str, &'a Node) {
    let (out, back) = step.edge.phrases();
    let starts_here = step.from == *here;
    let points_away = starts_here == (step.direction == Direction::Out);
    (if points_away { out } else { back }, if starts_here { &step.to } else { &step.from })
}

/// `, which uses “…”`: the way on from a node that is not the hit.
fn behind(node: &Node, hit: &ElementId, untold: &mut Vec<&EdgeStep>) -> String {
    let leads_on = |step: &&EdgeStep| (step.from == *node || step.to == *node) && !is(&step.from, hit) && !is(&step.to, hit);
    let Some(at) = untold.iter().position(leads_on) else { return String::new() };
    let step = untold.remove(at);
    let (verb, other) = told_from(node, step);
    let who = match node {
        Node::Person { .. } => "who also",
        Node::Element { .. } if is_verb(verb) => "which",
        Node::Element { .. } => "which is",
    };
    format!(", {who} {verb} {}{}", named(other), behind(other, hit, untold))
}

fn is_verb(phrase: &str) -> bool {
    matches!(phrase, "cites" | "uses")
}

fn named(node: &Node) -> String {
    match node {
        Node::Element { kind, title, .. } => format!("the {} “{title}”", kind.label()),
        Node::Person { name } => name.clone(),
    }
}

fn listed(ends: &[String]) -> String {
    let more = ends.len().saturating_sub(NAMED);
    let mut shown: Vec<String> = ends.iter().take(NAMED).cloned().collect();
    if more > 0 {
        shown.push(format!("{more} more"));
    }
    match shown.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, before)) => format!("{} and {last}", before.join(", ")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{element::Kind, graph::Edge};

    fn node(text: &str) -> Node {
        match text.split_once(' ') {
            Some(_) => Node::Person { name: text.to_owned() },
            None => {
                let kind = match text.chars().next() {
                    Some('n') => Kind::Notebook,
                    Some('p') => Kind::Publication,
                    Some('o') => Kind::Oer,
                    _ => Kind::Dataset,
                };
                Node::Element { id: ElementId::from(text), kind, title: text.to_uppercase() }
            }
        }
    }

    fn check(hit: &str, steps: &[(&str, Edge, Direction, &str)], expected: &str) {
        let steps: Vec<EdgeStep> = steps
            .iter()
            .map(|(from, edge, direction, to)| EdgeStep { from: node(from), edge: *edge, direction: *direction, to: node(to) })
            .collect();
        assert_eq!(phrase(&ElementId::from(hit), &steps), expected);
    }

    #[test]
    fn edges_are_told_from_the_hit() {
        use Direction::{In, Out};
        check("n1", &[("d", Edge::UsedIn, Out, "n1")], "uses the dataset “D”");
        check("p1", &[("d", Edge::Cites, In, "p1")], "cites the dataset “D”");
        check("d", &[("Ana Costa", Edge::AuthoredBy, In, "d")], "written by Ana Costa");
        let through = [("d", Edge::UsedIn, Out, "n1"), ("n1", Edge::UsedIn, Out, "p1")];
        check("p1", &through, "uses the notebook “N1”, which uses the dataset “D”");
        let together = [
            ("Ana Costa", Edge::AuthoredBy, In, "d"),
            ("d", Edge::AuthoredBy, Out, "Bo Li"),
            ("d", Edge::ContributedBy, Out, "Eve A"),
        ];
        check("d", &together, "written by Ana Costa and Bo Li; contributed by Eve A");
        let shared = [("d", Edge::BookmarkedBy, Out, "Cy T"), ("Cy T", Edge::BookmarkedBy, In, "o1")];
        check("o1", &shared, "bookmarked by Cy T, who also bookmarked the dataset “D”");
        let path = [("d", Edge::UsedIn, Out, "n1"), ("n1", Edge::RelatedTo, Out, "o1")];
        check("n1", &path, "uses the dataset “D”; related to the teaching resource “O1”");
        check("d", &path, "used in the notebook “N1”, which is related to the teaching resource “O1”");
        let many = ["A a", "B b", "C c", "D d", "E e"].map(|name| ("d", Edge::BookmarkedBy, Out, name));
        check("d", &many, "bookmarked by A a, B b, C c and 2 more");
        check("d", &[], "");
    }
}
