//! all-MiniLM-L6-v2 through ONNX Runtime: 384 dimensions, 256 tokens.
//!
//! Texts go through the model one by one, side by side in as many sessions as there are cores: in batches of 32, padded to the
//! longest, they took a fifth more processor time and gigabytes of memory. A query so waits for one text at most, not for a batch.

mod runtime;
mod session;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use async_trait::async_trait;
use futures::{StreamExt, TryStreamExt, stream};
use tokenizers::{Tokenizer, TruncationParams};

use self::session::{Session, SessionPool};
use crate::ports::{Embedder, ErrorKind, PortError, PortResult, embedder::ModelIdentity};

const DIMENSION: usize = 384;
/// The model was trained on no more; <https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2>.
const MAX_TOKENS: usize = 256;
/// A session takes 95 MB.
const MAX_SESSIONS: usize = 4;

pub struct MiniLm {
    model: ModelIdentity,
    tokenizer: Arc<Tokenizer>,
    sessions: SessionPool,
}

impl MiniLm {
    /// Loads `model.onnx` and `tokenizer.json` of a folder with the ONNX Runtime library beside them. Takes about a second.
    ///
    /// # Errors
    /// `NotFound` with a sentence that says what to do when a file is missing; `Incompatible` for another model.
    pub fn load(model_dir: &Path) -> PortResult<Self> {
        let library = format!("{}onnxruntime{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
        Self::load_with(model_dir, &model_dir.join(library))
    }

    /// The same with the library at another path; the first one loaded serves the whole process.
    ///
    /// # Errors
    /// As [`MiniLm::load`].
    pub fn load_with(model_dir: &Path, library: &Path) -> PortResult<Self> {
        let model_file = present(model_dir.join("model.onnx"), "CAIRN_MODEL_DIR")?;
        let tokenizer_file = present(model_dir.join("tokenizer.json"), "CAIRN_MODEL_DIR")?;
        let environment = runtime::environment(&present(library.to_owned(), "ORT_DYLIB_PATH")?)?;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Self {
            model: ModelIdentity { name: "all-MiniLM-L6-v2-int8".to_owned(), dimension: DIMENSION },
            tokenizer: Arc::new(tokenizer(&tokenizer_file)?),
            sessions: SessionPool::load(&environment, &model_file, cores.min(MAX_SESSIONS))?,
        })
    }

    /// Runs on a thread for blocking work, for milliseconds.
    async fn vector(&self, text: String) -> PortResult<Vec<f32>> {
        if text.trim().is_empty() {
            return Err(PortError::new(ErrorKind::Invalid, "minilm: embed", "the text is empty"));
        }
        let tokenizer = Arc::clone(&self.tokenizer);
        let work = move |session: &mut Session| {
            let encoding = tokenizer.encode_fast(text, true).map_err(PortError::internal("minilm: tokens"))?;
            session.embed(encoding.get_ids(), DIMENSION)
        };
        self.sessions.run(work).await
    }
}

#[async_trait]
impl Embedder for MiniLm {
    fn model(&self) -> &ModelIdentity {
        &self.model
    }

    async fn embed(&self, texts: &[String]) -> PortResult<Vec<Vec<f32>>> {
        let vectors = texts.iter().map(|text| self.vector(text.clone())).collect::<Vec<_>>();
        stream::iter(vectors).buffered(self.sessions.size()).try_collect().await
    }

    async fn embed_query(&self, text: &str) -> PortResult<Vec<f32>> {
        self.vector(text.to_owned()).await
    }
}

fn present(file: PathBuf, variable: &str) -> PortResult<PathBuf> {
    if file.is_file() {
        return Ok(file);
    }
    let what_to_do = format!("{} is missing; run scripts/model.sh, or set {variable} to where it is", file.display());
    Err(PortError::new(ErrorKind::NotFound, "minilm: load", what_to_do))
}

/// The file carries the settings of another use: padding to 128 tokens and a cut there.
fn tokenizer(file: &Path) -> PortResult<Tokenizer> {
    let operation = "minilm: load the tokenizer";
    let mut tokenizer = Tokenizer::from_file(file).map_err(|error| PortError::new(ErrorKind::Incompatible, operation, error))?;
    tokenizer.with_padding(None);
    let truncation = TruncationParams { max_length: MAX_TOKENS, ..TruncationParams::default() };
    tokenizer.with_truncation(Some(truncation)).map_err(PortError::internal(operation))?;
    Ok(tokenizer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::embedder::{self, cosine};

    fn installed() -> Option<MiniLm> {
        crate::testing::model_dir().map(|folder| MiniLm::load(&folder).unwrap())
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn it_is_an_embedder() {
        let Some(model) = installed() else { return };
        embedder::conforms(&model).await;
    }

    /// The values come from the same model file run by the Python packages `onnxruntime` 1.32.0 and `tokenizers`.
    #[tokio::test(flavor = "multi_thread")]
    async fn it_agrees_with_another_program() {
        let Some(model) = installed() else { return };
        let texts = ["lake ice thickness", "How thick is the ice on lakes?", "stock market prices"].map(str::to_owned);
        let vectors = model.embed(&texts).await.unwrap();
        for (value, expected) in
            vectors[0].iter().zip([-0.085_898_79, 0.003_193_72, 0.011_938_99, -0.003_284_06, -0.007_947_83, -0.066_221_48])
        {
            assert!((value - expected).abs() < 1e-4, "{value} is not {expected}");
        }
        assert!((cosine(&vectors[0], &vectors[1]) - 0.9003).abs() < 1e-3);
        assert!((cosine(&vectors[0], &vectors[2]) - 0.0243).abs() < 1e-3);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_long_text_counts_to_its_256th_token() {
        let Some(model) = installed() else { return };
        // [CLS], 254 words of one token each, [SEP]
        let long = "ice ".repeat(254);
        let vector = model.embed_query(&long).await.unwrap();
        let longer = model.embed_query(&format!("{long} and now to tomato soup")).await.unwrap();
        let shorter = model.embed_query(&"ice ".repeat(100)).await.unwrap();
        assert!(cosine(&vector, &longer) > 0.9999);
        assert!(cosine(&vector, &shorter) < 0.9999);
    }

    #[test]
    fn a_missing_file_says_what_to_do() {
        let empty = tempfile::tempdir().unwrap();
        let error = MiniLm::load(empty.path()).err().unwrap();
        assert_eq!(error.kind, ErrorKind::NotFound);
        let sentence = error.source.to_string();
        assert!(
            sentence.ends_with("model.onnx is missing; run scripts/model.sh, or set CAIRN_MODEL_DIR to where it is"),
            "{sentence}"
        );
    }
}
