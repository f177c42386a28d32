//! The truth in SQLite: elements and their change log.

use std::{path::Path, time::Duration};

use async_trait::async_trait;
use sqlx::{FromRow, Sqlite, SqliteConnection, Transaction};
use tokio::sync::watch;

use super::database::{Database, Durability, failed, limit, list, signed, unsigned};
use crate::{
    model::element::{Element, ElementId, Visibility},
    ports::{
        ErrorKind, PortError, PortResult, Records, Seq,
        records::{Change, ChangeKind, Committed, LoggedChange},
    },
};

const SCHEMA: &[&str] = &[include_str!("schema/records-1.sql"), include_str!("schema/records-2.sql")];
/// How often a waiting reader looks for what another process has written.
const OTHER_PROCESSES: Duration = Duration::from_secs(1);
/// Clicks older than this are forgotten, unless a longer quiet time is asked for.
const CLICKS_KEPT: Duration = Duration::from_secs(3600);

/// Elements, their change log and rounds in `records.db`. Cheap to clone.
#[derive(Clone)]
pub struct SqliteRecords {
    pub(super) database: Database,
    newest: watch::Sender<Seq>,
}

impl SqliteRecords {
    /// Opens or creates the records in a folder.
    ///
    /// # Errors
    /// `Incompatible` for records of a newer version; `Internal` when the folder cannot be written.
    pub async fn open(folder: &Path) -> PortResult<Self> {
        let database = Database::open(&folder.join("records.db"), Durability::EveryCommit, SCHEMA).await?;
        let records = Self { database, newest: watch::channel(0).0 };
        records.newest.send_replace(records.last_seq().await?);
        Ok(records)
    }

    /// Commits, and wakes who waits for the log to grow.
    async fn publish(&self, transaction: Transaction<'static, Sqlite>, newest: Seq) -> PortResult<()> {
        transaction.commit().await.map_err(failed("records: commit"))?;
        self.newest.send_if_modified(|seq| {
            let grown = newest > *seq;
            *seq = newest.max(*seq);
            grown
        });
        Ok(())
    }
}

#[async_trait]
impl Records for SqliteRecords {
    async fn commit(&self, changes: Vec<Change>) -> PortResult<Vec<Committed>> {
        if changes.is_empty() {
            return Ok(Vec::new());
        }
        let now = now();
        let mut transaction = self.database.write("records: commit").await?;
        let mut outcomes = Vec::with_capacity(changes.len());
        let mut newest = 0;
        for change in changes {
            let outcome = match change {
                Change::Put(element) => put(&mut transaction, *element, &now).await?,
                Change::Withdraw(id) => withdraw(&mut transaction, &id, &now).await?,
            };
            if let Committed::Created(seq) | Committed::Updated(seq) = outcome {
                newest = seq;
            }
            outcomes.push(outcome);
        }
        self.publish(transaction, newest).await?;
        Ok(outcomes)
    }

    async fn element(&self, id: &ElementId) -> PortResult<Option<Element>> {
        let row: Option<ElementRow> = sqlx::query_as("SELECT * FROM elements WHERE id = ?")
            .bind(&id.0)
            .fetch_optional(self.database.readers())
            .await
            .map_err(failed("records: element"))?;
        row.map(ElementRow::read).transpose()
    }

    async fn elements(&self, ids: &[ElementId]) -> PortResult<Vec<Element>> {
        let wanted = list(ids.iter().map(|id| id.0.as_str()));
        // CROSS JOIN keeps SQLite from turning the loops around
        let rows: Vec<ElementRow> = sqlx::query_as(
            "SELECT elements.* FROM json_each(?) AS wanted CROSS JOIN elements ON elements.id = wanted.value ORDER BY wanted.key",
        )
        .bind(wanted)
        .fetch_all(self.database.readers())
        .await
        .map_err(failed("records: elements"))?;
        rows.into_iter().map(ElementRow::read).collect()
    }

    async fn page(&self, after: Option<&ElementId>, limit_: usize) -> PortResult<Vec<Element>> {
        let rows: Vec<ElementRow> = sqlx::query_as("SELECT * FROM elements WHERE id > ? ORDER BY id LIMIT ?")
            .bind(after.map_or("", |id| id.0.as_str()))
            .bind(limit(limit_))
            .fetch_all(self.database.readers())
            .await
            .map_err(failed("records: page"))?;
        rows.into_iter().map(ElementRow::read).collect()
    }

    async fn with_doi(&self, doi: &str) -> PortResult<Vec<ElementId>> {
        let ids: Vec<String> = sqlx::query_scalar("SELECT id FROM elements WHERE doi = ? ORDER BY id")
            .bind(doi)
            .fetch_all(self.database.readers())
            .await
            .map_err(failed("records: with DOI"))?;
        Ok(ids.into_iter().map(ElementId).collect())
    }

    /// Each element comes once, at the place of its newest row: what a projector needs, and one range of an index.
    async fn changes(&self, after: Seq, limit_: usize) -> PortResult<Vec<LoggedChange>> {
        let rows: Vec<ElementRow> = sqlx::query_as("SELECT * FROM elements WHERE last_seq > ? ORDER BY last_seq LIMIT ?")
            .bind(signed(after))
            .bind(limit(limit_))
            .fetch_all(self.database.readers())
            .await
            .map_err(failed("records: changes"))?;
        rows.into_iter().map(|row| row.read_change(after)).collect()
    }

    async fn last_seq(&self) -> PortResult<Seq> {
        let seq: i64 = sqlx::query_scalar("SELECT coalesce(max(seq), 0) FROM log")
            .fetch_one(self.database.readers())
            .await
            .map_err(failed("records: last position"))?;
        Ok(unsigned(seq))
    }

    async fn count(&self) -> PortResult<u64> {
        let count: i64 = sqlx::query_scalar("SELECT count(*) FROM elements WHERE visibility = 'public'")
            .fetch_one(self.database.readers())
            .await
            .map_err(failed("records: count"))?;
        Ok(unsigned(count))
    }

    /// The quiet time runs from the last click that counted, so that a repeat costs no write.
    async fn click(&self, id: &ElementId, visitor: &str, quiet_seconds: u32) -> PortResult<bool> {
        let operation = "records: click";
        let mut transaction = self.database.write(operation).await?;
        let public: Option<bool> = sqlx::query_scalar("SELECT visibility = 'public' FROM elements WHERE id = ?")
            .bind(&id.0)
            .fetch_optional(&mut *transaction)
            .await
            .map_err(failed(operation))?;
        if public != Some(true) {
            return Err(PortError::new(ErrorKind::NotFound, operation, "there is no public element with this id"));
        }
        let now_ms = jiff::Timestamp::now().as_millisecond();
        let quiet_ms = i64::from(quiet_seconds) * 1000;
        let repeated: bool =
            sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM recent_clicks WHERE element_id = ? AND visitor = ? AND at_ms > ?)")
                .bind(&id.0)
                .bind(visitor)
                .bind(now_ms - quiet_ms)
                .fetch_one(&mut *transaction)
                .await
                .map_err(failed(operation))?;
        if repeated {
            return Ok(false);
        }
        sqlx::query("DELETE FROM recent_clicks WHERE at_ms <= ?")
            .bind(now_ms - quiet_ms.max(CLICKS_KEPT.as_millis() as i64))
            .execute(&mut *transaction)
            .await
            .map_err(failed(operation))?;
        sqlx::query("INSERT OR REPLACE INTO recent_clicks (element_id, visitor, at_ms) VALUES (?, ?, ?)")
            .bind(&id.0)
            .bind(visitor)
            .bind(now_ms)
            .execute(&mut *transaction)
            .await
            .map_err(failed(operation))?;
        let seq = log(&mut transaction, id, "clicked", &now()).await?;
        sqlx::query("UPDATE elements SET click_count = click_count + 1, last_seq = ? WHERE id = ?")
            .bind(seq)
            .bind(&id.0)
            .execute(&mut *transaction)
            .await
            .map_err(failed(operation))?;
        self.publish(transaction, unsigned(seq)).await?;
        Ok(true)
    }

    async fn wait_beyond(&self, seq: Seq) {
        let mut newest = self.newest.subscribe();
        tokio::select! {
            _ = newest.wait_for(|newest| *newest > seq) => {}
            () = tokio::time::sleep(OTHER_PROCESSES) => {}
        }
    }
}

#[derive(FromRow)]
struct ElementRow {
    visibility: String,
    click_count: i64,
    created: String,
    updated: String,
    body: String,
    content_seq: i64,
    last_seq: i64,
}

impl ElementRow {
    fn read(self) -> PortResult<Element> {
        let mut element: Element = serde_json::from_str(&self.body).map_err(PortError::internal("records: read an element"))?;
        element.visibility = visibility_named(&self.visibility);
        element.click_count = unsigned(self.click_count);
        element.created = Some(self.created);
        element.updated = Some(self.updated);
        Ok(element)
    }

    fn read_change(self, after: Seq) -> PortResult<LoggedChange> {
        let seq = unsigned(self.last_seq);
        let content_changed = unsigned(self.content_seq) > after;
        let element = self.read()?;
        let what = match element.visibility {
            _ if !content_changed => ChangeKind::Clicked,
            Visibility::Withdrawn => ChangeKind::Withdrawn,
            Visibility::Public | Visibility::Private => ChangeKind::Put,
        };
        Ok(LoggedChange { seq, what, element })
    }
}

/// What is there already of an element that is put.
#[derive(FromRow)]
struct Present {
    visibility: String,
    click_count: i64,
    created: String,
    same_body: bool,
}

async fn put(connection: &mut SqliteConnection, mut element: Element, now: &str) -> PortResult<Committed> {
    let operation = "records: put";
    let visibility = visibility_name(element.visibility);
    let given_clicks = signed(std::mem::take(&mut element.click_count));
    let given_created = element.created.take();
    let updated = element.updated.take();
    element.visibility = Visibility::default();
    let body = serde_json::to_string(&element).map_err(PortError::internal(operation))?;

    let present: Option<Present> =
        sqlx::query_as("SELECT visibility, click_count, created, body = ? AS same_body FROM elements WHERE id = ?")
            .bind(&body)
            .bind(&element.id.0)
            .fetch_optional(&mut *connection)
            .await
            .map_err(failed(operation))?;
    if present.as_ref().is_some_and(|present| present.same_body && present.visibility == visibility) {
        return Ok(Committed::Unchanged);
    }
    let is_new = present.is_none();
    let (click_count, created) = match present {
        Some(present) => (present.click_count, present.created),
        None => (given_clicks, given_created.unwrap_or_else(|| now.to_owned())),
    };
    let seq = log(connection, &element.id, "put", now).await?;
    sqlx::query(
        "INSERT OR REPLACE INTO elements (id, visibility, doi, click_count, created, updated, body, content_seq, last_seq)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8)",
    )
    .bind(&element.id.0)
    .bind(visibility)
    .bind(&element.doi)
    .bind(click_count)
    .bind(created)
    .bind(updated.as_deref().unwrap_or(now))
    .bind(body)
    .bind(seq)
    .execute(connection)
    .await
    .map_err(failed(operation))?;
    let seq = unsigned(seq);
    Ok(if is_new { Committed::Created(seq) } else { Committed::Updated(seq) })
}

async fn withdraw(connection: &mut SqliteConnection, id: &ElementId, now: &str) -> PortResult<Committed> {
    let operation = "records: withdraw";
    let visibility: Option<String> = sqlx::query_scalar("SELECT visibility FROM elements WHERE id = ?")
        .bind(&id.0)
        .fetch_optional(&mut *connection)
        .await
        .map_err(failed(operation))?;
    match visibility.as_deref().map(visibility_named) {
        None => return Ok(Committed::Absent),
        Some(Visibility::Withdrawn) => return Ok(Committed::Unchanged),
        Some(Visibility::Public | Visibility::Private) => {}
    }
    let seq = log(connection, id, "withdrawn", now).await?;
    sqlx::query("UPDATE elements SET visibility = 'withdrawn', updated = ?1, content_seq = ?2, last_seq = ?2 WHERE id = ?3")
        .bind(now)
        .bind(seq)
        .bind(&id.0)
        .execute(connection)
        .await
        .map_err(failed(operation))?;
    Ok(Committed::Updated(unsigned(seq)))
}

/// Adds a row to the change log; its position.
async fn log(connection: &mut SqliteConnection, id: &ElementId, what: &'static str, now: &str) -> PortResult<i64> {
    let row = sqlx::query("INSERT INTO log (element_id, what, at) VALUES (?, ?, ?)").bind(&id.0).bind(what).bind(now);
    Ok(row.execute(connection).await.map_err(failed("records: log"))?.last_insert_rowid())
}

fn visibility_name(visibility: Visibility) -> &'static str {
    match visibility {
        Visibility::Public => "public",
        Visibility::Private => "private",
        Visibility::Withdrawn => "withdrawn",
    }
}

/// The table's constraint leaves no other names.
fn visibility_named(name: &str) -> Visibility {
    match name {
        "public" => Visibility::Public,
        "private" => Visibility::Private,
        _ => Visibility::Withdrawn,
    }
}

/// RFC 3339, UTC, whole seconds.
fn now() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}
