//! What every record store does.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use futures::future::join_all;

use super::builders::{ElementBuilder, element};
use crate::{
    model::element::{Element, ElementId, Kind, RelatedRel, Visibility},
    ports::{
        ErrorKind, Records, Seq,
        records::{Change, ChangeKind, Committed, LoggedChange},
    },
};

/// Ids that have hurt others: quotes, statements, wildcards, other scripts, lengths.
pub const HOSTILE: [&str; 10] = [
    "o'brien",
    "\"; DROP TABLE elements; --",
    "a%b_c",
    "../../etc",
    "null",
    "🛰️ ünï",
    "اختبار",
    "a b\tc\nd",
    "\\u0000{}[]",
    "nul\u{0}byte",
];

/// Runs every case against an empty store of its own.
///
/// # Panics
/// Where the store does not conform.
pub async fn conform(fresh: impl AsyncFn() -> Arc<dyn Records>) {
    starts_empty(&*fresh().await).await;
    tells_what_became_of_each_change(&*fresh().await).await;
    returns_what_was_put(&*fresh().await).await;
    keeps_created_and_clicks(&*fresh().await).await;
    withdraws(&*fresh().await).await;
    finds_by_doi(&*fresh().await).await;
    pages_in_the_order_of_ids(&*fresh().await).await;
    logs_what_a_projector_needs(&*fresh().await).await;
    replays_from_anywhere(&*fresh().await).await;
    counts_a_visitor_once(&*fresh().await).await;
    takes_hostile_ids(&*fresh().await).await;
    serves_writers_side_by_side(fresh().await).await;
    wakes_who_waits(fresh().await).await;
}

pub(crate) fn put(element: impl Into<Element>) -> Change {
    Change::Put(Box::new(element.into()))
}

fn id(id: &str) -> ElementId {
    ElementId::from(id)
}

fn ids(ids: &[&str]) -> Vec<ElementId> {
    ids.iter().map(|id| ElementId::from(*id)).collect()
}

fn ids_of(elements: &[Element]) -> Vec<&str> {
    elements.iter().map(|element| element.id.0.as_str()).collect()
}

async fn put_all(records: &dyn Records, elements: impl IntoIterator<Item = ElementBuilder>) {
    records.commit(elements.into_iter().map(put).collect()).await.unwrap();
}

async fn starts_empty(records: &dyn Records) {
    assert_eq!(records.last_seq().await.unwrap(), 0);
    assert_eq!(records.count().await.unwrap(), 0);
    assert!(records.changes(0, 10).await.unwrap().is_empty());
    assert!(records.page(None, 10).await.unwrap().is_empty());
    assert_eq!(records.element(&id("a")).await.unwrap(), None);
    assert!(records.elements(&ids(&["a"])).await.unwrap().is_empty());
    assert!(records.elements(&[]).await.unwrap().is_empty());
    assert!(records.with_doi("10.1/a").await.unwrap().is_empty());
    assert_eq!(records.commit(Vec::new()).await.unwrap(), []);
}

async fn tells_what_became_of_each_change(records: &dyn Records) {
    let outcomes = records
        .commit(vec![put(element("a")), put(element("b")), put(element("a").title("A")), put(element("a").title("A"))])
        .await
        .unwrap();
    let [Committed::Created(first), Committed::Created(second), Committed::Updated(third), Committed::Unchanged] = outcomes[..]
    else {
        panic!("{outcomes:?}");
    };
    assert!(0 < first && first < second && second < third);
    assert_eq!(records.last_seq().await.unwrap(), third);
    // what is no content is no change
    let same = element("a").title("A").clicks(7).created("2001-01-01T00:00:00Z").updated("2002-01-01T00:00:00Z");
    assert_eq!(records.commit(vec![put(same)]).await.unwrap(), [Committed::Unchanged]);
    assert_eq!(records.commit(vec![Change::Withdraw(id("none"))]).await.unwrap(), [Committed::Absent]);
    assert_eq!(records.last_seq().await.unwrap(), third);
}

async fn returns_what_was_put(records: &dyn Records) {
    let mut rich = element("rich")
        .kind(Kind::Publication)
        .title("Sjøis \"nord\" 冰")
        .description("**Bold** and </script>")
        .author("Ærlig Ødegård")
        .contributor("Ada")
        .bookmarked_by("Bob")
        .tag("ice")
        .doi("10.1000/x(1)")
        .related(RelatedRel::UsedIn, "other")
        .bbox(170.0, -80.0, -170.0, -60.0)
        .place("Ross Sea")
        .period("-9999", "2000-02")
        .clicks(3)
        .created("2001-01-01T00:00:00Z")
        .updated("2002-01-01T00:00:00Z")
        .build();
    rich.extra.insert("z".to_owned(), serde_json::json!({"b": [1, 2.5, null], "a": "first comes last"}));
    records.commit(vec![put(rich.clone()), put(element("plain").private())]).await.unwrap();
    assert_eq!(records.element(&rich.id).await.unwrap(), Some(rich));
    let plain = records.element(&id("plain")).await.unwrap().unwrap();
    assert_eq!(plain.visibility, Visibility::Private);
    assert!(plain.created.is_some() && plain.updated.is_some(), "times are assigned");
    let asked = records.elements(&ids(&["plain", "none", "rich"])).await.unwrap();
    assert_eq!(ids_of(&asked), ["plain", "rich"]);
    assert_eq!(records.count().await.unwrap(), 1);
}

async fn keeps_created_and_clicks(records: &dyn Records) {
    put_all(records, [element("a").clicks(5).created("2001-01-01T00:00:00Z")]).await;
    put_all(records, [element("a").title("new").clicks(99).created("2020-01-01T00:00:00Z")]).await;
    let kept = records.element(&id("a")).await.unwrap().unwrap();
    assert_eq!((kept.title.as_str(), kept.click_count, kept.created.as_deref()), ("new", 5, Some("2001-01-01T00:00:00Z")));
}

async fn withdraws(records: &dyn Records) {
    put_all(records, [element("a").clicks(2), element("b")]).await;
    let withdraw = || records.commit(vec![Change::Withdraw(id("a"))]);
    let outcomes = withdraw().await.unwrap();
    assert!(matches!(outcomes[..], [Committed::Updated(_)]), "{outcomes:?}");
    assert_eq!(withdraw().await.unwrap(), [Committed::Unchanged]);
    let withdrawn = records.element(&id("a")).await.unwrap().unwrap();
    assert_eq!((withdrawn.visibility, withdrawn.title.as_str()), (Visibility::Withdrawn, "a"));
    assert_eq!(records.count().await.unwrap(), 1);
    let change = records.changes(2, 10).await.unwrap().pop().unwrap();
    assert_eq!((change.what, change.element.is_public()), (ChangeKind::Withdrawn, false));
    // put again, it is back with its clicks
    let outcomes = records.commit(vec![put(element("a"))]).await.unwrap();
    assert!(matches!(outcomes[..], [Committed::Updated(_)]), "{outcomes:?}");
    assert_eq!(records.element(&id("a")).await.unwrap().unwrap().click_count, 2);
    assert_eq!(records.count().await.unwrap(), 2);
}

async fn finds_by_doi(records: &dyn Records) {
    put_all(records, [element("b").doi("10.1/x"), element("a").doi("10.1/x").private(), element("c").doi("10.1/y")]).await;
    assert_eq!(records.with_doi("10.1/x").await.unwrap(), ids(&["a", "b"]));
    put_all(records, [element("b").title("no DOI any more")]).await;
    assert_eq!(records.with_doi("10.1/x").await.unwrap(), ids(&["a"]));
    assert!(records.with_doi("' OR 1=1 --").await.unwrap().is_empty());
}

async fn pages_in_the_order_of_ids(records: &dyn Records) {
    put_all(records, [element("c"), element("a").private(), element("b"), element("d")]).await;
    records.commit(vec![Change::Withdraw(id("c"))]).await.unwrap();
    let mut seen = Vec::new();
    let mut after = None;
    loop {
        let page = records.page(after.as_ref(), 3).await.unwrap();
        assert!(page.len() <= 3);
        let Some(last) = page.last() else { break };
        after = Some(last.id.clone());
        seen.extend(page);
    }
    assert_eq!(ids_of(&seen), ["a", "b", "c", "d"]);
}

async fn logs_what_a_projector_needs(records: &dyn Records) {
    put_all(records, [element("a"), element("b")]).await;
    let before_click = records.last_seq().await.unwrap();
    assert!(records.click(&id("a"), "visitor", 30).await.unwrap());
    let what = |changes: &[LoggedChange]| -> BTreeMap<String, ChangeKind> {
        changes.iter().map(|change| (change.element.id.0.clone(), change.what)).collect()
    };
    // who has not seen the content yet must not be told of a click only
    assert_eq!(what(&records.changes(0, 10).await.unwrap())["a"], ChangeKind::Put);
    let after = records.changes(before_click, 10).await.unwrap();
    assert_eq!(what(&after), BTreeMap::from([("a".to_owned(), ChangeKind::Clicked)]));
    assert_eq!((after[0].seq, after[0].element.click_count), (records.last_seq().await.unwrap(), 1));
    assert!(records.changes(records.last_seq().await.unwrap(), 10).await.unwrap().is_empty());
    assert!(records.changes(Seq::MAX, 10).await.unwrap().is_empty());
}

async fn replays_from_anywhere(records: &dyn Records) {
    for round in 0..4 {
        for name in ["a", "b", "c", "d", "e"] {
            put_all(records, [element(name).title(&format!("{name}{round}"))]).await;
        }
        records.click(&id("b"), &round.to_string(), 30).await.unwrap();
    }
    records.commit(vec![Change::Withdraw(id("c"))]).await.unwrap();
    let last_seq = records.last_seq().await.unwrap();
    let truth = records.page(None, 100).await.unwrap();
    for limit in [1, 2, 3, 100] {
        let mut copy = BTreeMap::new();
        let mut checkpoint = 0;
        loop {
            let changes = records.changes(checkpoint, limit).await.unwrap();
            assert!(changes.len() <= limit);
            for change in &changes {
                assert!(change.seq > checkpoint, "positions ascend");
                checkpoint = change.seq;
                copy.insert(change.element.id.clone(), change.element.clone());
            }
            if changes.is_empty() {
                break;
            }
        }
        assert_eq!(checkpoint, last_seq, "the last position is reached, {limit} rows at a time");
        assert_eq!(copy.into_values().collect::<Vec<_>>(), truth);
    }
}

async fn counts_a_visitor_once(records: &dyn Records) {
    put_all(records, [element("a"), element("b"), element("hidden").private()]).await;
    let click = async |element: &str, visitor: &str, quiet: u32| records.click(&id(element), visitor, quiet).await;
    assert!(click("a", "v1", 30).await.unwrap());
    let seq = records.last_seq().await.unwrap();
    assert!(!click("a", "v1", 30).await.unwrap());
    assert_eq!(records.last_seq().await.unwrap(), seq, "a repeat is no row of the log");
    assert!(click("a", "v2", 30).await.unwrap());
    assert!(click("b", "v1", 30).await.unwrap());
    assert!(click("a", "v1", 0).await.unwrap(), "no quiet time is asked for");
    assert!(!click("a", "v1", 30).await.unwrap());
    assert_eq!(records.element(&id("a")).await.unwrap().unwrap().click_count, 3);
    for absent in ["hidden", "none"] {
        assert_eq!(click(absent, "v1", 30).await.unwrap_err().kind, ErrorKind::NotFound);
    }
    let (element, visitor) = (id("b"), "impatient");
    let clicks = join_all((0..8).map(|_| records.click(&element, visitor, 30))).await;
    assert_eq!(clicks.into_iter().filter(|counted| *counted.as_ref().unwrap()).count(), 1);
}

async fn takes_hostile_ids(records: &dyn Records) {
    for name in HOSTILE {
        put_all(records, [element(name).title(name).doi(name)]).await;
        assert_eq!(records.element(&id(name)).await.unwrap().unwrap().title, name);
        assert_eq!(ids_of(&records.elements(&ids(&[name])).await.unwrap()), [name]);
        assert_eq!(records.with_doi(name).await.unwrap(), ids(&[name]));
        assert!(records.click(&id(name), name, 30).await.unwrap());
    }
    assert_eq!(records.count().await.unwrap(), HOSTILE.len() as u64);
    assert_eq!(records.page(None, 100).await.unwrap().len(), HOSTILE.len());
    assert_eq!(records.changes(0, 100).await.unwrap().len(), HOSTILE.len());
}

async fn serves_writers_side_by_side(records: Arc<dyn Records>) {
    let writer = |name: &'static str| {
        let records = Arc::clone(&records);
        tokio::spawn(async move {
            let mut outcomes = Vec::new();
            for batch in 0..10 {
                let own = (0..5).map(|n| put(element(&format!("{name}-{batch}-{n}"))));
                let shared = std::iter::once(put(element("shared").title(&format!("{name} {batch}"))));
                outcomes.extend(records.commit(own.chain(shared).collect()).await.unwrap());
            }
            outcomes
        })
    };
    let (one, two) = (writer("one"), writer("two"));
    let mut outcomes = one.await.unwrap();
    outcomes.extend(two.await.unwrap());
    let mut created: Vec<Seq> = Vec::new();
    let mut updated: Vec<Seq> = Vec::new();
    for outcome in outcomes {
        match outcome {
            Committed::Created(seq) => created.push(seq),
            Committed::Updated(seq) => updated.push(seq),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((created.len(), updated.len()), (101, 19), "the shared element was created by one of them");
    let mut seqs = [created, updated].concat();
    seqs.sort_unstable();
    seqs.dedup();
    assert_eq!(seqs.len(), 120, "no position was given twice");
    assert_eq!(records.last_seq().await.unwrap(), *seqs.last().unwrap());
    assert_eq!(records.count().await.unwrap(), 101);
}

async fn wakes_who_waits(records: Arc<dyn Records>) {
    let patience = Duration::from_secs(20);
    let waiting = {
        let records = Arc::clone(&records);
        tokio::spawn(async move {
            while records.last_seq().await.unwrap() == 0 {
                records.wait_beyond(0).await;
            }
        })
    };
    put_all(&*records, [element("a")]).await;
    tokio::time::timeout(patience, waiting).await.unwrap().unwrap();
    tokio::time::timeout(patience, records.wait_beyond(0)).await.unwrap();
}
