//! One database file: a single writing connection, a few reading ones, and its schema brought up to date.

use std::{path::Path, time::Duration};

use sqlx::{
    Sqlite, SqlitePool, Transaction,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};

use crate::ports::{ErrorKind, PortError, PortResult};

const READERS: u32 = 4;
/// How long a statement waits for another process that writes.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a write waits for the writes before it.
const WRITER_WAIT: Duration = Duration::from_secs(60);
/// Pages each connection keeps, in KiB (negative means KiB to SQLite).
const CACHE_SIZE: &str = "-16384";

/// What must survive a power cut. A killed process loses nothing in either case: with a write-ahead log every committed page
/// has been handed to the operating system, which outlives the process (<https://www.sqlite.org/pragma.html#pragma_synchronous>).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Durability {
    /// Every commit is on the disk when it returns: the truth.
    EveryCommit,
    /// The last commits may be gone, whole and in order; a projection reads them again from the log.
    Projection,
}

#[derive(Clone)]
pub(super) struct Database {
    writer: SqlitePool,
    readers: SqlitePool,
    durability: Durability,
}

impl Database {
    /// Opens or creates `file`; `schema` lists the steps from an empty file on, each ending with its `PRAGMA user_version`.
    ///
    /// # Errors
    /// `Incompatible` for a file that a newer version has written, or that is no SQLite database.
    pub async fn open(file: &Path, durability: Durability, schema: &[&'static str]) -> PortResult<Self> {
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder).map_err(PortError::internal("sqlite: create the data folder"))?;
        }
        let synchronous = match durability {
            Durability::EveryCommit => SqliteSynchronous::Full,
            Durability::Projection => SqliteSynchronous::Normal,
        };
        let options = SqliteConnectOptions::new()
            .filename(file)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(synchronous)
            .busy_timeout(BUSY_TIMEOUT)
            .pragma("cache_size", CACHE_SIZE);
        // a pool of one: writes queue here in order, instead of failing against each other inside SQLite
        let pool = || SqlitePoolOptions::new().test_before_acquire(false).idle_timeout(None).max_lifetime(None);
        let writer = pool().max_connections(1).acquire_timeout(WRITER_WAIT).connect_with(options.clone()).await;
        let writer = writer.map_err(failed("sqlite: open"))?;
        migrate(&writer, schema).await?;
        let readers = pool().max_connections(READERS).connect_with(options.pragma("query_only", "ON")).await;
        Ok(Self { writer, readers: readers.map_err(failed("sqlite: open"))?, durability })
    }

    pub fn readers(&self) -> &SqlitePool {
        &self.readers
    }

    /// A transaction that holds the write lock from its beginning, so that what it reads cannot change before it writes.
    /// Dropped without `commit` it is rolled back.
    pub async fn write(&self, operation: &'static str) -> PortResult<Transaction<'static, Sqlite>> {
        self.begin(self.durability, operation).await
    }

    /// As [`Self::write`], but a power cut may take the commit as long as no durable one follows, whatever the file's rule is.
    pub async fn write_soon(&self, operation: &'static str) -> PortResult<Transaction<'static, Sqlite>> {
        self.begin(Durability::Projection, operation).await
    }

    async fn begin(&self, durability: Durability, operation: &'static str) -> PortResult<Transaction<'static, Sqlite>> {
        // one command: between two of them another task could get the connection
        let statement = match durability {
            Durability::EveryCommit => "PRAGMA synchronous = FULL; BEGIN IMMEDIATE",
            Durability::Projection => "PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE",
        };
        self.writer.begin_with(statement).await.map_err(failed(operation))
    }
}

async fn migrate(writer: &SqlitePool, schema: &[&'static str]) -> PortResult<()> {
    let operation = "sqlite: bring the schema up to date";
    let mut transaction = writer.begin_with("BEGIN IMMEDIATE").await.map_err(failed(operation))?;
    let version: i64 = sqlx::query_scalar("PRAGMA user_version").fetch_one(&mut *transaction).await.map_err(failed(operation))?;
    let version = usize::try_from(version).unwrap_or(usize::MAX);
    let Some(missing) = schema.get(version..) else {
        let reason =
            format!("this file has schema {version}, this program knows {}; use the newer program that wrote it", schema.len());
        return Err(PortError::new(ErrorKind::Incompatible, operation, reason));
    };
    for step in missing {
        sqlx::raw_sql(*step).execute(&mut *transaction).await.map_err(failed(operation))?;
    }
    transaction.commit().await.map_err(failed(operation))
}

/// For `map_err`: what a fault of SQLite means to the caller (<https://www.sqlite.org/rescode.html>).
pub(super) fn failed(operation: &'static str) -> impl FnOnce(sqlx::Error) -> PortError {
    move |error| {
        let code = error.as_database_error().and_then(|fault| fault.code()).and_then(|code| code.parse::<u32>().ok());
        // the low byte is the primary code: 5 busy, 6 locked, 13 full; 11 corrupt, 26 not a database
        let kind = match (&error, code.map(|code| code & 0xff)) {
            (sqlx::Error::PoolTimedOut, _) | (_, Some(5 | 6 | 13)) => ErrorKind::Unavailable,
            (_, Some(11 | 26)) => ErrorKind::Incompatible,
            _ => ErrorKind::Internal,
        };
        PortError::new(kind, operation, error)
    }
}

/// SQLite counts in `i64`; what lies beyond is as good as its end.
pub(super) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

pub(super) fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

pub(super) fn limit(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}

/// A list as one parameter, read in SQL by `json_each`.
pub(super) fn list<'a>(values: impl IntoIterator<Item = &'a str>) -> String {
    serde_json::Value::from_iter(values).to_string()
}
