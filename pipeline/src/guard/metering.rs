//! Every call of a port measured: `cairn_port_seconds{port, operation}` and `cairn_port_errors_total{port, operation, kind}`.

mod language_model;

use std::{sync::Arc, time::Instant};

use async_trait::async_trait;

use crate::{
    model::{
        conversation::{Conversation, ConversationId, ConversationSummary, OwnerId},
        element::{Element, ElementId},
        feedback::Feedback,
        graph::Neighbour,
        graph_intent::GraphIntent,
        place::{AreaFilter, Place},
        query::{Filter, Sort},
        results::Facets,
        round::{Round, RoundId, Stage, TraceEvent},
    },
    ports::{
        Embedder, ErrorKind, Geocoder, GraphStore, PortResult, Records, Rounds, SearchIndex, Seq,
        embedder::ModelIdentity,
        geocoder::{Mention, PlaceContext},
        graph_store::GraphHit,
        records::{Change, Committed, LoggedChange},
        search_index::{ElementVectors, FacetScope, IndexPart, RankList},
    },
};

/// An engine whose calls are counted and timed.
pub struct Metered<P: ?Sized>(pub Arc<P>);

async fn measured<T>(port: &'static str, operation: &'static str, call: impl Future<Output = PortResult<T>>) -> PortResult<T> {
    let started = Instant::now();
    let result = call.await;
    metrics::histogram!("cairn_port_seconds", "port" => port, "operation" => operation).record(started.elapsed());
    if let Err(error) = &result {
        metrics::counter!("cairn_port_errors_total", "port" => port, "operation" => operation, "kind" => kind_name(error.kind))
            .increment(1);
    }
    result
}

fn kind_name(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Invalid => "invalid",
        ErrorKind::NotFound => "not-found",
        ErrorKind::Unavailable => "unavailable",
        ErrorKind::TimedOut => "timed-out",
        ErrorKind::Incompatible => "incompatible",
        ErrorKind::Internal => "internal",
    }
}

#[async_trait]
impl<P: Records + ?Sized> Records for Metered<P> {
    async fn commit(&self, changes: Vec<Change>) -> PortResult<Vec<Committed>> {
        measured("records", "commit", self.0.commit(changes)).await
    }

    async fn element(&self, id: &ElementId) -> PortResult<Option<Element>> {
        measured("records", "element", self.0.element(id)).await
    }

    async fn elements(&self, ids: &[ElementId]) -> PortResult<Vec<Element>> {
        measured("records", "elements", self.0.elements(ids)).await
    }

    async fn page(&self, after: Option<&ElementId>, limit: usize) -> PortResult<Vec<Element>> {
        measured("records", "page", self.0.page(after, limit)).await
    }

    async fn with_doi(&self, doi: &str) -> PortResult<Vec<ElementId>> {
        measured("records", "with-doi", self.0.with_doi(doi)).await
    }

    async fn changes(&self, after: Seq, limit: usize) -> PortResult<Vec<LoggedChange>> {
        measured("records", "changes", self.0.changes(after, limit)).await
    }

    async fn last_seq(&self) -> PortResult<Seq> {
        measured("records", "last-seq", self.0.last_seq()).await
    }

    async fn count(&self) -> PortResult<u64> {
        measured("records", "count", self.0.count()).await
    }

    async fn click(&self, id: &ElementId, visitor: &str, quiet_seconds: u32) -> PortResult<bool> {
        measured("records", "click", self.0.click(id, visitor, quiet_seconds)).await
    }

    async fn wait_beyond(&self, seq: Seq) {
        self.0.wait_beyond(seq).await;
    }
}

#[async_trait]
impl<P: Rounds + ?Sized> Rounds for Metered<P> {
    async fn begin(&self, conversation: &Conversation) -> PortResult<()> {
        measured("rounds", "begin", self.0.begin(conversation)).await
    }

    async fn conversation(&self, id: &ConversationId) -> PortResult<Option<Conversation>> {
        measured("rounds", "conversation", self.0.conversation(id)).await
    }

    async fn conversations(
        &self,
        owner: &OwnerId,
        before: Option<&ConversationId>,
        limit: usize,
    ) -> PortResult<Vec<ConversationSummary>> {
        measured("rounds", "conversations", self.0.conversations(owner, before, limit)).await
    }

    async fn rounds_in(&self, conversation: &ConversationId, limit: usize) -> PortResult<Vec<Round>> {
        measured("rounds", "rounds-in", self.0.rounds_in(conversation, limit)).await
    }

    async fn create(&self, round: &Round) -> PortResult<()> {
        measured("rounds", "create", self.0.create(round)).await
    }

    async fn append(&self, round: &RoundId, events: &[TraceEvent], finishes: bool) -> PortResult<()> {
        measured("rounds", "append", self.0.append(round, events, finishes)).await
    }

    async fn round(&self, id: &RoundId) -> PortResult<Option<Round>> {
        measured("rounds", "round", self.0.round(id)).await
    }

    async fn events(&self, id: &RoundId, after: u64) -> PortResult<Vec<TraceEvent>> {
        measured("rounds", "events", self.0.events(id, after)).await
    }

    async fn events_of(&self, id: &RoundId, stages: &[Stage]) -> PortResult<Vec<TraceEvent>> {
        measured("rounds", "events-of", self.0.events_of(id, stages)).await
    }

    async fn close_abandoned(&self) -> PortResult<u64> {
        measured("rounds", "close-abandoned", self.0.close_abandoned()).await
    }

    async fn rate(&self, round: &RoundId, by: &OwnerId, feedback: &Feedback) -> PortResult<()> {
        measured("rounds", "rate", self.0.rate(round, by, feedback)).await
    }

    async fn feedback(&self, round: &RoundId, by: &OwnerId) -> PortResult<Option<Feedback>> {
        measured("rounds", "feedback", self.0.feedback(round, by)).await
    }
}

#[async_trait]
impl<P: SearchIndex + ?Sized> SearchIndex for Metered<P> {
    async fn keyword(&self, text: &str, filter: &Filter, limit: usize) -> PortResult<RankList> {
        measured("index", "keyword", self.0.keyword(text, filter, limit)).await
    }

    async fn semantic(&self, vector: &[f32], filter: &Filter, limit: usize) -> PortResult<RankList> {
        measured("index", "semantic", self.0.semantic(vector, filter, limit)).await
    }

    async fn spatial(&self, area: &AreaFilter, filter: &Filter, limit: usize) -> PortResult<RankList> {
        measured("index", "spatial", self.0.spatial(area, filter, limit)).await
    }

    async fn browse(&self, filter: &Filter, sort: Sort, offset: u64, limit: usize) -> PortResult<RankList> {
        measured("index", "browse", self.0.browse(filter, sort, offset, limit)).await
    }

    async fn count(&self, filter: &Filter) -> PortResult<u64> {
        measured("index", "count", self.0.count(filter)).await
    }

    async fn count_without_footprint(&self, filter: &Filter) -> PortResult<u64> {
        measured("index", "count-without-footprint", self.0.count_without_footprint(filter)).await
    }

    async fn facets(&self, scope: FacetScope<'_>, limit: usize) -> PortResult<Facets> {
        measured("index", "facets", self.0.facets(scope, limit)).await
    }

    async fn apply(&self, changes: &[LoggedChange], upto: Seq) -> PortResult<()> {
        measured("index", "apply", self.0.apply(changes, upto)).await
    }

    async fn apply_vectors(&self, vectors: &[ElementVectors], upto: Seq) -> PortResult<()> {
        measured("index", "apply-vectors", self.0.apply_vectors(vectors, upto)).await
    }

    async fn checkpoint(&self, part: IndexPart) -> PortResult<Seq> {
        measured("index", "checkpoint", self.0.checkpoint(part)).await
    }

    async fn reset(&self, part: IndexPart) -> PortResult<()> {
        measured("index", "reset", self.0.reset(part)).await
    }
}

#[async_trait]
impl<P: GraphStore + ?Sized> GraphStore for Metered<P> {
    async fn neighbours(&self, id: &ElementId) -> PortResult<Vec<Neighbour>> {
        measured("graph", "neighbours", self.0.neighbours(id)).await
    }

    async fn find(&self, intent: &GraphIntent, limit: usize) -> PortResult<Vec<GraphHit>> {
        measured("graph", "find", self.0.find(intent, limit)).await
    }

    async fn people_in(&self, text: &str) -> PortResult<Vec<String>> {
        measured("graph", "people-in", self.0.people_in(text)).await
    }

    async fn apply(&self, changes: &[LoggedChange], upto: Seq) -> PortResult<()> {
        measured("graph", "apply", self.0.apply(changes, upto)).await
    }

    async fn checkpoint(&self) -> PortResult<Seq> {
        measured("graph", "checkpoint", self.0.checkpoint()).await
    }

    async fn reset(&self) -> PortResult<()> {
        measured("graph", "reset", self.0.reset()).await
    }
}

#[async_trait]
impl<P: Geocoder + ?Sized> Geocoder for Metered<P> {
    async fn candidates(&self, name: &str, context: &PlaceContext, limit: usize) -> PortResult<Vec<Place>> {
        measured("geocoder", "candidates", self.0.candidates(name, context, limit)).await
    }

    async fn mentions(&self, text: &str) -> PortResult<Vec<Mention>> {
        measured("geocoder", "mentions", self.0.mentions(text)).await
    }

    async fn place(&self, id: &str) -> PortResult<Option<Place>> {
        measured("geocoder", "place", self.0.place(id)).await
    }
}

#[async_trait]
impl<P: Embedder + ?Sized> Embedder for Metered<P> {
    fn model(&self) -> &ModelIdentity {
        self.0.model()
    }

    async fn embed(&self, texts: &[String]) -> PortResult<Vec<Vec<f32>>> {
        measured("embedder", "embed", self.0.embed(texts)).await
    }

    async fn embed_query(&self, text: &str) -> PortResult<Vec<f32>> {
        measured("embedder", "embed-query", self.0.embed_query(text)).await
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use metrics::{Counter, Gauge, Histogram, Key, KeyName, Metadata, Recorder, SharedString, Unit};

    use super::*;
    use crate::testing::{
        embedder,
        fakes::{DownGeocoder, HashEmbedder},
    };

    /// Remembers which series were touched, as `name{label=value,…}`.
    #[derive(Default)]
    pub(super) struct Series(Mutex<Vec<String>>);

    impl Series {
        pub fn touched(&self) -> Vec<String> {
            self.0.lock().unwrap().clone()
        }

        fn touch(&self, key: &Key) {
            let labels: Vec<String> = key.labels().map(|label| format!("{}={}", label.key(), label.value())).collect();
            self.0.lock().unwrap().push(format!("{}{{{}}}", key.name(), labels.join(",")));
        }
    }

    impl Recorder for Series {
        fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

        fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

        fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

        fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> Counter {
            self.touch(key);
            Counter::noop()
        }

        fn register_gauge(&self, key: &Key, _: &Metadata<'_>) -> Gauge {
            self.touch(key);
            Gauge::noop()
        }

        fn register_histogram(&self, key: &Key, _: &Metadata<'_>) -> Histogram {
            self.touch(key);
            Histogram::noop()
        }
    }

    #[tokio::test]
    async fn a_call_is_timed_and_its_failure_counted_by_kind() {
        let series = Series::default();
        let recording = metrics::set_default_local_recorder(&series);
        let geocoder = Metered::<dyn Geocoder>(Arc::new(DownGeocoder));
        assert_eq!(geocoder.mentions("Paris").await.unwrap_err().kind, ErrorKind::Unavailable);
        let embedder = Metered(Arc::new(HashEmbedder::default()));
        embedder.embed_query("ice").await.unwrap();
        drop(recording);
        let expected = [
            "cairn_port_seconds{port=geocoder,operation=mentions}",
            "cairn_port_errors_total{port=geocoder,operation=mentions,kind=unavailable}",
            "cairn_port_seconds{port=embedder,operation=embed-query}",
        ];
        assert_eq!(series.touched(), expected);
    }

    #[tokio::test]
    async fn a_metered_embedder_is_one() {
        embedder::conforms(&Metered(Arc::new(HashEmbedder::default()))).await;
    }
}
