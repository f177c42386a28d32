//! A limit on how long a call may take. A call that is cut off is `TimedOut`; its future is dropped.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

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

/// How long calls may take: those that a person waits for, and those that write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    pub read: Duration,
    pub write: Duration,
}

impl Default for Limits {
    /// 5 s to read, 120 s to write.
    fn default() -> Self {
        Self { read: Duration::from_secs(5), write: Duration::from_secs(120) }
    }
}

/// An engine whose calls are limited.
pub struct TimeLimited<P: ?Sized> {
    limits: Limits,
    inner: Arc<P>,
}

impl<P: ?Sized> TimeLimited<P> {
    pub fn new(inner: Arc<P>, limits: Limits) -> Self {
        Self { limits, inner }
    }

    async fn read<T>(&self, operation: &'static str, call: impl Future<Output = PortResult<T>>) -> PortResult<T> {
        within(self.limits.read, operation, call).await
    }

    async fn write<T>(&self, operation: &'static str, call: impl Future<Output = PortResult<T>>) -> PortResult<T> {
        within(self.limits.write, operation, call).await
    }
}

async fn within<T>(limit: Duration, operation: &'static str, call: impl Future<Output = PortResult<T>>) -> PortResult<T> {
    match tokio::time::timeout(limit, call).await {
        Ok(result) => result,
        Err(_) => Err(PortError::new(ErrorKind::TimedOut, operation, format!("no answer within {} ms", limit.as_millis()))),
    }
}

#[async_trait]
impl<P: SearchIndex + ?Sized> SearchIndex for TimeLimited<P> {
    async fn keyword(&self, text: &str, filter: &Filter, limit: usize) -> PortResult<RankList> {
        self.read("index: keyword", self.inner.keyword(text, filter, limit)).await
    }

    async fn semantic(&self, vector: &[f32], filter: &Filter, limit: usize) -> PortResult<RankList> {
        self.read("index: semantic", self.inner.semantic(vector, filter, limit)).await
    }

    async fn spatial(&self, area: &AreaFilter, filter: &Filter, limit: usize) -> PortResult<RankList> {
        self.read("index: spatial", self.inner.spatial(area, filter, limit)).await
    }

    async fn browse(&self, filter: &Filter, sort: Sort, offset: u64, limit: usize) -> PortResult<RankList> {
        self.read("index: browse", self.inner.browse(filter, sort, offset, limit)).await
    }

    async fn count(&self, filter: &Filter) -> PortResult<u64> {
        self.read("index: count", self.inner.count(filter)).await
    }

    async fn count_without_footprint(&self, filter: &Filter) -> PortResult<u64> {
        self.read("index: count without footprint", self.inner.count_without_footprint(filter)).await
    }

    async fn facets(&self, scope: FacetScope<'_>, limit: usize) -> PortResult<Facets> {
        self.read("index: facets", self.inner.facets(scope, limit)).await
    }

    async fn apply(&self, changes: &[LoggedChange], upto: Seq) -> PortResult<()> {
        self.write("index: apply", self.inner.apply(changes, upto)).await
    }

    async fn apply_vectors(&self, vectors: &[ElementVectors], upto: Seq) -> PortResult<()> {
        self.write("index: apply vectors", self.inner.apply_vectors(vectors, upto)).await
    }

    async fn checkpoint(&self, part: IndexPart) -> PortResult<Seq> {
        self.read("index: checkpoint", self.inner.checkpoint(part)).await
    }

    async fn reset(&self, part: IndexPart) -> PortResult<()> {
        self.write("index: reset", self.inner.reset(part)).await
    }
}

#[async_trait]
impl<P: GraphStore + ?Sized> GraphStore for TimeLimited<P> {
    async fn neighbours(&self, id: &ElementId) -> PortResult<Vec<Neighbour>> {
        self.read("graph: neighbours", self.inner.neighbours(id)).await
    }

    async fn find(&self, intent: &GraphIntent, limit: usize) -> PortResult<Vec<GraphHit>> {
        self.read("graph: find", self.inner.find(intent, limit)).await
    }

    async fn people_in(&self, text: &str) -> PortResult<Vec<String>> {
        self.read("graph: people in a text", self.inner.people_in(text)).await
    }

    async fn apply(&self, changes: &[LoggedChange], upto: Seq) -> PortResult<()> {
        self.write("graph: apply", self.inner.apply(changes, upto)).await
    }

    async fn checkpoint(&self) -> PortResult<Seq> {
        self.read("graph: checkpoint", self.inner.checkpoint()).await
    }

    async fn reset(&self) -> PortResult<()> {
        self.write("graph: reset", self.inner.reset()).await
    }
}

#[async_trait]
impl<P: Geocoder + ?Sized> Geocoder for TimeLimited<P> {
    async fn candidates(&self, name: &str, context: &PlaceContext, limit: usize) -> PortResult<Vec<Place>> {
        self.read("geocoder: candidates", self.inner.candidates(name, context, limit)).await
    }

    async fn mentions(&self, text: &str) -> PortResult<Vec<Mention>> {
        self.read("geocoder: mentions", self.inner.mentions(text)).await
    }

    async fn place(&self, id: &str) -> PortResult<Option<Place>> {
        self.read("geocoder: place", self.inner.place(id)).await
    }
}

#[async_trait]
impl<P: Embedder + ?Sized> Embedder for TimeLimited<P> {
    fn model(&self) -> &ModelIdentity {
        self.inner.model()
    }

    async fn embed(&self, texts: &[String]) -> PortResult<Vec<Vec<f32>>> {
        self.write("embed", self.inner.embed(texts)).await
    }

    async fn embed_query(&self, text: &str) -> PortResult<Vec<f32>> {
        self.read("embed a query", self.inner.embed_query(text)).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::fakes::HashEmbedder;

    struct Stuck;

    #[async_trait]
    impl Geocoder for Stuck {
        async fn candidates(&self, _: &str, _: &PlaceContext, _: usize) -> PortResult<Vec<Place>> {
            std::future::pending().await
        }

        async fn mentions(&self, _: &str) -> PortResult<Vec<Mention>> {
            Ok(Vec::new())
        }

        async fn place(&self, _: &str) -> PortResult<Option<Place>> {
            Err(PortError::new(ErrorKind::Unavailable, "stuck", "down"))
        }
    }

    #[tokio::test]
    async fn a_call_without_an_answer_is_timed_out_and_others_pass() {
        let limits = Limits { read: Duration::from_millis(20), ..Limits::default() };
        let limited = TimeLimited::<dyn Geocoder>::new(Arc::new(Stuck), limits);
        let error = limited.candidates("Paris", &PlaceContext::default(), 1).await.unwrap_err();
        assert_eq!((error.kind, error.operation), (ErrorKind::TimedOut, "geocoder: candidates"));
        assert_eq!(error.source.to_string(), "no answer within 20 ms");
        assert_eq!(limited.mentions("Paris").await.unwrap(), []);
        assert_eq!(limited.place("x").await.unwrap_err().operation, "stuck");
    }

    #[tokio::test]
    async fn a_limited_embedder_is_one() {
        crate::testing::embedder::conforms(&TimeLimited::new(Arc::new(HashEmbedder::default()), Limits::default())).await;
    }
}
