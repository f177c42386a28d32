use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use sqlx::{Connection, SqliteConnection, sqlite::SqliteConnectOptions};

use super::*;
use crate::{
    guard::cache::{VectorKey, VectorStore},
    model::{
        conversation::{Conversation, ConversationId},
        element::ElementId,
        round::RoundId,
    },
    ports::{
        ErrorKind, GraphStore, Records, Rounds,
        embedder::ModelIdentity,
        records::{Change, Committed},
    },
    testing::{self, builders::element, records::put},
};

/// A new folder on each call, gone with the last.
struct Folders(tempfile::TempDir, AtomicUsize);

impl Folders {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap(), AtomicUsize::new(0))
    }

    fn next(&self) -> PathBuf {
        self.0.path().join(self.1.fetch_add(1, Ordering::Relaxed).to_string())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn records_conform() {
    let folders = Folders::new();
    testing::records::conform(async || Arc::new(SqliteRecords::open(&folders.next()).await.unwrap()) as _).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rounds_conform() {
    let folders = Folders::new();
    testing::rounds::conform(async || Arc::new(SqliteRecords::open(&folders.next()).await.unwrap()) as _).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_graph_conforms() {
    let folders = Folders::new();
    testing::graph_store::conform(async || Arc::new(SqliteGraph::open(&folders.next()).await.unwrap()) as _).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_committed_is_there_after_the_folder_is_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let records = SqliteRecords::open(folder.path()).await.unwrap();
    let graph = SqliteGraph::open(folder.path()).await.unwrap();
    records.commit(vec![put(element("a").author("Ada Lovelace").clicks(2)), put(element("b"))]).await.unwrap();
    graph.apply(&records.changes(0, 10).await.unwrap(), 2).await.unwrap();
    // as after a kill: nothing is closed before the folder is opened a second time
    let records_again = SqliteRecords::open(folder.path()).await.unwrap();
    let graph_again = SqliteGraph::open(folder.path()).await.unwrap();
    assert_eq!(records_again.last_seq().await.unwrap(), 2);
    assert_eq!(records_again.page(None, 10).await.unwrap(), records.page(None, 10).await.unwrap());
    assert_eq!(graph_again.checkpoint().await.unwrap(), 2);
    assert_eq!(graph_again.people_in("ada lovelace").await.unwrap(), ["Ada Lovelace"]);
    tokio::time::timeout(Duration::from_millis(900), records_again.wait_beyond(1)).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn two_processes_see_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let (one, two) = (SqliteRecords::open(folder.path()).await.unwrap(), SqliteRecords::open(folder.path()).await.unwrap());
    let (graph_one, graph_two) =
        (SqliteGraph::open(folder.path()).await.unwrap(), SqliteGraph::open(folder.path()).await.unwrap());
    for n in 0..10 {
        one.commit(vec![put(element(&format!("one-{n}")))]).await.unwrap();
        two.commit(vec![put(element(&format!("two-{n}")).author("Ada Lovelace"))]).await.unwrap();
    }
    assert_eq!(one.commit(vec![put(element("two-3").author("Ada Lovelace"))]).await.unwrap(), [Committed::Unchanged]);
    assert_eq!(one.last_seq().await.unwrap(), 20);
    graph_two.apply(&two.changes(0, 100).await.unwrap(), 20).await.unwrap();
    assert_eq!(graph_one.checkpoint().await.unwrap(), 20);
    assert_eq!(graph_one.people_in("ada lovelace").await.unwrap(), ["Ada Lovelace"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_commit_that_is_dropped_halfway_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let records = SqliteRecords::open(folder.path()).await.unwrap();
    for wait_ms in 0..6 {
        let many: Vec<Change> = (0..2_000).map(|n| put(element(&format!("{wait_ms}-{n}")))).collect();
        let cut_off = tokio::time::timeout(Duration::from_millis(wait_ms), records.commit(many)).await;
        let committed = records.page(None, 100_000).await.unwrap().len();
        assert_eq!(committed % 2_000, 0, "a part of a batch is there");
        assert!(cut_off.is_err() || committed > 0);
    }
    records.commit(vec![put(element("after"))]).await.unwrap();
    assert!(records.element(&ElementId::from("after")).await.unwrap().is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_newer_or_foreign_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    SqliteRecords::open(folder.path()).await.unwrap();
    let options = SqliteConnectOptions::new().filename(folder.path().join("records.db"));
    let mut connection = SqliteConnection::connect_with(&options).await.unwrap();
    sqlx::raw_sql("PRAGMA user_version = 99").execute(&mut connection).await.unwrap();
    let error = SqliteRecords::open(folder.path()).await.err().unwrap();
    assert_eq!(error.kind, ErrorKind::Incompatible);
    assert_eq!(error.source.to_string(), "this file has schema 99, this program knows 2; use the newer program that wrote it");

    std::fs::write(folder.path().join("graph.db"), "this is a text of more than a few words, and no database at all").unwrap();
    assert_eq!(SqliteGraph::open(folder.path()).await.err().unwrap().kind, ErrorKind::Incompatible);
}

/// A file as the first version left it, with an element and rounds in it.
#[tokio::test(flavor = "multi_thread")]
async fn records_of_version_1_are_brought_up_to_date() {
    let folder = tempfile::tempdir().unwrap();
    let options = SqliteConnectOptions::new().filename(folder.path().join("records.db")).create_if_missing(true);
    let mut connection = SqliteConnection::connect_with(&options).await.unwrap();
    sqlx::raw_sql(include_str!("schema/records-1.sql")).execute(&mut connection).await.unwrap();
    let content = r#"INSERT INTO rounds (id, question, search, created, finished, last_seq) VALUES
            ('old', 'Where is ice?', 'q=ice', '2026-11-01T00:00:00Z', 1, 2), ('open', 'What else?', '', '2026-11-02T00:00:00Z', 0, 0);
        INSERT INTO round_events (round_id, seq, body) VALUES
            ('old', 1, '{"seq":1,"round":"old","stage":"routing","status":"finished","elapsed_ms":1.5,"data":{}}'),
            ('old', 2, '{"seq":2,"round":"old","stage":"references","status":"finished","elapsed_ms":2.5,"data":{"items":[]}}');"#;
    sqlx::raw_sql(content).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();

    let records = SqliteRecords::open(folder.path()).await.unwrap();
    let old = records.round(&RoundId("old".to_owned())).await.unwrap().unwrap();
    assert_eq!((old.question.as_str(), old.search.as_str(), old.finished), ("Where is ice?", "q=ice", true));
    assert_eq!(records.events(&old.id, 0).await.unwrap().len(), 2);
    let conversation = records.conversation(&old.conversation).await.unwrap().unwrap();
    let nobodys = Conversation { id: ConversationId("old".to_owned()), owner: None, created: "2026-11-01T00:00:00Z".to_owned() };
    assert_eq!(conversation, nobodys);
    assert_eq!(records.rounds_in(&old.conversation, 9).await.unwrap(), [old]);
    // and it goes on from there
    assert_eq!(records.close_abandoned().await.unwrap(), 1);
    records.commit(vec![put(element("after"))]).await.unwrap();
    drop(records);
    assert_eq!(SqliteRecords::open(folder.path()).await.unwrap().last_seq().await.unwrap(), 1, "opened a second time");
}

#[tokio::test(flavor = "multi_thread")]
async fn vectors_are_kept_by_text_and_model() {
    let folder = tempfile::tempdir().unwrap();
    let model = ModelIdentity { name: "m".to_owned(), dimension: 3 };
    let key = |text: &str| VectorKey::new(&model, text);
    let cache = SqliteVectorCache::open(folder.path()).await.unwrap();
    assert_eq!(cache.get(&[key("a")]).await.unwrap(), [None]);
    assert!(cache.get(&[]).await.unwrap().is_empty());
    let (a, b) = (vec![0.1, -2.5e-7, f32::MAX], vec![1.0, 0.0, 0.0]);
    cache.put(&[(key("a"), vec![9.0; 3]), (key("b"), b.clone())]).await.unwrap();
    cache.put(&[(key("a"), a.clone())]).await.unwrap();
    drop(cache);
    let cache = SqliteVectorCache::open(folder.path()).await.unwrap();
    let found = cache.get(&[key("b"), key("none"), key("a"), key("b")]).await.unwrap();
    assert_eq!(found, [Some(b.clone()), None, Some(a), Some(b)]);
}
