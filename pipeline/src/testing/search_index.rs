//! What every engine behind the search index's port must do. Run on an index of the caller's, which is erased by it.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a check that fails must stop the test")]

mod browsing;
mod filters;
mod lifecycle;
mod places;
mod text;
mod vectors;

pub use lifecycle::survives_reopening;

use crate::{
    model::{
        bbox::BBox,
        element::{Author, Element, Kind, Person, Spatial},
        query::Filter,
    },
    ports::{
        SearchIndex, Seq,
        records::{ChangeKind, LoggedChange},
        search_index::{ElementVectors, IndexPart, RankList},
    },
};

/// Runs the whole suite. `dimension` is that of the index's vectors, at least four.
pub async fn conformance(index: &dyn SearchIndex, dimension: usize) {
    text::words_are_found_in_every_field(index).await;
    text::rare_words_and_titles_rank_first(index).await;
    text::phrases_and_minus_work(index).await;
    text::nothing_typed_is_syntax(index).await;
    text::accents_fold_and_exact_ones_rank_first(index).await;
    text::unspaced_scripts_are_found_by_parts(index).await;
    text::codes_are_found_in_every_dress(index).await;
    text::dois_are_found_in_every_dress(index).await;
    places::relations_are_those_of_the_table(index).await;
    places::best_fit_comes_first(index).await;
    places::what_has_no_footprint_is_counted(index).await;
    places::an_area_that_cannot_be_read_is_invalid(index).await;
    filters::filters_hold_on_every_method(index, dimension).await;
    filters::times_are_inclusive_and_may_be_open(index).await;
    filters::hidden_elements_are_nowhere(index, dimension).await;
    browsing::orders_are_stable_and_pages_complete(index).await;
    browsing::facets_count(index).await;
    vectors::nearest_come_first_by_their_best_chunk(index, dimension).await;
    vectors::another_dimension_is_invalid(index, dimension).await;
    lifecycle::changes_are_idempotent_and_the_last_one_holds(index).await;
    lifecycle::parts_have_checkpoints_of_their_own(index, dimension).await;
}

/// An empty index with these elements.
async fn fill(index: &dyn SearchIndex, elements: &[Element]) {
    index.reset(IndexPart::Text).await.unwrap();
    let changes = puts(elements);
    index.apply(&changes, changes.len() as Seq).await.unwrap();
}

fn puts(elements: &[Element]) -> Vec<LoggedChange> {
    let seqs = 1..;
    seqs.zip(elements).map(|(seq, element)| LoggedChange { seq, what: ChangeKind::Put, element: element.clone() }).collect()
}

/// Each element with one vector that points along the axis of its place in the list.
async fn fill_vectors(index: &dyn SearchIndex, elements: &[Element], dimension: usize) {
    index.reset(IndexPart::Vectors).await.unwrap();
    let along_axes = elements
        .iter()
        .enumerate()
        .map(|(at, element)| ElementVectors { id: element.id.clone(), chunks: vec![axis(at, dimension)] });
    index.apply_vectors(&along_axes.collect::<Vec<_>>(), elements.len() as Seq).await.unwrap();
}

/// A unit vector, nearest to axis `at` and a little to the others so that no two cosines are the same.
fn axis(at: usize, dimension: usize) -> Vec<f32> {
    let mut vector: Vec<f32> = (0..dimension).map(|other| 0.1 / (other + 2) as f32).collect();
    vector[at % dimension] = 1.0;
    let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    vector.into_iter().map(|value| value / length).collect()
}

fn dataset(id: &str, title: &str) -> Element {
    Element::new(id, Kind::Dataset, title)
}

fn described(id: &str, title: &str, description: &str) -> Element {
    Element { description: description.to_owned(), ..dataset(id, title) }
}

fn at(id: &str, bbox: [f64; 4]) -> Element {
    let spatial = Spatial { geometry: None, bbox: Some(BBox::try_from(bbox).unwrap()), places: Vec::new() };
    Element { spatial: Some(spatial), ..dataset(id, id) }
}

fn person(name: &str) -> Option<Person> {
    Some(Person { name: name.to_owned() })
}

fn author(name: &str) -> Author {
    Author { name: name.to_owned(), orcid: None }
}

fn ids(list: &RankList) -> Vec<&str> {
    list.hits.iter().map(|hit| hit.id.0.as_str()).collect()
}

fn sorted_ids(list: &RankList) -> Vec<&str> {
    let mut ids = ids(list);
    ids.sort_unstable();
    ids
}

async fn keyword(index: &dyn SearchIndex, text: &str) -> RankList {
    let list = index.keyword(text, &Filter::default(), 100).await.unwrap();
    assert_eq!(list.total, list.hits.len() as u64, "the total of `{text}`");
    list
}
