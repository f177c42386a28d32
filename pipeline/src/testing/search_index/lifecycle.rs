//! Changes, checkpoints, erasing, reopening.

use std::sync::Arc;

use super::{at, axis, dataset, described, fill, fill_vectors, ids, keyword, puts, sorted_ids};
use crate::{
    model::{
        element::{Element, Visibility},
        query::{Filter, Sort},
    },
    ports::{
        SearchIndex,
        records::{ChangeKind, LoggedChange},
        search_index::{FacetScope, IndexPart},
    },
};

pub async fn changes_are_idempotent_and_the_last_one_holds(index: &dyn SearchIndex) {
    let first = described("a", "Rivers", "old text");
    let second = Element { description: "new text".to_owned(), tags: vec!["new".to_owned()], ..first.clone() };
    fill(index, &[first.clone(), dataset("b", "Lakes")]).await;
    let both = puts(&[first, second]);
    for _ in 0..2 {
        index.apply(&both, 4).await.unwrap();
        assert_eq!(keyword(index, "old").await.total, 0);
        assert_eq!(ids(&keyword(index, "new").await), ["a"]);
        assert_eq!(index.count(&Filter::default()).await.unwrap(), 2);
        assert_eq!(index.checkpoint(IndexPart::Text).await.unwrap(), 4);
    }
    let clicked = Element { click_count: 7, ..dataset("b", "Lakes") };
    index.apply(&[LoggedChange { seq: 5, what: ChangeKind::Clicked, element: clicked.clone() }], 5).await.unwrap();
    assert_eq!(ids(&index.browse(&Filter::default(), Sort::Popular, 0, 1).await.unwrap()), ["b"]);
    let withdrawn = Element { visibility: Visibility::Withdrawn, ..clicked.clone() };
    let changes = [
        LoggedChange { seq: 6, what: ChangeKind::Put, element: clicked },
        LoggedChange { seq: 7, what: ChangeKind::Withdrawn, element: withdrawn },
    ];
    index.apply(&changes, 7).await.unwrap();
    assert_eq!(keyword(index, "lakes").await.total, 0);
    assert_eq!(index.count(&Filter::default()).await.unwrap(), 1);
    index.apply(&puts(&[dataset("c", "Lakes once more")]), 8).await.unwrap();
    assert_eq!(ids(&keyword(index, "lakes").await), ["c"]);
    assert_eq!(ids(&keyword(index, "rivers").await), ["a"]);
}

pub async fn parts_have_checkpoints_of_their_own(index: &dyn SearchIndex, dimension: usize) {
    index.reset(IndexPart::Text).await.unwrap();
    index.reset(IndexPart::Vectors).await.unwrap();
    assert_eq!(index.checkpoint(IndexPart::Text).await.unwrap(), 0);
    assert_eq!(index.checkpoint(IndexPart::Vectors).await.unwrap(), 0);
    let elements = [dataset("a", "Rivers"), dataset("b", "Lakes")];
    fill(index, &elements).await;
    assert_eq!(index.checkpoint(IndexPart::Text).await.unwrap(), 2);
    assert_eq!(index.checkpoint(IndexPart::Vectors).await.unwrap(), 0);
    assert_eq!(index.semantic(&axis(0, dimension), &Filter::default(), 10).await.unwrap().total, 0);
    fill_vectors(index, &elements, dimension).await;
    assert_eq!(index.checkpoint(IndexPart::Vectors).await.unwrap(), 2);
    index.apply(&[], 9).await.unwrap();
    index.apply_vectors(&[], 8).await.unwrap();
    assert_eq!(index.checkpoint(IndexPart::Text).await.unwrap(), 9);
    assert_eq!(index.checkpoint(IndexPart::Vectors).await.unwrap(), 8);
    index.reset(IndexPart::Text).await.unwrap();
    assert_eq!(index.checkpoint(IndexPart::Text).await.unwrap(), 0);
    assert_eq!(index.count(&Filter::default()).await.unwrap(), 0);
    assert_eq!(index.semantic(&axis(0, dimension), &Filter::default(), 10).await.unwrap().total, 0);
    assert_eq!(index.checkpoint(IndexPart::Vectors).await.unwrap(), 8);
    fill(index, &elements).await;
    assert_eq!(
        ids(&index.semantic(&axis(1, dimension), &Filter::default(), 1).await.unwrap()),
        ["b"],
        "vectors outlive the text part"
    );
    index.reset(IndexPart::Vectors).await.unwrap();
    assert_eq!(index.semantic(&axis(1, dimension), &Filter::default(), 1).await.unwrap().total, 0);
    assert_eq!(ids(&keyword(index, "rivers").await), ["a"]);
}

/// `open` opens the same index again and again; it is dropped before each.
pub async fn survives_reopening(open: impl Fn() -> Arc<dyn SearchIndex>, dimension: usize) {
    let tagged = |element: Element| Element { tags: vec!["Größe".to_owned()], click_count: 3, ..element };
    let elements =
        [tagged(at("a", [170.0, 0.0, -170.0, 10.0])), tagged(described("b", "Rivers", "of the north")), dataset("c", "Lakes")];
    let index = open();
    fill(&*index, &elements).await;
    fill_vectors(&*index, &elements, dimension).await;
    let withdrawn = Element { visibility: Visibility::Withdrawn, ..elements[2].clone() };
    index.apply(&puts(&[withdrawn]), 11).await.unwrap();
    let facets = index.facets(FacetScope::Filter(&Filter::default()), 10).await.unwrap();
    drop(index);
    for round in 0..2 {
        let index = open();
        assert_eq!(index.checkpoint(IndexPart::Text).await.unwrap(), 11 + round);
        assert_eq!(index.checkpoint(IndexPart::Vectors).await.unwrap(), 3);
        assert_eq!(ids(&keyword(&*index, "rivers").await), ["b"]);
        assert_eq!(keyword(&*index, "lakes").await.total, 0);
        assert_eq!(sorted_ids(&index.semantic(&axis(1, dimension), &Filter::default(), 10).await.unwrap()), ["a", "b"]);
        assert_eq!(ids(&index.semantic(&axis(1, dimension), &Filter::default(), 1).await.unwrap()), ["b"]);
        let filter = Filter { tags: vec!["grosse".to_owned()], ..Filter::default() };
        assert_eq!(index.count(&filter).await.unwrap(), 2);
        assert_eq!(index.count_without_footprint(&filter).await.unwrap(), 1);
        assert_eq!(index.facets(FacetScope::Filter(&Filter::default()), 10).await.unwrap(), facets);
        assert_eq!(index.browse(&Filter::default(), Sort::Popular, 0, 10).await.unwrap().hits[0].click_count, 3);
        index.apply(&[], 12 + round).await.unwrap();
    }
}
