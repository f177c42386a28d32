//! Vectors that need not be computed again: of queries in memory, of documents in a store.

use std::sync::Arc;

use async_trait::async_trait;
use moka::future::Cache;
use sha2::{Digest, Sha256};

use crate::ports::{Embedder, ErrorKind, PortError, PortResult, embedder::ModelIdentity};

/// 15 MB of vectors of 384 dimensions.
const QUERIES_KEPT: u64 = 10_000;

/// A text and the model it is embedded by: SHA-256, in hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct VectorKey(String);

impl VectorKey {
    pub fn new(model: &ModelIdentity, text: &str) -> Self {
        let mut hash = Sha256::new();
        hash.update(model.name.as_bytes());
        // no name holds a NUL, so no two pairs of model and text run together
        hash.update([0]);
        hash.update(model.dimension.to_le_bytes());
        hash.update(text.as_bytes());
        Self(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Where vectors of documents are kept for good.
#[async_trait]
pub trait VectorStore: Send + Sync {
    /// One entry per key, in order.
    async fn get(&self, keys: &[VectorKey]) -> PortResult<Vec<Option<Vec<f32>>>>;

    async fn put(&self, vectors: &[(VectorKey, Vec<f32>)]) -> PortResult<()>;
}

/// Remembers what the embedder behind it has computed. The same query asked twice at once is computed once.
pub struct CachedEmbedder {
    inner: Arc<dyn Embedder>,
    queries: Cache<VectorKey, Arc<[f32]>>,
    documents: Arc<dyn VectorStore>,
}

impl CachedEmbedder {
    pub fn new(inner: Arc<dyn Embedder>, documents: Arc<dyn VectorStore>) -> Self {
        Self { inner, queries: Cache::new(QUERIES_KEPT), documents }
    }

    /// A store that fails costs time, not the answer.
    async fn stored(&self, keys: &[VectorKey]) -> Vec<Option<Vec<f32>>> {
        match self.documents.get(keys).await {
            Ok(vectors) => vectors,
            Err(error) => {
                tracing::warn!(%error, source = %error.source, "the vector cache cannot be read; vectors are computed anew");
                vec![None; keys.len()]
            }
        }
    }

    async fn store(&self, vectors: &[(VectorKey, Vec<f32>)]) {
        if let Err(error) = self.documents.put(vectors).await {
            tracing::warn!(%error, source = %error.source, "the vector cache cannot be written");
        }
    }
}

#[async_trait]
impl Embedder for CachedEmbedder {
    fn model(&self) -> &ModelIdentity {
        self.inner.model()
    }

    async fn embed(&self, texts: &[String]) -> PortResult<Vec<Vec<f32>>> {
        let keys: Vec<VectorKey> = texts.iter().map(|text| VectorKey::new(self.model(), text)).collect();
        let mut vectors = self.stored(&keys).await;
        for vector in &mut vectors {
            // cut off by a crash of the machine, perhaps
            vector.take_if(|vector| vector.len() != self.model().dimension);
        }
        let missing: Vec<String> =
            texts.iter().zip(&vectors).filter(|(_, vector)| vector.is_none()).map(|(text, _)| text.clone()).collect();
        if !missing.is_empty() {
            let computed = self.inner.embed(&missing).await?;
            let mut fresh = Vec::with_capacity(computed.len());
            let gaps = keys.into_iter().zip(&mut vectors).filter(|(_, vector)| vector.is_none());
            for ((key, gap), vector) in gaps.zip(computed) {
                fresh.push((key, vector.clone()));
                *gap = Some(vector);
            }
            self.store(&fresh).await;
        }
        let complete: Option<Vec<Vec<f32>>> = vectors.into_iter().collect();
        complete.ok_or_else(|| PortError::new(ErrorKind::Internal, "embed", "the model returned fewer vectors than texts"))
    }

    async fn embed_query(&self, text: &str) -> PortResult<Vec<f32>> {
        let key = VectorKey::new(self.model(), text);
        let compute = async { self.inner.embed_query(text).await.map(Arc::from) };
        match self.queries.try_get_with(key, compute).await {
            Ok(vector) => Ok(vector.to_vec()),
            // several callers may share this failure, so it cannot be handed on itself
            Err(error) => Err(PortError::new(error.kind, error.operation, error.source.to_string())),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::HashMap, sync::Mutex};

    use super::*;
    use crate::testing::{embedder, fakes::HashEmbedder};

    #[derive(Default)]
    struct MemoryStore {
        vectors: Mutex<HashMap<String, Vec<f32>>>,
        is_down: bool,
    }

    #[async_trait]
    impl VectorStore for MemoryStore {
        async fn get(&self, keys: &[VectorKey]) -> PortResult<Vec<Option<Vec<f32>>>> {
            if self.is_down {
                return Err(PortError::new(ErrorKind::Unavailable, "store", "down"));
            }
            let vectors = self.vectors.lock().unwrap();
            Ok(keys.iter().map(|key| vectors.get(key.as_str()).cloned()).collect())
        }

        async fn put(&self, vectors: &[(VectorKey, Vec<f32>)]) -> PortResult<()> {
            if self.is_down {
                return Err(PortError::new(ErrorKind::Unavailable, "store", "down"));
            }
            self.vectors.lock().unwrap().extend(vectors.iter().map(|(key, vector)| (key.as_str().to_owned(), vector.clone())));
            Ok(())
        }
    }

    fn cached(is_down: bool) -> (Arc<HashEmbedder>, Arc<MemoryStore>, CachedEmbedder) {
        let inner = Arc::new(HashEmbedder::default());
        let store = Arc::new(MemoryStore { is_down, ..MemoryStore::default() });
        (inner.clone(), store.clone(), CachedEmbedder::new(inner, store))
    }

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    #[tokio::test]
    async fn the_cache_is_an_embedder() {
        embedder::conforms(&cached(false).2).await;
        embedder::conforms(&cached(true).2).await;
    }

    #[tokio::test]
    async fn documents_are_computed_once_and_keep_their_order() {
        let (inner, store, cached) = cached(false);
        let first = cached.embed(&texts(&["lake ice", "sea ice"])).await.unwrap();
        let again = cached.embed(&texts(&["sea ice", "river ice", "lake ice"])).await.unwrap();
        assert_eq!(again[2], first[0]);
        assert_eq!(again[0], first[1]);
        assert_eq!(inner.computed(), 3);
        assert_eq!(store.vectors.lock().unwrap().len(), 3);
    }

    #[tokio::test]
    async fn a_query_is_computed_once_and_never_stored() {
        let (inner, store, cached) = cached(false);
        let (first, second) = tokio::join!(cached.embed_query("lake ice"), cached.embed_query("lake ice"));
        assert_eq!(first.unwrap(), second.unwrap());
        assert_eq!(inner.computed(), 1);
        assert!(store.vectors.lock().unwrap().is_empty());
        // a failure is not remembered
        assert_eq!(cached.embed_query(" ").await.unwrap_err().kind, ErrorKind::Invalid);
        assert_eq!(cached.embed_query(" ").await.unwrap_err().kind, ErrorKind::Invalid);
    }

    #[test]
    fn a_key_holds_the_model() {
        let model = |name: &str, dimension| ModelIdentity { name: name.to_owned(), dimension };
        let key = VectorKey::new(&model("a", 384), "text");
        assert_eq!(key, VectorKey::new(&model("a", 384), "text"));
        assert_ne!(key, VectorKey::new(&model("b", 384), "text"));
        assert_ne!(key, VectorKey::new(&model("a", 512), "text"));
        assert_ne!(key, VectorKey::new(&model("a", 384), "Text"));
    }
}
