//! The embedded search index: text in Tantivy, attributes, footprints and vectors in memory, all of it in one folder.
//!
//! Text, attributes and footprints are one part: Tantivy keeps what the other two are made of, so that one commit and its
//! checkpoint cover all three. Vectors follow by a checkpoint of their own. Readers share a lock that a writer takes only to swap
//! in what it has prepared.

mod recent;
mod state;
mod writer;

use std::{path::Path, sync::Arc};

use async_trait::async_trait;
use jiff::{Timestamp, tz::TimeZone};

use crate::{
    model::{
        place::AreaFilter,
        query::{Filter, Sort},
        results::Facets,
    },
    ports::{
        ErrorKind, PortError, PortResult, SearchIndex, Seq,
        embedder::ModelIdentity,
        records::LoggedChange,
        search_index::{ElementVectors, FacetScope, IndexPart, RankList},
    },
};
use state::Shared;
use writer::Writer;

#[derive(Clone)]
pub struct EmbeddedIndex {
    shared: Arc<Shared>,
    writer: Arc<Writer>,
}

impl EmbeddedIndex {
    /// Opens the index in `dir` or makes it; without a model it has no vector part. Reads everything, a second or two a hundred thousand
    /// elements: not to be called on the runtime's threads.
    ///
    /// # Errors
    /// `Incompatible` when the folder holds vectors of another model; `Internal` when it cannot be read.
    pub fn open(dir: &Path, model: Option<ModelIdentity>) -> PortResult<Self> {
        let (writer, state) = Writer::open(dir, model)?;
        Ok(Self { shared: Arc::new(Shared::new(state)), writer: Arc::new(writer) })
    }

    /// Vectors held.
    pub fn vector_count(&self) -> PortResult<usize> {
        self.shared.read(|state| Ok(state.vectors.as_ref().map_or(0, |part| part.vectors.len())))
    }

    /// Writes block on the disk, so they have a thread of their own.
    async fn write(&self, work: impl FnOnce(&Writer, &Shared) -> PortResult<()> + Send + 'static) -> PortResult<()> {
        let index = self.clone();
        let done = tokio::task::spawn_blocking(move || work(&index.writer, &index.shared)).await;
        done.map_err(PortError::internal("index: write"))?
    }
}

#[async_trait]
impl SearchIndex for EmbeddedIndex {
    async fn keyword(&self, text: &str, filter: &Filter, limit: usize) -> PortResult<RankList> {
        self.shared.read(|state| state.keyword(text, filter, limit))
    }

    async fn semantic(&self, vector: &[f32], filter: &Filter, limit: usize) -> PortResult<RankList> {
        self.shared.read(|state| state.semantic(vector, filter, limit))
    }

    async fn spatial(&self, area: &AreaFilter, filter: &Filter, limit: usize) -> PortResult<RankList> {
        self.shared.read(|state| state.spatial(area, filter, limit))
    }

    async fn browse(&self, filter: &Filter, sort: Sort, offset: u64, limit: usize) -> PortResult<RankList> {
        self.shared.read(|state| state.browse(filter, sort, offset, limit))
    }

    async fn count(&self, filter: &Filter) -> PortResult<u64> {
        self.shared.read(|state| Ok(state.passing(filter)?.len()))
    }

    async fn count_without_footprint(&self, filter: &Filter) -> PortResult<u64> {
        self.shared.read(|state| state.count_without_footprint(filter))
    }

    async fn facets(&self, scope: FacetScope<'_>, limit: usize) -> PortResult<Facets> {
        let this_year = i32::from(Timestamp::now().to_zoned_datetime(TimeZone::UTC).year());
        self.shared.read(|state| state.facets(scope, limit, this_year))
    }

    async fn apply(&self, changes: &[LoggedChange], upto: Seq) -> PortResult<()> {
        let changes = changes.to_vec();
        self.write(move |writer, shared| writer.apply(shared, &changes, upto)).await
    }

    async fn apply_vectors(&self, vectors: &[ElementVectors], upto: Seq) -> PortResult<()> {
        let vectors = vectors.to_vec();
        self.write(move |writer, shared| writer.apply_vectors(shared, &vectors, upto)).await
    }

    async fn checkpoint(&self, part: IndexPart) -> PortResult<Seq> {
        self.shared.read(|state| {
            Ok(match part {
                IndexPart::Text => state.text_seq,
                IndexPart::Vectors => state.vectors.as_ref().map_or(0, |part| part.seq),
            })
        })
    }

    async fn reset(&self, part: IndexPart) -> PortResult<()> {
        self.write(move |writer, shared| writer.reset(shared, part)).await
    }
}

fn no_model() -> PortError {
    PortError::new(ErrorKind::Unavailable, "index: vectors", "the index was opened without an embedding model")
}

#[cfg(test)]
mod tests;
