//! From settings to running engines. No other file of the server names a concrete engine.

pub mod language;

use std::{io, path::Path, sync::Arc, time::Duration};

use pipeline::{
    ask::Asker,
    catalog::projection::{self, ProjectionLag, Projectors},
    engines::{
        embedded::{self, INDEX},
        minilm::MiniLm,
        sqlite::SqliteGraph,
    },
    ports::{Embedder, ErrorKind, GraphStore, PortError, PortResult},
    services::Services,
};

use crate::{
    config::{Config, Model},
    data_folder::{DataFolder, FolderError},
    secret,
};

const VECTORS: &str = "vectors";
/// Embedding a batch may take longer than anybody waits for a program to end.
const LAST_BATCH: Duration = Duration::from_secs(3);
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Semantic search without a model is degraded for this reason.
type MaybeEmbedder = Result<Arc<dyn Embedder>, Arc<str>>;

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
    /// What signs visitors' cookies and the keys of rounds.
    pub secret: [u8; 32],
    folder: DataFolder,
    projectors: Projectors,
}

impl Cairn {
    /// Opens the folder for a command. A missing model is no failure: semantic search is then degraded, with the reason.
    ///
    /// # Errors
    /// The folder is held by another process or cannot be used; an engine finds something there that it cannot read.
    pub async fn open(config: &Config, command: &str) -> Result<Self, OpenError> {
        let folder = DataFolder::hold(&config.data.dir, command)?;
        let model = load_model(&config.model).await;
        Self::start(config, folder, model).await
    }

    /// The same, with every projection erased first, so that it is built anew from the records. Also a way out where
    /// [`Self::open`] says that what is there is incompatible.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub async fn open_erased(config: &Config, command: &str) -> Result<Self, OpenError> {
        let folder = DataFolder::hold(&config.data.dir, command)?;
        let model = load_model(&config.model).await;
        remove_folder(&folder.path().join(INDEX))?;
        SqliteGraph::open(folder.path()).await?.reset().await?;
        Self::start(config, folder, model).await
    }

    /// The same as [`Self::open`] with an embedder of the caller's choice.
    ///
    /// # Errors
    /// As there.
    pub async fn open_with(config: &Config, command: &str, model: MaybeEmbedder) -> Result<Self, OpenError> {
        let folder = DataFolder::hold(&config.data.dir, command)?;
        Self::start(config, folder, model).await
    }

    async fn start(config: &Config, folder: DataFolder, model: MaybeEmbedder) -> Result<Self, OpenError> {
        let secret = secret::load(folder.path())?;
        let mut services = embedded::open(folder.path(), model).await?;
        services.language = language::open(&config.language)?;
        // before anything is committed: afterwards another log could not be told from ours
        let erased = projection::reset_foreign(&services).await?;
        if !erased.is_empty() {
            tracing::warn!(?erased, "projections of other records were erased; they are built anew");
        }
        let projectors = Projectors::start(&services);
        let asker = Asker::new(services.clone());
        Ok(Self { services, asker, secret, folder, projectors })
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

    /// The projections that move: without a model there are no vectors to fall behind.
    ///
    /// # Errors
    /// Records or a projection that cannot be read.
    pub async fn moving(&self) -> PortResult<Vec<ProjectionLag>> {
        let mut lags = projection::lag(&self.services).await?;
        if self.services.embedder.is_err() {
            lags.retain(|lag| lag.name != VECTORS);
        }
        match lags.iter().find_map(|lag| lag.error.as_ref()) {
            Some(reason) => Err(PortError::new(ErrorKind::Unavailable, "follow a projection", reason.clone())),
            None => Ok(lags),
        }
    }

    /// Resolves when every projection has come as far as the records are now.
    ///
    /// # Errors
    /// As [`Self::moving`].
    pub async fn caught_up(&self) -> PortResult<()> {
        self.reached(|_| true).await
    }

    /// Resolves when all but the vectors have come as far as the records are now: those may take minutes.
    ///
    /// # Errors
    /// As [`Self::moving`].
    pub async fn caught_up_but_vectors(&self) -> PortResult<()> {
        self.reached(|lag| lag.name != VECTORS).await
    }

    async fn reached(&self, counts: impl Fn(&ProjectionLag) -> bool) -> PortResult<()> {
        let target = self.services.records.last_seq().await?;
        while self.moving().await?.iter().any(|lag| counts(lag) && lag.checkpoint < target) {
            tokio::time::sleep(LOOK_EVERY).await;
        }
        Ok(())
    }

    /// Lets the projectors finish the batch in hand, within reason, then lets go of the folder. What is cut off is done again
    /// at the next start.
    pub async fn close(self) {
        if tokio::time::timeout(LAST_BATCH, self.projectors.stop()).await.is_err() {
            tracing::info!("a projection was cut off; it goes on at the next start");
            // what it was writing may still go on: nobody else may have the folder before the process has ended
            std::mem::forget(self.folder);
        }
    }
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> PortResult<T> + Send + 'static) -> PortResult<T> {
    tokio::task::spawn_blocking(work).await.map_err(PortError::internal("open an engine"))?
}

fn remove_folder(folder: &Path) -> Result<(), FolderError> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(FolderError::Unusable { folder: folder.to_owned(), source: error })
        }
        _ => Ok(()),
    }
}

/// Off the runtime's threads: reading and preparing the model takes a second.
async fn load_model(model: &Model) -> MaybeEmbedder {
    let Some(folder) = model.dir.clone() else {
        return Err("no folder of a model is configured; set CAIRN_MODEL_DIR".into());
    };
    let runtime = model.runtime.clone();
    let loading = blocking(move || match runtime {
        Some(runtime) => MiniLm::load_with(&folder, &runtime),
        None => MiniLm::load(&folder),
    });
    match loading.await {
        Ok(model) => Ok(Arc::new(model)),
        Err(error) => {
            tracing::warn!(%error, cause = %error.source, "semantic search is off");
            Err(error.source.to_string().into())
        }
    }
}
