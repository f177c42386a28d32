//! The embedded default whole: every port over one data folder, behind its guards.

use std::{path::Path, sync::Arc};

use super::{
    embedded_index::EmbeddedIndex,
    gazetteer::Gazetteer,
    sqlite::{SqliteGraph, SqliteRecords, SqliteVectorCache},
};
use crate::{
    guard::{
        cache::CachedEmbedder,
        metering::Metered,
        timeout::{Limits, TimeLimited},
    },
    ports::{Embedder, Geocoder, GraphStore, PortError, PortResult, Records, Rounds, SearchIndex},
    services::Services,
};

/// The index's folder within the data folder.
pub const INDEX: &str = "index";

/// Opens the folder, or makes it. `model` embeds texts, or says why nothing does; its identity is the index's.
///
/// # Errors
/// A file that cannot be read or written; `Incompatible` when the folder holds vectors of another model.
pub async fn open(folder: &Path, model: Result<Arc<dyn Embedder>, Arc<str>>) -> PortResult<Services> {
    let records = Arc::new(SqliteRecords::open(folder).await?);
    let graph = SqliteGraph::open(folder).await?;
    let identity = model.as_ref().ok().map(|model| model.model().clone());
    let index_folder = folder.join(INDEX);
    let index = blocking(move || EmbeddedIndex::open(&index_folder, identity)).await?;
    let geocoder = blocking(Gazetteer::open).await?;
    let limits = Limits::default();
    let embedder = match model {
        Ok(model) => {
            let cache = Arc::new(SqliteVectorCache::open(folder).await?);
            let limited: Arc<dyn Embedder> = Arc::new(TimeLimited::new(model, limits));
            Ok(Arc::new(CachedEmbedder::new(Arc::new(Metered(limited)), cache)) as Arc<dyn Embedder>)
        }
        Err(reason) => Err(reason),
    };
    let index: Arc<dyn SearchIndex> = Arc::new(TimeLimited::new(Arc::new(index), limits));
    let graph: Arc<dyn GraphStore> = Arc::new(TimeLimited::new(Arc::new(graph), limits));
    let geocoder: Arc<dyn Geocoder> = Arc::new(TimeLimited::new(Arc::new(geocoder), limits));
    let rounds: Arc<dyn Rounds> = records.clone();
    let records: Arc<dyn Records> = records;
    Ok(Services {
        records: Arc::new(Metered(records)),
        rounds: Arc::new(Metered(rounds)),
        index: Arc::new(Metered(index)),
        graph: Arc::new(Metered(graph)),
        geocoder: Arc::new(Metered(geocoder)),
        embedder,
        language: None,
    })
}

/// Off the runtime's threads: a large index takes a second or two to read.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> PortResult<T> + Send + 'static) -> PortResult<T> {
    tokio::task::spawn_blocking(work).await.map_err(PortError::internal("open an engine"))?
}
