//! What every store of rounds does.

use std::sync::Arc;

use super::records::HOSTILE;
use crate::{
    model::round::{Round, RoundId, Stage, StageStatus, TraceEvent},
    ports::{ErrorKind, PortResult, Rounds},
};

/// Runs every case against an empty store of its own.
///
/// # Panics
/// Where the store does not conform.
pub async fn conform(fresh: impl AsyncFn() -> Arc<dyn Rounds>) {
    returns_what_was_created(&*fresh().await).await;
    appends_without_a_gap(&*fresh().await).await;
    refuses_what_does_not_follow(&*fresh().await).await;
    ends_for_good(&*fresh().await).await;
    lets_one_of_two_writers_win(fresh().await).await;
    closes_abandoned_rounds(&*fresh().await).await;
    takes_hostile_words(&*fresh().await).await;
}

fn round(id: &str) -> Round {
    Round {
        id: RoundId(id.to_owned()),
        question: format!("What is {id}?"),
        search: "bbox=1,2,3,4&kind=map".to_owned(),
        created: "2026-11-30T12:00:00Z".to_owned(),
        finished: false,
    }
}

fn event(round: &str, seq: u64) -> TraceEvent {
    TraceEvent {
        seq,
        round: RoundId(round.to_owned()),
        stage: Stage::Retrieval,
        status: StageStatus::Progress,
        elapsed_ms: seq as f64 * 1.5,
        iteration: 1,
        data: serde_json::json!({"method": "keyword", "hits": [seq]}),
    }
}

async fn append(rounds: &dyn Rounds, id: &str, seqs: &[u64], finishes: bool) -> PortResult<()> {
    let events: Vec<TraceEvent> = seqs.iter().map(|seq| event(id, *seq)).collect();
    rounds.append(&RoundId(id.to_owned()), &events, finishes).await
}

async fn seqs(rounds: &dyn Rounds, id: &str, after: u64) -> Vec<u64> {
    rounds.events(&RoundId(id.to_owned()), after).await.unwrap().iter().map(|event| event.seq).collect()
}

async fn returns_what_was_created(rounds: &dyn Rounds) {
    let asked = round("r");
    assert_eq!(rounds.round(&asked.id).await.unwrap(), None);
    assert!(rounds.events(&asked.id, 0).await.unwrap().is_empty());
    rounds.create(&asked).await.unwrap();
    assert_eq!(rounds.round(&asked.id).await.unwrap(), Some(asked.clone()));
    assert!(rounds.events(&asked.id, 0).await.unwrap().is_empty());
    assert_eq!(rounds.create(&asked).await.unwrap_err().kind, ErrorKind::Invalid);
}

async fn appends_without_a_gap(rounds: &dyn Rounds) {
    rounds.create(&round("r")).await.unwrap();
    append(rounds, "r", &[1, 2], false).await.unwrap();
    append(rounds, "r", &[], false).await.unwrap();
    append(rounds, "r", &[3], false).await.unwrap();
    let events = rounds.events(&RoundId("r".to_owned()), 0).await.unwrap();
    assert_eq!(events, [event("r", 1), event("r", 2), event("r", 3)]);
    assert_eq!(seqs(rounds, "r", 2).await, [3]);
    assert_eq!(seqs(rounds, "r", u64::MAX).await, [0; 0]);
}

async fn refuses_what_does_not_follow(rounds: &dyn Rounds) {
    rounds.create(&round("r")).await.unwrap();
    append(rounds, "r", &[1], false).await.unwrap();
    for wrong in [&[3][..], &[1], &[0], &[2, 4], &[2, 2], &[u64::MAX]] {
        assert_eq!(append(rounds, "r", wrong, false).await.unwrap_err().kind, ErrorKind::Invalid, "{wrong:?}");
    }
    let of_another = rounds.append(&RoundId("r".to_owned()), &[event("s", 2)], false).await;
    assert_eq!(of_another.unwrap_err().kind, ErrorKind::Invalid);
    assert_eq!(append(rounds, "none", &[1], false).await.unwrap_err().kind, ErrorKind::NotFound);
    assert_eq!(seqs(rounds, "r", 0).await, [1], "nothing of a refused call was written");
}

async fn ends_for_good(rounds: &dyn Rounds) {
    for (id, last) in [("with an event", &[2][..]), ("without", &[])] {
        rounds.create(&round(id)).await.unwrap();
        append(rounds, id, &[1], false).await.unwrap();
        append(rounds, id, last, true).await.unwrap();
        assert!(rounds.round(&RoundId(id.to_owned())).await.unwrap().unwrap().finished);
        let next = last.len() as u64 + 2;
        assert_eq!(append(rounds, id, &[next], false).await.unwrap_err().kind, ErrorKind::Invalid);
        assert_eq!(append(rounds, id, &[], true).await.unwrap_err().kind, ErrorKind::Invalid);
    }
}

async fn lets_one_of_two_writers_win(rounds: Arc<dyn Rounds>) {
    rounds.create(&round("r")).await.unwrap();
    for seq in 1..=10 {
        let attempt = || {
            let rounds = Arc::clone(&rounds);
            tokio::spawn(async move { append(&*rounds, "r", &[seq], false).await })
        };
        let (one, two) = (attempt(), attempt());
        let outcomes = [one.await.unwrap(), two.await.unwrap()];
        assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1, "event {seq}");
    }
    assert_eq!(seqs(&*rounds, "r", 0).await, (1..=10).collect::<Vec<_>>());
}

async fn closes_abandoned_rounds(rounds: &dyn Rounds) {
    for id in ["done", "open", "empty"] {
        rounds.create(&round(id)).await.unwrap();
    }
    append(rounds, "done", &[1], true).await.unwrap();
    append(rounds, "open", &[1, 2], false).await.unwrap();
    assert_eq!(rounds.close_abandoned().await.unwrap(), 2);
    assert_eq!(rounds.close_abandoned().await.unwrap(), 0);
    for (id, last) in [("open", 3), ("empty", 1)] {
        let closing = rounds.events(&RoundId(id.to_owned()), last - 1).await.unwrap();
        assert_eq!(closing.len(), 1);
        assert_eq!((closing[0].seq, closing[0].stage, closing[0].status), (last, Stage::Error, StageStatus::Failed));
        assert!(closing[0].data["what_to_do"].is_string());
        assert!(rounds.round(&RoundId(id.to_owned())).await.unwrap().unwrap().finished);
    }
    let open = rounds.events(&RoundId("open".to_owned()), 0).await.unwrap();
    assert!(open[2].elapsed_ms >= open[1].elapsed_ms, "time does not run backwards");
    assert_eq!(seqs(rounds, "done", 0).await, [1]);
}

async fn takes_hostile_words(rounds: &dyn Rounds) {
    for words in HOSTILE {
        let asked = Round { question: words.to_owned(), search: words.to_owned(), ..round(words) };
        rounds.create(&asked).await.unwrap();
        let told = TraceEvent { data: serde_json::json!({ words: words }), ..event(words, 1) };
        rounds.append(&asked.id, std::slice::from_ref(&told), true).await.unwrap();
        assert_eq!(rounds.events(&asked.id, 0).await.unwrap(), [told]);
        assert_eq!(rounds.round(&asked.id).await.unwrap().unwrap().question, words);
    }
}
