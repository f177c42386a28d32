//! Walking edges: all edges of many nodes at once, and breadth-first over several steps. Every element met is a row of `nodes`,
//! so it is public.

use std::collections::HashMap;

use sqlx::FromRow;

use super::super::database::{Database, failed, list, unsigned};
use crate::{
    model::{
        element::{ElementId, Kind},
        graph::{Direction, Edge, EdgeStep, Node},
    },
    ports::{ErrorKind, PortError, PortResult},
};

const OPERATION: &str = "graph: walk";
/// Edges followed from one set of nodes; what is left out ends at the least viewed elements.
const EDGES_A_STEP: i64 = 20_000;
/// Nodes a walk meets before it gives up.
const NODES_A_WALK: usize = 20_000;

/// `?1` elements, `?2` people by key, `?3` edges, `?4` directions.
const EXPAND: &str = "
    SELECT 0 AS from_person, source AS at, edge, 'out' AS direction, node.id AS id, node.kind AS kind, node.title AS name, node.click_count AS click_count
      FROM json_each(?1) AS asked
      JOIN nodes AS origin ON origin.id = asked.value
      JOIN element_edges ON source = asked.value
      JOIN nodes AS node ON node.id = target
     WHERE edge IN (SELECT value FROM json_each(?3)) AND 'out' IN (SELECT value FROM json_each(?4))
    UNION ALL
    SELECT 0, target, edge, 'in', node.id, node.kind, node.title, node.click_count
      FROM json_each(?1) AS asked
      JOIN nodes AS origin ON origin.id = asked.value
      JOIN element_edges ON target = asked.value
      JOIN nodes AS node ON node.id = source
     WHERE edge IN (SELECT value FROM json_each(?3)) AND 'in' IN (SELECT value FROM json_each(?4))
    UNION ALL
    SELECT 0, source, edge, 'out', person, NULL, name, 0
      FROM json_each(?1) AS asked
      JOIN person_edges ON source = asked.value
     WHERE edge IN (SELECT value FROM json_each(?3)) AND 'out' IN (SELECT value FROM json_each(?4))
    UNION ALL
    SELECT 1, person, edge, 'in', node.id, node.kind, node.title, node.click_count
      FROM json_each(?2) AS asked
      JOIN person_edges ON person = asked.value
      JOIN nodes AS node ON node.id = source
     WHERE edge IN (SELECT value FROM json_each(?3)) AND 'in' IN (SELECT value FROM json_each(?4))
    ORDER BY click_count DESC, at, edge, direction, id
    LIMIT ?5";

/// Elements by id as nodes.
const NODES: &str = "SELECT nodes.id, kind, title, click_count FROM json_each(?) AS asked JOIN nodes ON nodes.id = asked.value";

/// What a node is known by.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Key {
    Element(String),
    /// The folded name.
    Person(String),
}

/// A node with what orders it.
#[derive(Clone, Debug)]
pub(super) struct Met {
    pub key: Key,
    pub node: Node,
    pub click_count: u64,
}

impl Met {
    pub fn kind(&self) -> Option<Kind> {
        match &self.node {
            Node::Element { kind, .. } => Some(*kind),
            Node::Person { .. } => None,
        }
    }
}

/// One edge from a node that was asked for to another.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pub from: Key,
    pub edge: Edge,
    pub direction: Direction,
    pub to: Met,
}

impl Link {
    pub fn step(&self, from: &Node) -> EdgeStep {
        EdgeStep { from: from.clone(), edge: self.edge, direction: self.direction, to: self.to.node.clone() }
    }
}

/// All edges of these kinds from any of the nodes, most viewed ends first.
pub(super) async fn expand(
    database: &Database,
    from: &[Key],
    edges: &[Edge],
    direction: Option<Direction>,
) -> PortResult<Vec<Link>> {
    let keys = |people: bool| {
        list(from.iter().filter_map(move |key| match key {
            Key::Element(id) if !people => Some(id.as_str()),
            Key::Person(name) if people => Some(name.as_str()),
            _ => None,
        }))
    };
    let directions = match direction {
        Some(Direction::Out) => list(["out"]),
        Some(Direction::In) => list(["in"]),
        None => list(["out", "in"]),
    };
    let rows: Vec<LinkRow> = sqlx::query_as(EXPAND)
        .bind(keys(false))
        .bind(keys(true))
        .bind(list(edges.iter().map(|edge| edge.name())))
        .bind(directions)
        .bind(EDGES_A_STEP)
        .fetch_all(database.readers())
        .await
        .map_err(failed(OPERATION))?;
    rows.into_iter().map(LinkRow::read).collect()
}

/// A public element; `None` for any other.
pub(super) async fn element(database: &Database, id: &ElementId) -> PortResult<Option<Met>> {
    let row: Option<(String, String, String, i64)> =
        sqlx::query_as(NODES).bind(list([id.0.as_str()])).fetch_optional(database.readers()).await.map_err(failed(OPERATION))?;
    row.map(|(id, kind, title, clicks)| met_element(id, &kind, title, clicks)).transpose()
}

/// Every node within `depth` steps of `start`, with the way to it, nearest first, of each distance the most viewed first. The walk
/// ends at `goal`. A node is met once, so cycles end.
pub(super) async fn breadth_first(
    database: &Database,
    start: &Met,
    edges: &[Edge],
    direction: Option<Direction>,
    depth: usize,
    goal: Option<&Key>,
) -> PortResult<Vec<Reached>> {
    let mut seen: HashMap<Key, Option<usize>> = HashMap::from([(start.key.clone(), None)]);
    let mut reached: Vec<Reached> = Vec::new();
    let mut frontier = vec![start.key.clone()];
    for distance in 1..=depth {
        let mut links = expand(database, &frontier, edges, direction).await?;
        // edges between elements say more of how they belong together than a common author
        links.sort_by_key(|link| matches!(link.to.key, Key::Person(_)));
        frontier.clear();
        for link in links {
            if seen.contains_key(&link.to.key) {
                continue;
            }
            let before = seen.get(&link.from).copied().flatten();
            let step = link.step(before.and_then(|at| reached.get(at)).map_or(&start.node, |reached| &reached.met.node));
            seen.insert(link.to.key.clone(), Some(reached.len()));
            frontier.push(link.to.key.clone());
            reached.push(Reached { met: link.to, distance, before, step });
        }
        let found = goal.is_some_and(|goal| seen.contains_key(goal));
        if found || frontier.is_empty() || seen.len() > NODES_A_WALK {
            break;
        }
    }
    Ok(reached)
}

/// A node a walk has met.
pub(super) struct Reached {
    pub met: Met,
    pub distance: usize,
    /// The place of the node before it among those reached; none after the start.
    before: Option<usize>,
    step: EdgeStep,
}

/// The steps from the start to the node at `at`.
pub(super) fn way_to(reached: &[Reached], at: usize) -> Vec<EdgeStep> {
    let mut steps = Vec::new();
    let mut next = Some(at);
    while let Some(here) = next.and_then(|at| reached.get(at)) {
        steps.push(here.step.clone());
        next = here.before;
    }
    steps.reverse();
    steps
}

#[derive(FromRow)]
struct LinkRow {
    from_person: bool,
    at: String,
    edge: String,
    direction: String,
    id: String,
    kind: Option<String>,
    name: String,
    click_count: i64,
}

impl LinkRow {
    fn read(self) -> PortResult<Link> {
        let to = match self.kind {
            Some(kind) => met_element(self.id, &kind, self.name, self.click_count)?,
            None => Met { key: Key::Person(self.id), node: Node::Person { name: self.name }, click_count: 0 },
        };
        let from = if self.from_person { Key::Person(self.at) } else { Key::Element(self.at) };
        let direction = if self.direction == "in" { Direction::In } else { Direction::Out };
        Ok(Link { from, edge: edge_named(&self.edge)?, direction, to })
    }
}

fn met_element(id: String, kind: &str, title: String, click_count: i64) -> PortResult<Met> {
    let kind = kind.parse().map_err(|_| unknown(kind))?;
    let node = Node::Element { id: ElementId(id.clone()), kind, title };
    Ok(Met { key: Key::Element(id), node, click_count: unsigned(click_count) })
}

pub(super) fn edge_named(name: &str) -> PortResult<Edge> {
    Edge::ALL.into_iter().find(|edge| edge.name() == name).ok_or_else(|| unknown(name))
}

pub(super) fn unknown(what: &str) -> PortError {
    PortError::new(ErrorKind::Incompatible, "graph: read an edge", format!("`{what}` is unknown"))
}
