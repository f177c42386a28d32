use std::sync::Arc;

use super::*;
use crate::{
    model::element::{Element, Kind},
    ports::records::ChangeKind,
    testing::search_index::{conformance, survives_reopening},
};

const DIMENSION: usize = 20;

fn model(name: &str) -> Option<ModelIdentity> {
    Some(ModelIdentity { name: name.to_owned(), dimension: DIMENSION })
}

fn change(seq: Seq, id: &str) -> LoggedChange {
    LoggedChange { seq, what: ChangeKind::Put, element: Element::new(id, Kind::Dataset, &format!("Title of {id}")) }
}

#[tokio::test(flavor = "multi_thread")]
async fn conforms() {
    let folder = tempfile::tempdir().unwrap();
    conformance(&EmbeddedIndex::open(folder.path(), model("m")).unwrap(), DIMENSION).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn reopens() {
    let folder = tempfile::tempdir().unwrap();
    survives_reopening(|| Arc::new(EmbeddedIndex::open(folder.path(), model("m")).unwrap()), DIMENSION).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn another_model_is_incompatible_and_none_is_fine() {
    let folder = tempfile::tempdir().unwrap();
    let vectors = [ElementVectors { id: "a".into(), chunks: vec![vec![0.5; DIMENSION]] }];
    let index = EmbeddedIndex::open(folder.path(), model("m")).unwrap();
    index.apply(&[change(1, "a")], 1).await.unwrap();
    index.apply_vectors(&vectors, 1).await.unwrap();
    drop(index);
    assert_eq!(EmbeddedIndex::open(folder.path(), model("n")).err().unwrap().kind, ErrorKind::Incompatible);
    let without = EmbeddedIndex::open(folder.path(), None).unwrap();
    assert_eq!(without.keyword("title", &Filter::default(), 10).await.unwrap().total, 1);
    assert_eq!(without.semantic(&[0.5; DIMENSION], &Filter::default(), 10).await.unwrap_err().kind, ErrorKind::Unavailable);
    assert_eq!(without.apply_vectors(&vectors, 2).await.unwrap_err().kind, ErrorKind::Unavailable);
    drop(without);
    let again = EmbeddedIndex::open(folder.path(), model("m")).unwrap();
    assert_eq!(again.semantic(&[0.5; DIMENSION], &Filter::default(), 10).await.unwrap().total, 1);
    assert_eq!(again.vector_count().unwrap(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_writer_is_told_and_a_second_reader_is_fine() {
    let folder = tempfile::tempdir().unwrap();
    let first = EmbeddedIndex::open(folder.path(), model("m")).unwrap();
    first.apply(&[change(1, "a")], 1).await.unwrap();
    let second = EmbeddedIndex::open(folder.path(), model("m")).unwrap();
    assert_eq!(second.count(&Filter::default()).await.unwrap(), 1);
    let refused = second.apply(&[change(2, "b")], 2).await.unwrap_err();
    assert_eq!(refused.kind, ErrorKind::Unavailable);
    assert!(refused.source.to_string().contains("another cairn process"));
    assert_eq!(second.apply_vectors(&[], 2).await.unwrap_err().kind, ErrorKind::Unavailable);
    drop(first);
    second.apply(&[change(2, "b")], 2).await.unwrap();
    assert_eq!(second.count(&Filter::default()).await.unwrap(), 2);
}

/// Searches that run while elements come and go see each batch wholly or not at all.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn readers_see_whole_batches() {
    const BATCH: usize = 25;
    let folder = tempfile::tempdir().unwrap();
    let index = EmbeddedIndex::open(folder.path(), model("m")).unwrap();
    let writing = index.clone();
    let writer = tokio::spawn(async move {
        for round in 0..12_u64 {
            let changes: Vec<LoggedChange> = (0..BATCH).map(|number| change(round + 1, &format!("r{round}n{number}"))).collect();
            writing.apply(&changes, round + 1).await.unwrap();
        }
    });
    let mut seen = Vec::new();
    while !writer.is_finished() {
        let found = index.keyword("title", &Filter::default(), 1_000).await.unwrap();
        let count = index.count(&Filter::default()).await.unwrap();
        assert_eq!(found.total as usize % BATCH, 0);
        assert!(count >= found.total);
        seen.push(found.total);
        tokio::task::yield_now().await;
    }
    writer.await.unwrap();
    assert!(seen.is_sorted());
    assert_eq!(index.count(&Filter::default()).await.unwrap(), 12 * BATCH as u64);
}
