//! Engines that do not answer: every call is `Unavailable`.

use async_trait::async_trait;

use crate::{
    model::{
        element::ElementId,
        graph::Neighbour,
        graph_intent::GraphIntent,
        place::{AreaFilter, Place},
        query::{Filter, Sort},
        results::Facets,
    },
    ports::{
        Embedder, ErrorKind, Geocoder, GraphStore, PortError, PortResult, SearchIndex, Seq,
        embedder::ModelIdentity,
        geocoder::{Mention, PlaceContext},
        graph_store::GraphHit,
        records::LoggedChange,
        search_index::{ElementVectors, FacetScope, IndexPart, RankList},
    },
};

fn down<T>() -> PortResult<T> {
    Err(PortError::new(ErrorKind::Unavailable, "fake engine", "it is down"))
}

pub struct DownIndex;

#[async_trait]
impl SearchIndex for DownIndex {
    async fn keyword(&self, _: &str, _: &Filter, _: usize) -> PortResult<RankList> {
        down()
    }

    async fn semantic(&self, _: &[f32], _: &Filter, _: usize) -> PortResult<RankList> {
        down()
    }

    async fn spatial(&self, _: &AreaFilter, _: &Filter, _: usize) -> PortResult<RankList> {
        down()
    }

    async fn browse(&self, _: &Filter, _: Sort, _: u64, _: usize) -> PortResult<RankList> {
        down()
    }

    async fn count(&self, _: &Filter) -> PortResult<u64> {
        down()
    }

    async fn count_without_footprint(&self, _: &Filter) -> PortResult<u64> {
        down()
    }

    async fn facets(&self, _: FacetScope<'_>, _: usize) -> PortResult<Facets> {
        down()
    }

    async fn apply(&self, _: &[LoggedChange], _: Seq) -> PortResult<()> {
        down()
    }

    async fn apply_vectors(&self, _: &[ElementVectors], _: Seq) -> PortResult<()> {
        down()
    }

    async fn checkpoint(&self, _: IndexPart) -> PortResult<Seq> {
        down()
    }

    async fn reset(&self, _: IndexPart) -> PortResult<()> {
        down()
    }
}

pub struct DownGraph;

#[async_trait]
impl GraphStore for DownGraph {
    async fn neighbours(&self, _: &ElementId) -> PortResult<Vec<Neighbour>> {
        down()
    }

    async fn find(&self, _: &GraphIntent, _: usize) -> PortResult<Vec<GraphHit>> {
        down()
    }

    async fn people_in(&self, _: &str) -> PortResult<Vec<String>> {
        down()
    }

    async fn apply(&self, _: &[LoggedChange], _: Seq) -> PortResult<()> {
        down()
    }

    async fn checkpoint(&self) -> PortResult<Seq> {
        down()
    }

    async fn reset(&self) -> PortResult<()> {
        down()
    }
}

pub struct DownGeocoder;

#[async_trait]
impl Geocoder for DownGeocoder {
    async fn candidates(&self, _: &str, _: &PlaceContext, _: usize) -> PortResult<Vec<Place>> {
        down()
    }

    async fn mentions(&self, _: &str) -> PortResult<Vec<Mention>> {
        down()
    }

    async fn place(&self, _: &str) -> PortResult<Option<Place>> {
        down()
    }
}

pub struct DownEmbedder(ModelIdentity);

impl Default for DownEmbedder {
    fn default() -> Self {
        Self(ModelIdentity { name: "down".to_owned(), dimension: 384 })
    }
}

#[async_trait]
impl Embedder for DownEmbedder {
    fn model(&self) -> &ModelIdentity {
        &self.0
    }

    async fn embed(&self, _: &[String]) -> PortResult<Vec<Vec<f32>>> {
        down()
    }
}
