//! A search index in memory for tests of what stands before an index. Its ranks are plain (shared words, cosine); filters,
//! areas and facets it refuses rather than ignores.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use async_trait::async_trait;

use crate::{
    model::{
        element::{Element, ElementId},
        place::AreaFilter,
        query::{Filter, Sort},
        results::Facets,
    },
    ports::{
        ErrorKind, PortError, PortResult, SearchIndex, Seq,
        records::LoggedChange,
        search_index::{ElementVectors, FacetScope, Hit, IndexPart, RankList},
    },
    text::fold::fold,
};

#[derive(Default)]
pub struct MemoryIndex(Mutex<State>);

#[derive(Default)]
struct State {
    elements: BTreeMap<ElementId, Element>,
    vectors: BTreeMap<ElementId, Vec<Vec<f32>>>,
    text_checkpoint: Seq,
    vectors_checkpoint: Seq,
    failures_left: usize,
    refused: Option<ElementId>,
    applications: usize,
}

impl MemoryIndex {
    /// The next `count` applications fail as `Unavailable`.
    pub fn fail_next(&self, count: usize) {
        self.state().failures_left = count;
    }

    /// Applications that put this element are `Invalid` from now on.
    pub fn refuse(&self, id: &str) {
        self.state().refused = Some(ElementId::from(id));
    }

    /// How often something was applied to the text part.
    pub fn applications(&self) -> usize {
        self.state().applications
    }

    /// Ids in the text part, in order.
    pub fn ids(&self) -> Vec<String> {
        self.state().elements.keys().map(|id| id.0.clone()).collect()
    }

    /// Ids in the vector part, in order.
    pub fn vector_ids(&self) -> Vec<String> {
        self.state().vectors.keys().map(|id| id.0.clone()).collect()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn ranked(hits: impl Iterator<Item = Hit>, limit: usize) -> RankList {
    let mut hits: Vec<Hit> = hits.collect();
    hits.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.id.cmp(&b.id)));
    let total = hits.len() as u64;
    hits.truncate(limit);
    RankList { hits, total }
}

fn unsupported<T>() -> PortResult<T> {
    Err(PortError::new(ErrorKind::Invalid, "memory index", "this fake has no filters, areas or facets"))
}

#[async_trait]
impl SearchIndex for MemoryIndex {
    async fn keyword(&self, text: &str, filter: &Filter, limit: usize) -> PortResult<RankList> {
        if !filter.is_empty() {
            return unsupported();
        }
        let words: Vec<String> = fold(text).split_whitespace().map(str::to_owned).collect();
        let state = self.state();
        let hits = state.elements.values().filter_map(|element| {
            let content = fold(&format!("{} {}", element.title, element.description));
            let shared = words.iter().filter(|word| content.contains(word.as_str())).count();
            (shared > 0).then(|| Hit { id: element.id.clone(), score: shared as f32, click_count: element.click_count })
        });
        Ok(ranked(hits, limit))
    }

    async fn semantic(&self, vector: &[f32], filter: &Filter, limit: usize) -> PortResult<RankList> {
        if !filter.is_empty() {
            return unsupported();
        }
        let cosine = |chunk: &Vec<f32>| chunk.iter().zip(vector).map(|(a, b)| a * b).sum::<f32>();
        let state = self.state();
        let hits = state.vectors.iter().filter_map(|(id, chunks)| {
            let score = chunks.iter().map(cosine).max_by(f32::total_cmp)?;
            let click_count = state.elements.get(id)?.click_count;
            Some(Hit { id: id.clone(), score, click_count })
        });
        Ok(ranked(hits, limit))
    }

    async fn spatial(&self, _: &AreaFilter, _: &Filter, _: usize) -> PortResult<RankList> {
        unsupported()
    }

    async fn browse(&self, _: &Filter, _: Sort, _: u64, _: usize) -> PortResult<RankList> {
        unsupported()
    }

    async fn count(&self, filter: &Filter) -> PortResult<u64> {
        if filter.is_empty() { Ok(self.state().elements.len() as u64) } else { unsupported() }
    }

    async fn count_without_footprint(&self, _: &Filter) -> PortResult<u64> {
        unsupported()
    }

    async fn facets(&self, _: FacetScope<'_>, _: usize) -> PortResult<Facets> {
        unsupported()
    }

    async fn apply(&self, changes: &[LoggedChange], upto: Seq) -> PortResult<()> {
        let mut state = self.state();
        state.applications += 1;
        if state.failures_left > 0 {
            state.failures_left -= 1;
            return Err(PortError::new(ErrorKind::Unavailable, "memory index: apply", "it is down for a moment"));
        }
        if changes.iter().any(|change| change.element.is_public() && state.refused.as_ref() == Some(&change.element.id)) {
            return Err(PortError::new(ErrorKind::Invalid, "memory index: apply", "this element is refused"));
        }
        for change in changes {
            let id = &change.element.id;
            if change.element.is_public() {
                state.elements.insert(id.clone(), change.element.clone());
            } else {
                state.elements.remove(id);
                state.vectors.remove(id);
            }
        }
        state.text_checkpoint = upto;
        Ok(())
    }

    async fn apply_vectors(&self, vectors: &[ElementVectors], upto: Seq) -> PortResult<()> {
        let mut state = self.state();
        for element in vectors {
            if element.chunks.is_empty() {
                state.vectors.remove(&element.id);
            } else {
                state.vectors.insert(element.id.clone(), element.chunks.clone());
            }
        }
        state.vectors_checkpoint = upto;
        Ok(())
    }

    async fn checkpoint(&self, part: IndexPart) -> PortResult<Seq> {
        Ok(match part {
            IndexPart::Text => self.state().text_checkpoint,
            IndexPart::Vectors => self.state().vectors_checkpoint,
        })
    }

    async fn reset(&self, part: IndexPart) -> PortResult<()> {
        let mut state = self.state();
        match part {
            IndexPart::Text => (state.elements, state.text_checkpoint) = Default::default(),
            IndexPart::Vectors => (state.vectors, state.vectors_checkpoint) = Default::default(),
        }
        Ok(())
    }
}
