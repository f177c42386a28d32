//! Text to vectors.

use async_trait::async_trait;

use super::PortResult;

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

    /// One unit vector per text, in order. Longer texts are cut at the model's own limit. Empty text is `Invalid`.
    async fn embed(&self, texts: &[String]) -> PortResult<Vec<Vec<f32>>>;
}
