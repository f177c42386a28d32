//! From settings to running engines. No other file of the server names a concrete engine.

use std::{io, path::Path, sync::Arc, time::Duration};

use pipeline::{
    ask::Asker,
    catalog::projection::Projection,
    engines::{
        embedded_index::EmbeddedIndex,
        gazetteer::Gazetteer,
        minilm::MiniLm,
        sqlite::{SqliteGraph, SqliteRecords, SqliteVectorCache},
    },
    guard::{
        cache::CachedEmbedder,
        metering::Metered,
        timeout::{Limits, TimeLimited},
    },
    ports::{Embedder, Geocoder, GraphStore, PortError, PortResult, Records, Rounds, SearchIndex, Seq, search_index::IndexPart},
    services::Services,
};
use serde::Serialize;

use crate::{
    config::{Config, Model},
    data_folder::{DataFolder, FolderError},
};

const LOOK_EVERY: Duration = Duration::from_millis(20);

#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error(transparent)]
    Folder(#[from] FolderError),
    #[error("an engine could not be opened")]
    Engine(#[from] PortError),
}

/// Engines over a data folder that this process holds, and the projectors that follow its records.
pub struct Cairn {
    pub services: Services,
    pub asker: Asker,
    folder: DataFolder,
    projection: Projection,
}

/// How far a projection is behind the records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Lag {
    pub projection: &'static str,
    pub checkpoint: Seq,
    pub behind: Seq,
}

/// What is to be built anew from the records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Erased {
    pub text: bool,
    pub vectors: bool,
    pub graph: bool,
}

impl Cairn {
    /// Opens the folder for a command. A missing model is no failure: semantic search is then degraded, with the reason.
    ///
    /// # Errors
    /// The folder is held by another process or cannot be used; an engine finds something there that it cannot read.
    pub async fn open(config: &Config, command: &str) -> Result<Self, OpenError> {
        Self::open_erasing(config, command, Erased::default()).await
    }

    /// The same, with some projections erased first.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub async fn open_erasing(config: &Config, command: &str, erased: Erased) -> Result<Self, OpenError> {
        let folder = DataFolder::hold(&config.data.dir, command)?;
        let model = load_model(&config.model).await;
        Self::start(folder, model, erased).await
    }

    /// The same with an embedder of the caller's choice.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub async fn open_with(config: &Config, command: &str, embedder: Result<Arc<dyn Embedder>, Arc<str>>) -> Result<Self, OpenError> {
        let folder = DataFolder::hold(&config.data.dir, command)?;
        Self::start(folder, embedder, Erased::default()).await
    }

    async fn start(folder: DataFolder, model: Result<Arc<dyn Embedder>, Arc<str>>, erased: Erased) -> Result<Self, OpenError> {
        let services = open_engines(folder.path(), model).await?;
        if erased.text {
            services.index.reset(IndexPart::Text).await?;
        }
        if erased.vectors {
            services.index.reset(IndexPart::Vectors).await?;
        }
        if erased.graph {
            services.graph.reset().await?;
        }
        let projection = Projection::start(&services);
        let asker = Asker::new(services.clone());
        Ok(Self { services, asker, folder, projection })
    }

    /// Tells those who find the folder held where this process can be reached.
    ///
    /// # Errors
    /// The lock file cannot be written.
    pub fn announce(&mut self, command: &str, url: &str) -> io::Result<()> {
        self.folder.announce(command, url)
    }

    /// Puts something before the engines for what is answered from now on; the projectors keep the engines.
    pub fn replace_services(&mut self, replace: impl FnOnce(&mut Services)) {
        replace(&mut self.services);
        self.asker = Asker::new(self.services.clone());
    }

    /// All projections. Without a model there are no vectors to fall behind.
    ///
    /// # Errors
    /// Records or a projection that cannot be read.
    pub async fn lags(&self) -> PortResult<Vec<Lag>> {
        let services = &self.services;
        let last = services.records.last_seq().await?;
        let lag = |projection, checkpoint: Seq| Lag { projection, checkpoint, behind: last.saturating_sub(checkpoint) };
        let mut lags = vec![lag("text", services.index.checkpoint(IndexPart::Text).await?)];
        if services.embedder.is_ok() {
            lags.push(lag("vectors", services.index.checkpoint(IndexPart::Vectors).await?));
        }
        lags.push(lag("graph", services.graph.checkpoint().await?));
        Ok(lags)
    }

    /// Resolves when every projection has come as far as the records are now.
    ///
    /// # Errors
    /// As [`Self::lags`].
    pub async fn caught_up(&self) -> PortResult<()> {
        let target = self.services.records.last_seq().await?;
        while self.lags().await?.iter().any(|lag| lag.checkpoint < target) {
            tokio::time::sleep(LOOK_EVERY).await;
        }
        Ok(())
    }

    /// Resolves when all but the vectors have come as far as the records are now: those may take minutes.
    ///
    /// # Errors
    /// As [`Self::lags`].
    pub async fn text_caught_up(&self) -> PortResult<()> {
        let target = self.services.records.last_seq().await?;
        while self.lags().await?.iter().any(|lag| lag.projection != "vectors" && lag.checkpoint < target) {
            tokio::time::sleep(LOOK_EVERY).await;
        }
        Ok(())
    }

    /// Lets the projectors finish the batch in hand, then lets go of the folder.
    pub async fn close(self) {
        self.projection.stop().await;
    }
}

async fn open_engines(folder: &Path, model: Result<Arc<dyn Embedder>, Arc<str>>) -> PortResult<Services> {
    let records = Arc::new(SqliteRecords::open(folder).await?);
    let graph = SqliteGraph::open(folder).await?;
    let index = EmbeddedIndex::open(folder).await?;
    let geocoder = Gazetteer::builtin();
    let embedder = match model {
        Ok(model) => {
            let limited = guarded_embedder(model);
            let cache = Arc::new(SqliteVectorCache::open(folder).await?);
            Ok(Arc::new(CachedEmbedder::new(limited, cache)) as Arc<dyn Embedder>)
        }
        Err(reason) => Err(reason),
    };
    let limits = Limits::default();
    let index: Arc<dyn SearchIndex> = Arc::new(Metered(Arc::new(TimeLimited::new(Arc::new(index), limits))));
    let graph: Arc<dyn GraphStore> = Arc::new(Metered(Arc::new(TimeLimited::new(Arc::new(graph), limits))));
    let geocoder: Arc<dyn Geocoder> = Arc::new(Metered(Arc::new(TimeLimited::new(Arc::new(geocoder), limits))));
    let rounds: Arc<dyn Rounds> = Arc::new(Metered(records.clone()));
    let records: Arc<dyn Records> = Arc::new(Metered(records));
    Ok(Services { records, rounds, index, graph, geocoder, embedder })
}

fn guarded_embedder(model: Arc<dyn Embedder>) -> Arc<dyn Embedder> {
    Arc::new(Metered(Arc::new(TimeLimited::new(model, Limits::default()))))
}

/// Off the runtime's threads: reading and preparing the model takes a second.
async fn load_model(model: &Model) -> Result<Arc<dyn Embedder>, Arc<str>> {
    let Some(folder) = model.dir.clone() else {
        return Err("no folder of a model is configured; set CAIRN_MODEL_DIR".into());
    };
    let runtime = model.runtime.clone();
    let loading = tokio::task::spawn_blocking(move || match runtime {
        Some(runtime) => MiniLm::load_with(&folder, &runtime),
        None => MiniLm::load(&folder),
    });
    match loading.await {
        Ok(Ok(model)) => Ok(Arc::new(model)),
        Ok(Err(error)) => {
            tracing::warn!(%error, cause = %error.source, "semantic search is off");
            Err(error.source.to_string().into())
        }
        Err(error) => {
            tracing::error!(%error, "the model could not be loaded");
            Err("the model could not be loaded; the log says why".into())
        }
    }
}
