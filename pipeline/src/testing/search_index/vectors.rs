//! Semantic retrieval.

use super::{axis, dataset, fill, fill_vectors, ids};
use crate::{
    model::query::Filter,
    ports::{
        ErrorKind, SearchIndex,
        search_index::{ElementVectors, IndexPart},
    },
};

pub async fn nearest_come_first_by_their_best_chunk(index: &dyn SearchIndex, dimension: usize) {
    let elements = ["a", "b", "c", "d"].map(|id| dataset(id, id));
    fill(index, &elements).await;
    index.reset(IndexPart::Vectors).await.unwrap();
    let chunks =
        |id: &str, axes: &[usize]| ElementVectors { id: id.into(), chunks: axes.iter().map(|at| axis(*at, dimension)).collect() };
    index
        .apply_vectors(&[chunks("a", &[0]), chunks("b", &[3, 1, 0]), chunks("c", &[2]), chunks("absent", &[1])], 4)
        .await
        .unwrap();
    let nearest = index.semantic(&axis(1, dimension), &Filter::default(), 10).await.unwrap();
    assert_eq!(ids(&nearest)[0], "b");
    assert_eq!((nearest.hits.len(), nearest.total), (3, 3), "each element once, none without vectors, none that is not public");
    assert!((nearest.hits[0].score - 1.0).abs() < 0.02 && nearest.hits[1].score < 0.5, "{:?}", nearest.hits);
    let one = index.semantic(&axis(2, dimension), &Filter::default(), 1).await.unwrap();
    assert_eq!((ids(&one), one.total), (vec!["c"], 3));
    index.apply_vectors(&[chunks("b", &[3]), chunks("c", &[])], 5).await.unwrap();
    let after = index.semantic(&axis(1, dimension), &Filter::default(), 10).await.unwrap();
    assert_eq!(after.total, 2, "new vectors replace the old ones");
    assert!(after.hits.iter().all(|hit| hit.score < 0.5));
}

pub async fn another_dimension_is_invalid(index: &dyn SearchIndex, dimension: usize) {
    let elements = [dataset("a", "a")];
    fill(index, &elements).await;
    fill_vectors(index, &elements, dimension).await;
    for wrong in [0, 1, dimension - 1, dimension + 1] {
        let question = index.semantic(&vec![0.1; wrong], &Filter::default(), 10).await;
        assert_eq!(question.unwrap_err().kind, ErrorKind::Invalid);
        let vectors = [ElementVectors { id: "a".into(), chunks: vec![axis(1, dimension), vec![0.1; wrong]] }];
        assert_eq!(index.apply_vectors(&vectors, 9).await.unwrap_err().kind, ErrorKind::Invalid);
    }
    assert_eq!(index.checkpoint(IndexPart::Vectors).await.unwrap(), 1, "a refused batch moves nothing");
    let still_there = index.semantic(&axis(0, dimension), &Filter::default(), 10).await.unwrap();
    assert_eq!(ids(&still_there), ["a"]);
}
