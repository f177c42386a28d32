//! Writing the graph: changes of the log become nodes and edges.

use std::collections::BTreeSet;

use sqlx::SqliteConnection;

use super::super::database::{Database, failed, list, signed};
use super::people::person_key;
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
/// as written, or `None` when no edge is left.
///
/// The checkpoint is set, not raised: when two processes project at once, the slower one may put older content back, and its
/// older checkpoint is what has it replaced.
pub(super) async fn apply(database: &Database, changes: &[LoggedChange], upto: Seq) -> PortResult<Vec<(String, Option<String>)>> {
    let mut transaction = database.write(OPERATION).await?;
    let mut touched = BTreeSet::new();
    for change in changes {
        let element = &change.element;
        if change.what == ChangeKind::Clicked && element.is_public() && set_clicks(&mut transaction, element).await? {
            continue;
        }
        remove(&mut transaction, &element.id, &mut touched).await?;
        if element.is_public() {
            insert(&mut transaction, element, &mut touched).await?;
        }
    }
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

/// Whether the node was there.
async fn set_clicks(connection: &mut SqliteConnection, element: &Element) -> PortResult<bool> {
    let update =
        sqlx::query("UPDATE nodes SET click_count = ? WHERE id = ?").bind(signed(element.click_count)).bind(&element.id.0);
    Ok(update.execute(connection).await.map_err(failed(OPERATION))?.rows_affected() > 0)
}

async fn remove(connection: &mut SqliteConnection, id: &ElementId, touched: &mut BTreeSet<String>) -> PortResult<()> {
    let people: Vec<String> = sqlx::query_scalar("DELETE FROM person_edges WHERE source = ? RETURNING person")
        .bind(&id.0)
        .fetch_all(&mut *connection)
        .await
        .map_err(failed(OPERATION))?;
    touched.extend(people);
    for statement in ["DELETE FROM element_edges WHERE source = ?", "DELETE FROM nodes WHERE id = ?"] {
        sqlx::query(statement).bind(&id.0).execute(&mut *connection).await.map_err(failed(OPERATION))?;
    }
    Ok(())
}

async fn insert(connection: &mut SqliteConnection, element: &Element, touched: &mut BTreeSet<String>) -> PortResult<()> {
    sqlx::query("INSERT INTO nodes (id, kind, title, click_count) VALUES (?, ?, ?, ?)")
        .bind(&element.id.0)
        .bind(element.kind.name())
        .bind(&element.title)
        .bind(signed(element.click_count))
        .execute(&mut *connection)
        .await
        .map_err(failed(OPERATION))?;
    for related in &element.related {
        sqlx::query("INSERT OR IGNORE INTO element_edges (source, edge, target) VALUES (?, ?, ?)")
            .bind(&element.id.0)
            .bind(Edge::from(related.rel).name())
            .bind(&related.id.0)
            .execute(&mut *connection)
            .await
            .map_err(failed(OPERATION))?;
    }
    for (edge, name) in people_of(element) {
        let key = person_key(name);
        if key.is_empty() {
            continue;
        }
        sqlx::query("INSERT OR IGNORE INTO person_edges (source, edge, person, name) VALUES (?, ?, ?, ?)")
            .bind(&element.id.0)
            .bind(edge.name())
            .bind(&key)
            .bind(name)
            .execute(&mut *connection)
            .await
            .map_err(failed(OPERATION))?;
        touched.insert(key);
    }
    Ok(())
}

fn people_of(element: &Element) -> impl Iterator<Item = (Edge, &str)> {
    let contributor = element.contributor.iter().map(|person| (Edge::ContributedBy, person.name.as_str()));
    let authors = element.authors.iter().map(|author| (Edge::AuthoredBy, author.name.as_str()));
    let bookmarks = element.bookmarked_by.iter().map(|person| (Edge::BookmarkedBy, person.name.as_str()));
    contributor.chain(authors).chain(bookmarks)
}
