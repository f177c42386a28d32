//! The knowledge graph in SQLite: what may be shown of it. Elements that are not public are no nodes, so no query can meet
//! them; edges that point to them stay, for the day they come back, and lead nowhere.

mod intents;
mod people;
mod projection;
mod walk;

use std::{
    path::Path,
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicU64, Ordering},
    },
};

use async_trait::async_trait;
use sqlx::FromRow;

use self::{
    people::PeopleIndex,
    walk::{edge_named, unknown},
};
use super::database::{Database, Durability, failed, unsigned};
use crate::{
    model::{
        element::ElementId,
        graph::{Direction, Neighbour, Node},
        graph_intent::GraphIntent,
    },
    ports::{GraphStore, PortResult, Seq, graph_store::GraphHit, records::LoggedChange},
    text::fold::fold,
};

const SCHEMA: &[&str] = &[include_str!("schema/graph-1.sql")];

/// The graph in `graph.db`. Cheap to clone.
#[derive(Clone)]
pub struct SqliteGraph {
    database: Database,
    /// Asked by every search, so kept in memory.
    people: Arc<RwLock<PeopleIndex>>,
    /// The position of the log that `people` was read at.
    people_seen_at: Arc<AtomicU64>,
}

impl SqliteGraph {
    /// Opens or creates the graph in a folder.
    ///
    /// # Errors
    /// `Incompatible` for a graph of a newer version; `Internal` when the folder cannot be written.
    pub async fn open(folder: &Path) -> PortResult<Self> {
        let database = Database::open(&folder.join("graph.db"), Durability::Projection, SCHEMA).await?;
        let graph = Self { database, people: Arc::default(), people_seen_at: Arc::default() };
        intents::check(&graph.database).await?;
        graph.read_people().await?;
        Ok(graph)
    }

    async fn read_people(&self) -> PortResult<()> {
        let operation = "graph: read people";
        let mut snapshot = self.database.readers().begin().await.map_err(failed(operation))?;
        let seq: i64 =
            sqlx::query_scalar("SELECT checkpoint FROM state").fetch_one(&mut *snapshot).await.map_err(failed(operation))?;
        let people: Vec<(String, String)> = sqlx::query_as("SELECT person, min(name) FROM person_edges GROUP BY person")
            .fetch_all(&mut *snapshot)
            .await
            .map_err(failed(operation))?;
        let index: PeopleIndex = people.into_iter().collect();
        *self.people.write().unwrap_or_else(PoisonError::into_inner) = index;
        self.people_seen_at.store(unsigned(seq), Ordering::Release);
        Ok(())
    }
}

#[async_trait]
impl GraphStore for SqliteGraph {
    async fn neighbours(&self, id: &ElementId) -> PortResult<Vec<Neighbour>> {
        let rows: Vec<NeighbourRow> = sqlx::query_as(
            "SELECT edge, 'out' AS direction, node.id AS id, node.kind AS kind, node.title AS name
               FROM element_edges JOIN nodes AS node ON node.id = target
              WHERE source = ?1 AND EXISTS (SELECT 1 FROM nodes WHERE id = ?1)
             UNION ALL
             SELECT edge, 'in', node.id, node.kind, node.title
               FROM element_edges JOIN nodes AS node ON node.id = source
              WHERE target = ?1 AND EXISTS (SELECT 1 FROM nodes WHERE id = ?1)
             UNION ALL
             SELECT edge, 'out', NULL, NULL, name FROM person_edges WHERE source = ?1",
        )
        .bind(&id.0)
        .fetch_all(self.database.readers())
        .await
        .map_err(failed("graph: neighbours"))?;
        let mut neighbours = Vec::with_capacity(rows.len());
        for row in rows {
            neighbours.push((fold(&row.name), row.read()?));
        }
        neighbours.sort_by(|(a_name, a), (b_name, b)| {
            a.edge.cmp(&b.edge).then_with(|| a_name.cmp(b_name)).then_with(|| node_id(&a.node).cmp(&node_id(&b.node)))
        });
        Ok(neighbours.into_iter().map(|(_, neighbour)| neighbour).collect())
    }

    async fn find(&self, intent: &GraphIntent, limit: usize) -> PortResult<Vec<GraphHit>> {
        intents::find(&self.database, intent, limit).await
    }

    async fn people_in(&self, text: &str) -> PortResult<Vec<String>> {
        Ok(self.people.read().unwrap_or_else(PoisonError::into_inner).people_in(text))
    }

    async fn apply(&self, changes: &[LoggedChange], upto: Seq) -> PortResult<()> {
        let changed_people = projection::apply(&self.database, changes, upto).await?;
        if !changed_people.is_empty() {
            let mut people = self.people.write().unwrap_or_else(PoisonError::into_inner);
            for (key, name) in changed_people {
                people.set(&key, name);
            }
        }
        self.people_seen_at.store(upto, Ordering::Release);
        Ok(())
    }

    /// Also sees to it that people whom another process has projected are known here.
    async fn checkpoint(&self) -> PortResult<Seq> {
        let seq: i64 = sqlx::query_scalar("SELECT checkpoint FROM state")
            .fetch_one(self.database.readers())
            .await
            .map_err(failed("graph: checkpoint"))?;
        if self.people_seen_at.load(Ordering::Acquire) != unsigned(seq) {
            self.read_people().await?;
        }
        Ok(unsigned(seq))
    }

    async fn reset(&self) -> PortResult<()> {
        projection::reset(&self.database).await?;
        self.read_people().await
    }
}

#[derive(FromRow)]
struct NeighbourRow {
    edge: String,
    direction: String,
    id: Option<String>,
    kind: Option<String>,
    name: String,
}

impl NeighbourRow {
    fn read(self) -> PortResult<Neighbour> {
        let edge = edge_named(&self.edge)?;
        let direction = if self.direction == "in" { Direction::In } else { Direction::Out };
        let node = match (self.id, self.kind) {
            (Some(id), Some(kind)) => {
                Node::Element { id: ElementId(id), kind: kind.parse().map_err(|_| unknown(&kind))?, title: self.name }
            }
            _ => Node::Person { name: self.name },
        };
        Ok(Neighbour { edge, direction, node })
    }
}

fn node_id(node: &Node) -> Option<&ElementId> {
    match node {
        Node::Element { id, .. } => Some(id),
        Node::Person { .. } => None,
    }
}
