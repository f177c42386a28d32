//! An embedder without a model: every word is a pseudo-random direction, a text is the sum of its words. Texts that share
//! words are near each other, the same text has the same vector on every machine.

use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;

use crate::{
    ports::{Embedder, ErrorKind, PortError, PortResult, embedder::ModelIdentity},
    text::fold::fold,
};

pub struct HashEmbedder {
    model: ModelIdentity,
    computed: AtomicUsize,
}

impl HashEmbedder {
    pub fn new(dimension: usize) -> Self {
        Self { model: ModelIdentity { name: "hash".to_owned(), dimension }, computed: AtomicUsize::new(0) }
    }

    /// How many vectors were computed so far: what a cache in front saved can be seen.
    pub fn computed(&self) -> usize {
        self.computed.load(Ordering::Relaxed)
    }

    fn vector(&self, text: &str) -> PortResult<Vec<f32>> {
        if text.trim().is_empty() {
            return Err(PortError::new(ErrorKind::Invalid, "hash: embed", "there is no text"));
        }
        self.computed.fetch_add(1, Ordering::Relaxed);
        let mut vector = vec![0.0; self.model.dimension];
        for word in fold(text).split_whitespace() {
            // FNV-1a seeds a linear congruential generator (Knuth, MMIX)
            let mut state =
                word.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
            for value in &mut vector {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                *value += (state >> 40) as f32 / (1_u32 << 23) as f32 - 1.0;
            }
        }
        let norm = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
        Ok(vector.into_iter().map(|value| value / norm).collect())
    }
}

impl Default for HashEmbedder {
    fn default() -> Self {
        Self::new(384)
    }
}

#[async_trait]
impl Embedder for HashEmbedder {
    fn model(&self) -> &ModelIdentity {
        &self.model
    }

    async fn embed(&self, texts: &[String]) -> PortResult<Vec<Vec<f32>>> {
        texts.iter().map(|text| self.vector(text)).collect()
    }
}
