//! Text to vectors.

use async_trait::async_trait;

use super::{ErrorKind, PortError, PortResult};

/// Vectors of different models are never mixed: this is part of every cache key and of the index's state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ModelIdentity {
    /// Such as `all-MiniLM-L6-v2-int8`.
    pub name: String,
    pub dimension: usize,
}

#[async_trait]
pub trait Embedder: Send + Sync {
    fn model(&self) -> &ModelIdentity;

    /// One unit vector per text, in order: texts that are found. Longer texts are cut at the model's own limit. Empty text
    /// is `Invalid`.
    async fn embed(&self, texts: &[String]) -> PortResult<Vec<Vec<f32>>>;

    /// The unit vector of a text that is looked for. It does not wait behind batches, and it is cached in memory only:
    /// what people ask is written nowhere.
    async fn embed_query(&self, text: &str) -> PortResult<Vec<f32>> {
        let vectors = self.embed(&[text.to_owned()]).await?;
        vectors.into_iter().next().ok_or_else(|| PortError::new(ErrorKind::Internal, "embed a query", "no vector came back"))
    }
}
