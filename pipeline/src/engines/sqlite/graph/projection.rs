//! Writing the graph: changes of the log become nodes and edges.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use sqlx::SqliteConnection;

use super::{
    super::database::{Database, failed, list, signed},
    people::person_key,
};
use crate::{
    model::{
        element::{Element, ElementId},
        graph::Edge,
    },
    ports::{
        PortResult, Seq,
        records::{ChangeKind, LoggedChange},
    },
};

const OPERATION: &str = "graph: apply";

/// Applies changes with their checkpoint in one transaction. Returns the people who gained or lost an edge, each with a name
/// as written, or `None` when no edge is left. A batch goes to SQLite as whole lists, not row by row: calls cost more than rows.
///
/// The checkpoint is set, not raised: when two processes project at once, the slower one may put older content back, and its
/// older checkpoint is what has it replaced.
pub(super) async fn apply(database: &Database, changes: &[LoggedChange], upto: Seq) -> PortResult<Vec<(String, Option<String>)>> {
    let Batch { mut clicked, mut changed } = Batch::of(changes);
    let mut transaction = database.write(OPERATION).await?;
    for id in set_clicks(&mut transaction, &clicked).await? {
        clicked.remove(&id);
    }
    // a click on what is no node yet
    changed.extend(clicked);
    let mut touched = remove(&mut transaction, changed.keys()).await?;
    touched.extend(insert(&mut transaction, changed.values().copied().filter(|element| element.is_public())).await?);
    let people = sqlx::query_as("SELECT value, (SELECT min(name) FROM person_edges WHERE person = value) FROM json_each(?)")
        .bind(list(touched.iter().map(String::as_str)))
        .fetch_all(&mut *transaction)
        .await
        .map_err(failed(OPERATION))?;
    sqlx::query("UPDATE state SET checkpoint = ?")
        .bind(signed(upto))
        .execute(&mut *transaction)
        .await
        .map_err(failed(OPERATION))?;
    transaction.commit().await.map_err(failed(OPERATION))?;
    Ok(people)
}

pub(super) async fn reset(database: &Database) -> PortResult<()> {
    let operation = "graph: reset";
    let mut transaction = database.write(operation).await?;
    sqlx::raw_sql("DELETE FROM nodes; DELETE FROM element_edges; DELETE FROM person_edges; UPDATE state SET checkpoint = 0;")
        .execute(&mut *transaction)
        .await
        .map_err(failed(operation))?;
    transaction.commit().await.map_err(failed(operation))
}

/// Each element once, as its last row shows it.
struct Batch<'a> {
    clicked: BTreeMap<ElementId, &'a Element>,
    changed: BTreeMap<ElementId, &'a Element>,
}

impl<'a> Batch<'a> {
    fn of(changes: &'a [LoggedChange]) -> Self {
        let mut batch = Self { clicked: BTreeMap::new(), changed: BTreeMap::new() };
        for LoggedChange { what, element, .. } in changes {
            let only_clicked = *what == ChangeKind::Clicked && element.is_public() && !batch.changed.contains_key(&element.id);
            let part = if only_clicked { &mut batch.clicked } else { &mut batch.changed };
            part.insert(element.id.clone(), element);
        }
        batch.clicked.retain(|id, _| !batch.changed.contains_key(id));
        batch
    }
}

/// The nodes that were there.
async fn set_clicks(connection: &mut SqliteConnection, clicked: &BTreeMap<ElementId, &Element>) -> PortResult<Vec<ElementId>> {
    let counts = clicked.values().map(|element| json!([element.id, signed(element.click_count)]));
    let ids: Vec<String> = sqlx::query_scalar(
        "UPDATE nodes SET click_count = click.value ->> 1 FROM json_each(?) AS click WHERE nodes.id = click.value ->> 0 RETURNING nodes.id",
    )
    .bind(Value::from_iter(counts).to_string())
    .fetch_all(connection)
    .await
    .map_err(failed(OPERATION))?;
    Ok(ids.into_iter().map(ElementId).collect())
}

/// Removes nodes with their outgoing edges; the people at the ends of those.
async fn remove(connection: &mut SqliteConnection, ids: impl Iterator<Item = &ElementId>) -> PortResult<BTreeSet<String>> {
    let ids = list(ids.map(|id| id.0.as_str()));
    let people: Vec<String> =
        sqlx::query_scalar("DELETE FROM person_edges WHERE source IN (SELECT value FROM json_each(?)) RETURNING person")
            .bind(&ids)
            .fetch_all(&mut *connection)
            .await
            .map_err(failed(OPERATION))?;
    let statements = [
        "DELETE FROM element_edges WHERE source IN (SELECT value FROM json_each(?))",
        "DELETE FROM nodes WHERE id IN (SELECT value FROM json_each(?))",
    ];
    for statement in statements {
        sqlx::query(statement).bind(&ids).execute(&mut *connection).await.map_err(failed(OPERATION))?;
    }
    Ok(people.into_iter().collect())
}

/// Inserts nodes with their outgoing edges; the people at the ends of those.
async fn insert<'a>(
    connection: &mut SqliteConnection,
    elements: impl Iterator<Item = &'a Element>,
) -> PortResult<BTreeSet<String>> {
    let (mut nodes, mut element_edges, mut person_edges, mut people) = (Vec::new(), Vec::new(), Vec::new(), BTreeSet::new());
    for element in elements {
        nodes.push(json!([element.id, element.kind, element.title, signed(element.click_count)]));
        for related in &element.related {
            element_edges.push(json!([element.id, Edge::from(related.rel), related.id]));
        }
        for (edge, name) in people_of(element) {
            let key = person_key(name);
            if !key.is_empty() {
                person_edges.push(json!([element.id, edge, key, name]));
                people.insert(key);
            }
        }
    }
    let rows = [
        ("INSERT INTO nodes SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?)", nodes),
        ("INSERT OR IGNORE INTO element_edges SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)", element_edges),
        (
            "INSERT OR IGNORE INTO person_edges SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?)",
            person_edges,
        ),
    ];
    for (statement, rows) in rows {
        let insert = sqlx::query(statement).bind(Value::from(rows).to_string());
        insert.execute(&mut *connection).await.map_err(failed(OPERATION))?;
    }
    Ok(people)
}

fn people_of(element: &Element) -> impl Iterator<Item = (Edge, &str)> {
    let contributor = element.contributor.iter().map(|person| (Edge::ContributedBy, person.name.as_str()));
    let authors = element.authors.iter().map(|author| (Edge::AuthoredBy, author.name.as_str()));
    let bookmarks = element.bookmarked_by.iter().map(|person| (Edge::BookmarkedBy, person.name.as_str()));
    contributor.chain(authors).chain(bookmarks)
}
