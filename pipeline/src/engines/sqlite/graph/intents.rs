//! Each intent as fixed statements: what is found, in which order, and by which edges.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    super::database::{Database, failed, limit, list, unsigned},
    people::person_key,
    walk::{self, Key, Link, Met, breadth_first, expand, way_to},
};
use crate::{
    model::{
        element::{ElementId, Kind},
        graph::{Direction, Edge, EdgeStep, Node},
        graph_intent::{GraphIntent, PersonOrElement},
    },
    ports::{
        ErrorKind, PortError, PortResult,
        graph_store::{GraphHit, LINEAGE_DEPTH, PATH_DEPTH},
        search_index::Hit,
    },
};

const OPERATION: &str = "graph: find";
/// Edges that explain one hit.
const STEPS_A_HIT: usize = 40;
const MADE_BY: [Edge; 2] = [Edge::AuthoredBy, Edge::ContributedBy];
const PATH_EDGES: [Edge; 5] = [Edge::Cites, Edge::RelatedTo, Edge::DerivedFrom, Edge::UsedIn, Edge::AuthoredBy];

const MOST_VIEWED: &str = "
    SELECT id, click_count FROM nodes
     WHERE click_count > 0 AND (?1 = '[]' OR kind IN (SELECT value FROM json_each(?1)))
     ORDER BY click_count DESC, id LIMIT ?2";
const MOST_BOOKMARKED: &str = "
    SELECT source, count(*) AS bookmarks
      FROM person_edges JOIN nodes ON nodes.id = source
     WHERE edge = 'bookmarked-by' AND (?1 = '[]' OR kind IN (SELECT value FROM json_each(?1)))
     GROUP BY source ORDER BY bookmarks DESC, click_count DESC, source LIMIT ?2";

pub(super) async fn find(database: &Database, intent: &GraphIntent, most: usize) -> PortResult<Vec<GraphHit>> {
    match intent {
        GraphIntent::Contributed { person, kinds } => of_person(database, person, Edge::ContributedBy, kinds, most).await,
        GraphIntent::Authored { person, kinds } => of_person(database, person, Edge::AuthoredBy, kinds, most).await,
        GraphIntent::BookmarkedBy { person, kinds } => of_person(database, person, Edge::BookmarkedBy, kinds, most).await,
        GraphIntent::Uses { element, kinds } => {
            related(database, element, &[Edge::UsedIn], Some(Direction::Out), kinds, most).await
        }
        GraphIntent::Related { element, edges, direction, kinds } => {
            let between = |edge: &Edge| Edge::BETWEEN_ELEMENTS.contains(edge);
            let edges: Vec<Edge> = match edges.as_slice() {
                [] => Edge::BETWEEN_ELEMENTS.into(),
                edges => edges.iter().copied().filter(between).collect(),
            };
            related(database, element, &edges, *direction, kinds, most).await
        }
        GraphIntent::PublicationsThroughNotebooks { element } => publications(database, element, most).await,
        GraphIntent::MostViewed { kinds, tag: None, area: None } => most_viewed(database, kinds, most).await,
        GraphIntent::MostViewed { .. } => {
            Err(PortError::new(ErrorKind::Invalid, OPERATION, "a graph holds neither tags nor areas"))
        }
        GraphIntent::MostBookmarked { kinds } => most_bookmarked(database, kinds, most).await,
        GraphIntent::SharesBookmarkers { element, kinds } => {
            through_people(database, element, &[Edge::BookmarkedBy], kinds, most).await
        }
        GraphIntent::WorksWith { of, edges, kinds } => {
            let asked = |edge: &Edge| edges.is_empty() || edges.contains(edge);
            let edges: Vec<Edge> = MADE_BY.into_iter().filter(asked).collect();
            match of {
                PersonOrElement::Element(element) => through_people(database, element, &edges, kinds, most).await,
                PersonOrElement::Person(person) => together_with(database, person, &edges, kinds, most).await,
            }
        }
        GraphIntent::Lineage { element, direction, kinds } => lineage(database, element, *direction, kinds, most).await,
        GraphIntent::Connection { from, to } => connection(database, from, to, most).await,
    }
}

/// Runs every statement on nothing, so that one that does not fit the schema is known at the start.
pub(super) async fn check(database: &Database) -> PortResult<()> {
    expand(database, &[], &[], None).await?;
    walk::element(database, &ElementId(String::new())).await?;
    most_viewed(database, &[], 0).await?;
    most_bookmarked(database, &[], 0).await?;
    Ok(())
}

async fn of_person(database: &Database, name: &str, edge: Edge, kinds: &[Kind], most: usize) -> PortResult<Vec<GraphHit>> {
    let person = Node::Person { name: name.to_owned() };
    let mut found = Found::default();
    for link in expand(database, &[Key::Person(person_key(name))], &[edge], Some(Direction::In)).await? {
        let step = link.step(&person);
        found.add(link.to, [step]);
    }
    Ok(found.ranked(kinds, most))
}

async fn related(
    database: &Database,
    id: &ElementId,
    edges: &[Edge],
    direction: Option<Direction>,
    kinds: &[Kind],
    most: usize,
) -> PortResult<Vec<GraphHit>> {
    let Some(asked) = walk::element(database, id).await? else { return Ok(Vec::new()) };
    let mut found = Found::default();
    for link in links_away(database, &asked, edges, direction).await? {
        let step = link.step(&asked.node);
        found.add(link.to, [step]);
    }
    Ok(found.ranked(kinds, most))
}

/// The edges of an element that do not lead back to it.
async fn links_away(database: &Database, asked: &Met, edges: &[Edge], direction: Option<Direction>) -> PortResult<Vec<Link>> {
    let mut links = expand(database, std::slice::from_ref(&asked.key), edges, direction).await?;
    links.retain(|link| link.to.key != asked.key);
    Ok(links)
}

async fn publications(database: &Database, id: &ElementId, most: usize) -> PortResult<Vec<GraphHit>> {
    let Some(asked) = walk::element(database, id).await? else { return Ok(Vec::new()) };
    let mut notebooks = links_away(database, &asked, &[Edge::UsedIn], Some(Direction::Out)).await?;
    notebooks.retain(|link| link.to.kind() == Some(Kind::Notebook));
    two_hops(database, &asked, notebooks, &Edge::BETWEEN_ELEMENTS, None, &[Kind::Publication], most).await
}

/// Elements that share people with one.
async fn through_people(
    database: &Database,
    id: &ElementId,
    edges: &[Edge],
    kinds: &[Kind],
    most: usize,
) -> PortResult<Vec<GraphHit>> {
    let Some(asked) = walk::element(database, id).await? else { return Ok(Vec::new()) };
    let people = links_away(database, &asked, edges, Some(Direction::Out)).await?;
    two_hops(database, &asked, people, edges, Some(Direction::In), kinds, most).await
}

/// What lies one step behind the ends of `first`, ranked by how many of those lead there.
async fn two_hops(
    database: &Database,
    asked: &Met,
    first: Vec<Link>,
    edges: &[Edge],
    direction: Option<Direction>,
    kinds: &[Kind],
    most: usize,
) -> PortResult<Vec<GraphHit>> {
    let mut by_key: BTreeMap<Key, Link> = BTreeMap::new();
    for link in first {
        by_key.entry(link.to.key.clone()).or_insert(link);
    }
    let between: Vec<Key> = by_key.keys().cloned().collect();
    let mut second = expand(database, &between, edges, direction).await?;
    second.sort_by(|a, b| a.from.cmp(&b.from));
    let mut found = Found::default();
    for link in second {
        let Some(first) = by_key.get(&link.from) else { continue };
        if link.to.key != asked.key && !found.leads_from(&link.to.key, &link.from) {
            let steps = [first.step(&asked.node), link.step(&first.to.node)];
            found.lead(link.to, link.from, steps);
        }
    }
    Ok(found.ranked(kinds, most))
}

/// What a person made with others, each with the edges to all of them.
async fn together_with(
    database: &Database,
    name: &str,
    edges: &[Edge],
    kinds: &[Kind],
    most: usize,
) -> PortResult<Vec<GraphHit>> {
    let key = person_key(name);
    let person = Node::Person { name: name.to_owned() };
    let mut made: BTreeMap<Key, Link> = BTreeMap::new();
    for link in expand(database, &[Key::Person(key.clone())], edges, Some(Direction::In)).await? {
        made.entry(link.to.key.clone()).or_insert(link);
    }
    let elements: Vec<Key> = made.keys().cloned().collect();
    let mut others = expand(database, &elements, edges, Some(Direction::Out)).await?;
    others.retain(|link| link.to.key != Key::Person(key.clone()));
    others.sort_by(|a, b| a.edge.cmp(&b.edge).then_with(|| a.to.key.cmp(&b.to.key)));
    let mut found = Found::default();
    for other in others {
        let Some(own) = made.get(&other.from) else { continue };
        if found.leads_from(&own.to.key, &other.to.key) {
            continue;
        }
        let step = other.step(&own.to.node);
        let first = (!found.holds(&own.to.key)).then(|| own.step(&person));
        found.lead(own.to.clone(), other.to.key, first.into_iter().chain([step]));
    }
    Ok(found.ranked(kinds, most))
}

async fn lineage(
    database: &Database,
    id: &ElementId,
    direction: Option<Direction>,
    kinds: &[Kind],
    most: usize,
) -> PortResult<Vec<GraphHit>> {
    let Some(asked) = walk::element(database, id).await? else { return Ok(Vec::new()) };
    let directions = match direction {
        Some(direction) => vec![direction],
        None => vec![Direction::Out, Direction::In],
    };
    let mut found: Vec<(usize, GraphHit)> = Vec::new();
    for direction in directions {
        let reached = breadth_first(database, &asked, &[Edge::DerivedFrom], Some(direction), LINEAGE_DEPTH, None).await?;
        for (at, here) in reached.iter().enumerate().filter(|(_, here)| admitted(kinds, &here.met)) {
            found.extend(graph_hit(&here.met, 1.0 / here.distance as f32, way_to(&reached, at)).map(|hit| (here.distance, hit)));
        }
    }
    found.sort_by(|(a_distance, a), (b_distance, b)| a_distance.cmp(b_distance).then_with(|| by_views(&a.hit, &b.hit)));
    // within a cycle an element is both: the nearer way stands
    let mut seen = BTreeSet::new();
    found.retain(|(_, hit)| seen.insert(hit.hit.id.clone()));
    Ok(found.into_iter().map(|(_, hit)| hit).take(most).collect())
}

async fn connection(database: &Database, from: &ElementId, to: &ElementId, most: usize) -> PortResult<Vec<GraphHit>> {
    let Some(start) = walk::element(database, from).await? else { return Ok(Vec::new()) };
    let goal = Key::Element(to.0.clone());
    if start.key == goal {
        return Ok(Vec::new());
    }
    let reached = breadth_first(database, &start, &PATH_EDGES, None, PATH_DEPTH, Some(&goal)).await?;
    let Some(end) = reached.iter().position(|reached| reached.met.key == goal) else { return Ok(Vec::new()) };
    let path = way_to(&reached, end);
    let score = 1.0 / path.len() as f32;
    let passed = path.iter().filter_map(|step| reached.iter().map(|reached| &reached.met).find(|met| met.node == step.to));
    Ok(std::iter::once(&start).chain(passed).filter_map(|met| graph_hit(met, score, path.clone())).take(most).collect())
}

async fn most_viewed(database: &Database, kinds: &[Kind], most: usize) -> PortResult<Vec<GraphHit>> {
    let rows: Vec<(String, i64)> = sqlx::query_as(MOST_VIEWED)
        .bind(list(kinds.iter().map(|kind| kind.name())))
        .bind(limit(most))
        .fetch_all(database.readers())
        .await
        .map_err(failed(OPERATION))?;
    let hit = |(id, clicks): (String, i64)| Hit { id: ElementId(id), score: clicks as f32, click_count: unsigned(clicks) };
    Ok(rows.into_iter().map(|row| GraphHit { hit: hit(row), because: Vec::new() }).collect())
}

async fn most_bookmarked(database: &Database, kinds: &[Kind], most: usize) -> PortResult<Vec<GraphHit>> {
    let rows: Vec<(String, i64)> = sqlx::query_as(MOST_BOOKMARKED)
        .bind(list(kinds.iter().map(|kind| kind.name())))
        .bind(limit(most))
        .fetch_all(database.readers())
        .await
        .map_err(failed(OPERATION))?;
    let mut hits = Vec::with_capacity(rows.len());
    for (id, bookmarks) in rows {
        // withdrawn since the row was read
        let Some(met) = walk::element(database, &ElementId(id)).await? else { continue };
        let mut readers = expand(database, std::slice::from_ref(&met.key), &[Edge::BookmarkedBy], Some(Direction::Out)).await?;
        readers.sort_by(|a, b| a.to.key.cmp(&b.to.key));
        let steps: Vec<EdgeStep> = readers.iter().map(|link| link.step(&met.node)).take(STEPS_A_HIT).collect();
        hits.extend(graph_hit(&met, bookmarks as f32, steps));
    }
    Ok(hits)
}

/// Hits while they are gathered: by how many ways lead to each.
#[derive(Default)]
struct Found(BTreeMap<Key, Gathered>);

struct Gathered {
    met: Met,
    /// The nodes its ways lead over; a way of one edge counts by itself.
    over: BTreeSet<Key>,
    direct: usize,
    steps: Vec<EdgeStep>,
}

impl Found {
    /// One edge to it.
    fn add(&mut self, met: Met, steps: impl IntoIterator<Item = EdgeStep>) {
        let gathered = self.gathered(met);
        gathered.direct += 1;
        gathered.steps.extend(steps);
    }

    /// A way to it over another node.
    fn lead(&mut self, met: Met, over: Key, steps: impl IntoIterator<Item = EdgeStep>) {
        let gathered = self.gathered(met);
        gathered.over.insert(over);
        gathered.steps.extend(steps);
    }

    fn gathered(&mut self, met: Met) -> &mut Gathered {
        self.0.entry(met.key.clone()).or_insert_with(|| Gathered { met, over: BTreeSet::new(), direct: 0, steps: Vec::new() })
    }

    fn holds(&self, key: &Key) -> bool {
        self.0.contains_key(key)
    }

    fn leads_from(&self, key: &Key, over: &Key) -> bool {
        self.0.get(key).is_some_and(|gathered| gathered.over.contains(over))
    }

    fn ranked(self, kinds: &[Kind], most: usize) -> Vec<GraphHit> {
        let admitted = self.0.into_values().filter(|gathered| admitted(kinds, &gathered.met));
        let mut hits: Vec<(usize, GraphHit)> = admitted
            .filter_map(|mut gathered| {
                let ways = gathered.direct + gathered.over.len();
                gathered.steps.truncate(STEPS_A_HIT);
                graph_hit(&gathered.met, ways as f32, gathered.steps).map(|hit| (ways, hit))
            })
            .collect();
        hits.sort_by(|(a_ways, a), (b_ways, b)| b_ways.cmp(a_ways).then_with(|| by_views(&a.hit, &b.hit)));
        hits.into_iter().map(|(_, hit)| hit).take(most).collect()
    }
}

fn admitted(kinds: &[Kind], met: &Met) -> bool {
    met.kind().is_some_and(|kind| kinds.is_empty() || kinds.contains(&kind))
}

fn by_views(a: &Hit, b: &Hit) -> std::cmp::Ordering {
    b.click_count.cmp(&a.click_count).then_with(|| a.id.cmp(&b.id))
}

/// A person is no hit.
fn graph_hit(met: &Met, score: f32, because: Vec<EdgeStep>) -> Option<GraphHit> {
    match &met.node {
        Node::Element { id, .. } => Some(GraphHit { hit: Hit { id: id.clone(), score, click_count: met.click_count }, because }),
        Node::Person { .. } => None,
    }
}
