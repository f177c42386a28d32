//! The embedded engines without a web server.

use std::{path::Path, sync::Arc};

use anyhow::{Context, Result};
use pipeline::{
    catalog::{self, projection},
    engines::{embedded, minilm::MiniLm},
    ports::{Embedder, search_index::IndexPart},
    services::Services,
};

pub struct Embedded {
    pub services: Services,
}

impl Embedded {
    /// Over a data folder; the model's files are where `CAIRN_MODEL_DIR` says.
    pub async fn open(folder: &Path) -> Result<Self> {
        let model: Result<Arc<dyn Embedder>, Arc<str>> = match std::env::var_os("CAIRN_MODEL_DIR") {
            None => Err("set CAIRN_MODEL_DIR, as `source scripts/env.sh` does".into()),
            Some(dir) => MiniLm::load(Path::new(&dir))
                .map(|model| Arc::new(model) as Arc<dyn Embedder>)
                .map_err(|error| error.source.to_string().into()),
        };
        let services = embedded::open(folder, model).await.context("the engines could not be opened")?;
        Ok(Self { services })
    }

    /// Lets every projection come as far as the records.
    pub async fn catch_up(&self) -> Result<()> {
        projection::catch_up(&self.services).await?;
        Ok(())
    }

    /// The same for all but the vectors.
    pub async fn catch_up_without_vectors(&self) -> Result<()> {
        let without = Services { embedder: Err("not wanted".into()), ..self.services.clone() };
        projection::catch_up(&without).await?;
        anyhow::ensure!(
            self.services.index.checkpoint(IndexPart::Text).await? == self.services.records.last_seq().await?,
            "the text part lags"
        );
        Ok(())
    }

    pub async fn import(&self, file: &Path) -> Result<()> {
        let options = catalog::ImportOptions { suggestions: false, ..catalog::ImportOptions::default() };
        catalog::import_file(&*self.services.records, &*self.services.geocoder, file, &options, &|_| {}).await?;
        Ok(())
    }
}
