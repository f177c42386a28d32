use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicBool, Ordering},
};

use async_trait::async_trait;
use futures::future::join_all;
use serde_json::json;

use super::*;
use crate::{
    engines::sqlite::SqliteRecords,
    model::{
        conversation::{Conversation, ConversationId, ConversationSummary, OwnerId},
        feedback::Feedback,
        round::Round,
    },
};

async fn store(folder: &std::path::Path) -> Arc<dyn Rounds> {
    let records = SqliteRecords::open(folder).await.unwrap();
    let conversation =
        Conversation { id: ConversationId("c".to_owned()), owner: None, created: "2026-11-30T12:00:00Z".to_owned() };
    records.begin(&conversation).await.unwrap();
    Arc::new(records)
}

async fn open(registry: &RoundRegistry, rounds: &Arc<dyn Rounds>, id: &str) -> (RoundLog, Arc<Notify>) {
    let id = RoundId(id.to_owned());
    let opened = registry.open(Arc::clone(rounds), id.clone());
    let round = Round {
        id,
        conversation: ConversationId("c".to_owned()),
        question: "ice?".to_owned(),
        search: String::new(),
        created: "2026-11-30T12:00:00Z".to_owned(),
        finished: false,
    };
    rounds.create(&round).await.unwrap();
    opened
}

fn stopped() -> RoundError {
    RoundError { title: "Stopped".to_owned(), detail: "It was".to_owned(), what_to_do: "Ask".to_owned(), stopped: true }
}

async fn seqs(rounds: &Arc<dyn Rounds>, id: &str) -> Vec<u64> {
    rounds.events(&RoundId(id.to_owned()), 0).await.unwrap().iter().map(|event| event.seq).collect()
}

/// Whenever a stage is dropped while it writes, its event is there whole or not at all, and the log goes on after it.
#[tokio::test(flavor = "multi_thread")]
async fn a_write_that_is_dropped_leaves_no_gap() {
    let folder = tempfile::tempdir().unwrap();
    let (rounds, registry) = (store(folder.path()).await, RoundRegistry::default());
    let mut lengths = BTreeMap::new();
    for n in 0..200_u64 {
        let id = format!("r{n}");
        let (mut log, _) = open(&registry, &rounds, &id).await;
        let writing = async {
            loop {
                log.append(Stage::Generation, StageStatus::Progress, &json!({ "text": "word " })).await.unwrap();
            }
        };
        let cut_off: Result<(), _> = tokio::time::timeout(Duration::from_micros(n * 20), writing).await;
        assert!(cut_off.is_err());
        log.close(&stopped()).await.unwrap();
        let seqs = seqs(&rounds, &id).await;
        assert_eq!(seqs, (1..=seqs.len() as u64).collect::<Vec<_>>());
        assert!(rounds.round(&RoundId(id)).await.unwrap().unwrap().finished);
        *lengths.entry(seqs.len()).or_insert(0) += 1;
    }
    assert!(lengths.len() > 2, "cut off at different moments: {lengths:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_round_that_came_to_its_end_is_not_closed_again() {
    let folder = tempfile::tempdir().unwrap();
    let (rounds, registry) = (store(folder.path()).await, RoundRegistry::default());
    for n in 0..50_u64 {
        let id = format!("r{n}");
        let (mut log, _) = open(&registry, &rounds, &id).await;
        let ending = log.finish(Stage::References, StageStatus::Finished, &json!({ "items": [] }));
        let _ = tokio::time::timeout(Duration::from_micros(n * 30), ending).await;
        log.close(&stopped()).await.unwrap();
        assert_eq!(seqs(&rounds, &id).await, [1]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_without_a_writer_is_followed_until_another_process_closes_it() {
    let folder = tempfile::tempdir().unwrap();
    let (rounds, registry) = (store(folder.path()).await, RoundRegistry::default());
    let (mut log, _) = open(&registry, &rounds, "r").await;
    log.append(Stage::Memory, StageStatus::Finished, &json!({})).await.unwrap();
    let follower = registry.follow(Arc::clone(&rounds), &RoundId("r".to_owned()), 0).await.unwrap();
    let following = tokio::spawn(follower.map(|event| event.seq).collect::<Vec<_>>());
    drop(log);
    assert_eq!(registry.running(), 0);
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert!(!following.is_finished(), "it may go on elsewhere");
    let other = SqliteRecords::open(folder.path()).await.unwrap();
    assert_eq!(other.close_abandoned().await.unwrap(), 1);
    assert_eq!(tokio::time::timeout(Duration::from_secs(5), following).await.unwrap().unwrap(), [1, 2]);
}

/// A store that cannot be read for a while.
struct Flaky(Arc<dyn Rounds>, AtomicBool);

#[async_trait]
impl Rounds for Flaky {
    async fn begin(&self, conversation: &Conversation) -> PortResult<()> {
        self.0.begin(conversation).await
    }
    async fn conversation(&self, id: &ConversationId) -> PortResult<Option<Conversation>> {
        self.0.conversation(id).await
    }
    async fn conversations(
        &self,
        owner: &OwnerId,
        before: Option<&ConversationId>,
        limit: usize,
    ) -> PortResult<Vec<ConversationSummary>> {
        self.0.conversations(owner, before, limit).await
    }
    async fn rounds_in(&self, conversation: &ConversationId, limit: usize) -> PortResult<Vec<Round>> {
        self.0.rounds_in(conversation, limit).await
    }
    async fn create(&self, round: &Round) -> PortResult<()> {
        self.0.create(round).await
    }
    async fn append(&self, round: &RoundId, events: &[TraceEvent], finishes: bool) -> PortResult<()> {
        self.0.append(round, events, finishes).await
    }
    async fn round(&self, id: &RoundId) -> PortResult<Option<Round>> {
        self.0.round(id).await
    }
    async fn events(&self, id: &RoundId, after: u64) -> PortResult<Vec<TraceEvent>> {
        if self.1.swap(false, Ordering::SeqCst) {
            return Err(PortError::new(ErrorKind::Unavailable, "flaky", "not now"));
        }
        self.0.events(id, after).await
    }
    async fn events_of(&self, id: &RoundId, stages: &[Stage]) -> PortResult<Vec<TraceEvent>> {
        self.0.events_of(id, stages).await
    }
    async fn close_abandoned(&self) -> PortResult<u64> {
        self.0.close_abandoned().await
    }
    async fn rate(&self, round: &RoundId, by: &OwnerId, feedback: &Feedback) -> PortResult<()> {
        self.0.rate(round, by, feedback).await
    }
    async fn feedback(&self, round: &RoundId, by: &OwnerId) -> PortResult<Option<Feedback>> {
        self.0.feedback(round, by).await
    }
}

/// The end of a stream says that the round is finished: a fault of the store must not look like that.
#[tokio::test(flavor = "multi_thread")]
async fn a_log_that_cannot_be_read_for_a_while_is_followed_on() {
    let folder = tempfile::tempdir().unwrap();
    let (inner, registry) = (store(folder.path()).await, RoundRegistry::default());
    let flaky: Arc<dyn Rounds> = Arc::new(Flaky(Arc::clone(&inner), AtomicBool::new(true)));
    let (mut log, _) = open(&registry, &inner, "r").await;
    log.append(Stage::Memory, StageStatus::Finished, &json!({})).await.unwrap();
    let follower = registry.follow(flaky, &RoundId("r".to_owned()), 0).await.unwrap();
    log.finish(Stage::References, StageStatus::Finished, &json!({})).await.unwrap();
    drop(log);
    assert_eq!(follower.map(|event| event.seq).collect::<Vec<_>>().await, [1, 2]);
}

const ROUNDS: usize = 1_000;
const AT_ONCE: usize = 20;
const PIECES: u64 = 12;

/// Resident memory in MiB and open files of this process.
fn footprint() -> (f64, usize) {
    let pages: f64 = std::fs::read_to_string("/proc/self/statm").unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    (pages * 4096.0 / f64::from(1 << 20), std::fs::read_dir("/proc/self/fd").unwrap().count())
}

async fn one_round(rounds: Arc<dyn Rounds>, registry: RoundRegistry, id: String) {
    let (mut log, _) = open(&registry, &rounds, &id).await;
    let follow = async |after| registry.follow(Arc::clone(&rounds), &RoundId(id.clone()), after).await.unwrap();
    let (follower, cut_off) = (follow(0).await, follow(0).await);
    let writing = async move {
        for _ in 0..PIECES {
            log.append(Stage::Generation, StageStatus::Progress, &json!({ "text": "some words ", "attempt": 1 })).await.unwrap();
        }
        log.finish(Stage::References, StageStatus::Finished, &json!({ "items": [] })).await.unwrap();
    };
    let following = follower.map(|event| event.seq).collect::<Vec<_>>();
    // a second client loses its connection and comes back
    let reconnecting = async {
        let mut seqs: Vec<u64> = cut_off.take(2).map(|event| event.seq).collect().await;
        seqs.extend(follow(2).await.map(|event| event.seq).collect::<Vec<_>>().await);
        seqs
    };
    let ((), whole, in_parts) = tokio::join!(writing, following, reconnecting);
    let expected: Vec<u64> = (1..=PIECES + 1).collect();
    assert_eq!(whole, expected, "{id}");
    assert_eq!(in_parts, expected, "{id}");
}

/// A thousand rounds, twenty at once, each with two followers of which one reconnects, leave nothing behind.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_rounds_leave_memory_and_files_as_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let (rounds, registry) = (store(folder.path()).await, RoundRegistry::default());
    let run = async |from: usize, to: usize| {
        for batch in (from..to).step_by(AT_ONCE) {
            let at_once = (batch..batch + AT_ONCE).map(|n| one_round(Arc::clone(&rounds), registry.clone(), format!("r{n:05}")));
            for done in join_all(at_once.map(tokio::spawn)).await {
                done.unwrap();
            }
        }
    };
    // what every part allocates once is allocated then
    run(0, ROUNDS / 5).await;
    let (memory_before, files_before) = footprint();
    let began = Instant::now();
    run(ROUNDS / 5, ROUNDS).await;
    let appended = (ROUNDS - ROUNDS / 5) as f64 * (PIECES + 1) as f64;
    let (memory, files) = footprint();
    println!(
        "{:.0} events a second; {memory_before:.1} → {memory:.1} MiB, {files_before} → {files} files",
        appended / began.elapsed().as_secs_f64()
    );
    assert_eq!(registry.running(), 0);
    assert_eq!(files, files_before);
    assert!(memory < memory_before + 8.0, "{memory_before:.1} → {memory:.1} MiB");
}
