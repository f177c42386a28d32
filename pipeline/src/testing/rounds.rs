//! What every store of rounds does.

use std::sync::Arc;

use super::records::HOSTILE;
use crate::{
    model::{
        conversation::{Conversation, ConversationId, ConversationSummary, OwnerId},
        feedback::Feedback,
        round::{Round, RoundId, Stage, StageStatus, TraceEvent},
    },
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
    keeps_conversations(&*fresh().await).await;
    lists_conversations_of_their_owner(&*fresh().await).await;
    gives_the_last_rounds_of_a_conversation(&*fresh().await).await;
    picks_events_by_stage(&*fresh().await).await;
    keeps_what_each_makes_of_a_round(&*fresh().await).await;
}

fn conversation(id: &str, owner: Option<&str>) -> Conversation {
    Conversation {
        id: ConversationId(id.to_owned()),
        owner: owner.map(|owner| OwnerId(owner.to_owned())),
        created: "2026-11-30T11:00:00Z".to_owned(),
    }
}

/// A round in the conversation `c`, which is begun with the first.
async fn create(rounds: &dyn Rounds, id: &str) {
    if rounds.conversation(&ConversationId("c".to_owned())).await.unwrap().is_none() {
        rounds.begin(&conversation("c", Some("ada"))).await.unwrap();
    }
    rounds.create(&round(id)).await.unwrap();
}

fn round(id: &str) -> Round {
    Round {
        id: RoundId(id.to_owned()),
        conversation: ConversationId("c".to_owned()),
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
    assert_eq!(rounds.create(&asked).await.unwrap_err().kind, ErrorKind::NotFound, "its conversation is not there");
    create(rounds, "r").await;
    assert_eq!(rounds.round(&asked.id).await.unwrap(), Some(asked.clone()));
    assert!(rounds.events(&asked.id, 0).await.unwrap().is_empty());
    assert_eq!(rounds.create(&asked).await.unwrap_err().kind, ErrorKind::Invalid);
}

async fn appends_without_a_gap(rounds: &dyn Rounds) {
    create(rounds, "r").await;
    append(rounds, "r", &[1, 2], false).await.unwrap();
    append(rounds, "r", &[], false).await.unwrap();
    append(rounds, "r", &[3], false).await.unwrap();
    let events = rounds.events(&RoundId("r".to_owned()), 0).await.unwrap();
    assert_eq!(events, [event("r", 1), event("r", 2), event("r", 3)]);
    assert_eq!(seqs(rounds, "r", 2).await, [3]);
    assert_eq!(seqs(rounds, "r", u64::MAX).await, [0; 0]);
}

async fn refuses_what_does_not_follow(rounds: &dyn Rounds) {
    create(rounds, "r").await;
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
        create(rounds, id).await;
        append(rounds, id, &[1], false).await.unwrap();
        append(rounds, id, last, true).await.unwrap();
        assert!(rounds.round(&RoundId(id.to_owned())).await.unwrap().unwrap().finished);
        let next = last.len() as u64 + 2;
        assert_eq!(append(rounds, id, &[next], false).await.unwrap_err().kind, ErrorKind::Invalid);
        assert_eq!(append(rounds, id, &[], true).await.unwrap_err().kind, ErrorKind::Invalid);
    }
}

async fn lets_one_of_two_writers_win(rounds: Arc<dyn Rounds>) {
    create(&*rounds, "r").await;
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
        create(rounds, id).await;
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
    rounds.begin(&conversation("c", Some("ada"))).await.unwrap();
    for words in HOSTILE {
        let by = OwnerId(words.to_owned());
        let asked = Round { question: words.to_owned(), search: words.to_owned(), ..round(words) };
        rounds.create(&asked).await.unwrap();
        let told = TraceEvent { data: serde_json::json!({ words: words }), ..event(words, 1) };
        rounds.append(&asked.id, std::slice::from_ref(&told), true).await.unwrap();
        assert_eq!(rounds.events(&asked.id, 0).await.unwrap(), [told]);
        assert_eq!(rounds.round(&asked.id).await.unwrap().unwrap().question, words);
        let feedback = Feedback { comment: words.to_owned(), ..Feedback::default() };
        rounds.rate(&asked.id, &by, &feedback).await.unwrap();
        assert_eq!(rounds.feedback(&asked.id, &by).await.unwrap(), Some(feedback).filter(|feedback| !feedback.is_empty()));
        rounds.begin(&conversation(words, Some(words))).await.unwrap();
        assert_eq!(rounds.conversations(&by, None, 9).await.unwrap(), [], "nothing was asked in it");
    }
}

async fn keeps_conversations(rounds: &dyn Rounds) {
    for begun in [conversation("c", Some("ada")), conversation("d", None)] {
        assert_eq!(rounds.conversation(&begun.id).await.unwrap(), None);
        rounds.begin(&begun).await.unwrap();
        assert_eq!(rounds.conversation(&begun.id).await.unwrap(), Some(begun.clone()));
        let again = Conversation { owner: Some(OwnerId("eve".to_owned())), ..begun.clone() };
        assert_eq!(rounds.begin(&again).await.unwrap_err().kind, ErrorKind::Invalid);
        assert_eq!(rounds.conversation(&begun.id).await.unwrap(), Some(begun), "it keeps its owner");
    }
}

async fn lists_conversations_of_their_owner(rounds: &dyn Rounds) {
    for (id, owner, asked) in [
        ("1", Some("ada"), 1),
        ("2", Some("eve"), 1),
        ("3", Some("ada"), 0),
        ("4", None, 1),
        ("5", Some("ada"), 3),
        ("6", Some("ada"), 1),
    ] {
        rounds.begin(&conversation(id, owner)).await.unwrap();
        for n in 0..asked {
            let of_it = Round { conversation: ConversationId(id.to_owned()), ..round(&format!("{id}-{n}")) };
            rounds.create(&of_it).await.unwrap();
        }
    }
    let list = async |owner: &str, before: Option<&str>, limit: usize| {
        let before = before.map(|id| ConversationId(id.to_owned()));
        let listed = rounds.conversations(&OwnerId(owner.to_owned()), before.as_ref(), limit).await.unwrap();
        listed.into_iter().map(|summary| (summary.id.0, summary.question, summary.rounds)).collect::<Vec<_>>()
    };
    let line = |id: &str, rounds: u64| (id.to_owned(), format!("What is {id}-0?"), rounds);
    assert_eq!(list("ada", None, 9).await, [line("6", 1), line("5", 3), line("1", 1)]);
    assert_eq!(list("ada", None, 2).await, [line("6", 1), line("5", 3)]);
    assert_eq!(list("ada", Some("5"), 2).await, [line("1", 1)]);
    assert_eq!(list("ada", Some("1"), 2).await, []);
    assert_eq!(list("ada", None, 0).await, []);
    assert_eq!(list("eve", None, 9).await, [line("2", 1)]);
    assert_eq!(list("", None, 9).await, [], "nobody's are not those of an empty name");
    let whole = rounds.conversations(&OwnerId("eve".to_owned()), None, 1).await.unwrap();
    let expected = ConversationSummary {
        id: ConversationId("2".to_owned()),
        created: "2026-11-30T11:00:00Z".to_owned(),
        question: "What is 2-0?".to_owned(),
        rounds: 1,
    };
    assert_eq!(whole, [expected]);
}

async fn gives_the_last_rounds_of_a_conversation(rounds: &dyn Rounds) {
    let of = async |conversation: &str, limit: usize| {
        let listed = rounds.rounds_in(&ConversationId(conversation.to_owned()), limit).await.unwrap();
        listed.into_iter().map(|round| round.id.0).collect::<Vec<_>>()
    };
    for id in ["r2", "r1", "r3"] {
        create(rounds, id).await;
    }
    rounds.begin(&conversation("d", None)).await.unwrap();
    assert_eq!(of("c", usize::MAX).await, ["r1", "r2", "r3"]);
    assert_eq!(of("c", 2).await, ["r2", "r3"], "the last ones, in order");
    assert_eq!(of("d", 9).await, [""; 0]);
    assert_eq!(of("none", 9).await, [""; 0]);
    assert_eq!(rounds.rounds_in(&ConversationId("c".to_owned()), 1).await.unwrap(), [round("r3")]);
}

async fn picks_events_by_stage(rounds: &dyn Rounds) {
    create(rounds, "r").await;
    let stages = [Stage::Memory, Stage::Generation, Stage::MemoryUpdate, Stage::Generation, Stage::Answer];
    let events: Vec<TraceEvent> = (1..).zip(stages).map(|(seq, stage)| TraceEvent { stage, ..event("r", seq) }).collect();
    rounds.append(&RoundId("r".to_owned()), &events, true).await.unwrap();
    for (wanted, found) in [
        (&[Stage::Memory, Stage::Answer][..], &[1, 5][..]),
        (&[Stage::Generation], &[2, 4]),
        (&[Stage::MemoryUpdate], &[3]),
        (&[Stage::Error], &[]),
        (&[], &[]),
    ] {
        let picked = rounds.events_of(&RoundId("r".to_owned()), wanted).await.unwrap();
        assert_eq!(picked.iter().map(|event| event.seq).collect::<Vec<_>>(), found, "{wanted:?}");
        assert!(picked.iter().all(|event| events.contains(event)));
    }
}

async fn keeps_what_each_makes_of_a_round(rounds: &dyn Rounds) {
    let (ada, eve) = (OwnerId("ada".to_owned()), OwnerId("eve".to_owned()));
    let (r, s) = (RoundId("r".to_owned()), RoundId("s".to_owned()));
    let read = |pairs: &[(&str, &str)]| Feedback::from_pairs(pairs.iter().copied()).unwrap();
    let (good, bad) = (read(&[("thumbs", "up"), ("trust", "5"), ("comment", "yes")]), read(&[("thumbs", "down")]));
    assert_eq!(rounds.rate(&r, &ada, &good).await.unwrap_err().kind, ErrorKind::NotFound);
    create(rounds, "r").await;
    create(rounds, "s").await;
    assert_eq!(rounds.feedback(&r, &ada).await.unwrap(), None);
    rounds.rate(&r, &ada, &good).await.unwrap();
    rounds.rate(&r, &eve, &bad).await.unwrap();
    assert_eq!(rounds.feedback(&r, &ada).await.unwrap(), Some(good));
    assert_eq!(rounds.feedback(&r, &eve).await.unwrap(), Some(bad.clone()));
    assert_eq!(rounds.feedback(&s, &ada).await.unwrap(), None);
    rounds.rate(&r, &ada, &bad).await.unwrap();
    assert_eq!(rounds.feedback(&r, &ada).await.unwrap(), Some(bad.clone()), "the newer one alone");
    rounds.rate(&r, &ada, &Feedback::default()).await.unwrap();
    assert_eq!(rounds.feedback(&r, &ada).await.unwrap(), None, "taken back");
    assert_eq!(rounds.feedback(&r, &eve).await.unwrap(), Some(bad));
}
