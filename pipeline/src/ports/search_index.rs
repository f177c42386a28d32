//! Keyword, semantic and spatial retrieval over a projection of the records.

use async_trait::async_trait;

use super::{PortResult, Seq, records::LoggedChange};
use crate::model::{
    element::ElementId,
    place::AreaFilter,
    query::{Filter, Sort},
    results::Facets,
};

/// Best first. Scores are comparable within the list only.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RankList {
    pub hits: Vec<Hit>,
    /// How many match in all; the list may be shorter.
    pub total: u64,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    pub id: ElementId,
    pub score: f32,
    /// For the bounded popularity of fusion.
    pub click_count: u64,
}

/// A part of the index that follows the change log by a checkpoint of its own. Vectors lag while they are computed; the rest
/// does not wait for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IndexPart {
    /// Text, attributes and footprints.
    Text,
    Vectors,
}

/// The vectors of one element: one per chunk, all of the index's dimension. An element without public content has none.
#[derive(Clone, Debug, PartialEq)]
pub struct ElementVectors {
    pub id: ElementId,
    pub chunks: Vec<Vec<f32>>,
}

/// What facets are counted over.
#[derive(Clone, Debug)]
pub enum FacetScope<'a> {
    /// Exactly these elements.
    Elements(&'a [ElementId]),
    /// All that pass the filter.
    Filter(&'a Filter),
}

#[async_trait]
pub trait SearchIndex: Send + Sync {
    /// BM25 over title, authors, tags, description, DOI and identifiers. `text` is never query syntax by accident: only
    /// balanced double quotes (phrases) and a leading minus of a word mean something. Text without a word finds nothing.
    /// An identifier or a DOI in any dress ranks its element first.
    async fn keyword(&self, text: &str, filter: &Filter, limit: usize) -> PortResult<RankList>;

    /// Nearest neighbours of a unit vector by cosine; an element ranks by its best chunk.
    /// `Invalid` when the dimension is not the index's.
    async fn semantic(&self, vector: &[f32], filter: &Filter, limit: usize) -> PortResult<RankList>;

    /// Elements whose footprint has the relation to the area, best fit first (see `text`-free scoring in the engine: area of
    /// the intersection over area of the union, so that a world-wide footprint comes after a fitting one).
    async fn spatial(&self, area: &AreaFilter, filter: &Filter, limit: usize) -> PortResult<RankList>;

    /// All that pass the filter, sorted (`Relevance` sorts as `Popular`), ties by id; from `offset`, at most `limit`.
    async fn browse(&self, filter: &Filter, sort: Sort, offset: u64, limit: usize) -> PortResult<RankList>;

    /// How many pass the filter.
    async fn count(&self, filter: &Filter) -> PortResult<u64>;

    /// How many pass the filter without its area and have no footprint.
    async fn count_without_footprint(&self, filter: &Filter) -> PortResult<u64>;

    /// Counts per value, most frequent first, ties by value; at most `limit` values a facet (all kinds).
    async fn facets(&self, scope: FacetScope<'_>, limit: usize) -> PortResult<Facets>;

    /// Applies changes up to and including `upto` to the text part and moves its checkpoint there; searchable when it
    /// returns. Idempotent. Elements that are not public are removed from both parts.
    async fn apply(&self, changes: &[LoggedChange], upto: Seq) -> PortResult<()>;

    /// The same for the vector part. `Invalid` on another dimension.
    async fn apply_vectors(&self, vectors: &[ElementVectors], upto: Seq) -> PortResult<()>;

    /// How far a part has come; 0 when it is new or was erased.
    async fn checkpoint(&self, part: IndexPart) -> PortResult<Seq>;

    /// Erases a part, its checkpoint included, so that it is built anew.
    async fn reset(&self, part: IndexPart) -> PortResult<()>;
}
