//! Sessions of the model: one text in, one vector out. A session serves one call at a time.

use std::{
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use ort::{environment::Environment, session::Session as OrtSession, value::TensorRef};
use tokio::sync::Semaphore;

use crate::ports::{ErrorKind, PortError, PortResult};

pub(super) struct Session(OrtSession);

impl Session {
    fn load(environment: &Environment, model_file: &Path) -> PortResult<Self> {
        let build = || OrtSession::builder(environment)?.with_intra_threads(1)?.commit_from_file(model_file);
        let incompatible =
            |error: ort::Error| PortError::new(ErrorKind::Incompatible, "minilm: load the model", error.to_string());
        build().map(Self).map_err(incompatible)
    }

    /// The mean of the token vectors, of length 1.
    pub fn embed(&mut self, tokens: &[u32], dimension: usize) -> PortResult<Vec<f32>> {
        let operation = "minilm: run the model";
        let ids: Vec<i64> = tokens.iter().map(|token| i64::from(*token)).collect();
        let (mask, types) = (vec![1_i64; ids.len()], vec![0_i64; ids.len()]);
        let tensor = |values| TensorRef::from_array_view(([1, ids.len()], values)).map_err(PortError::internal(operation));
        let inputs = ort::inputs![
            "input_ids" => tensor(ids.as_slice())?,
            "attention_mask" => tensor(mask.as_slice())?,
            "token_type_ids" => tensor(types.as_slice())?,
        ];
        let outputs = self.0.run(inputs).map_err(PortError::internal(operation))?;
        let hidden = outputs.get("last_hidden_state").map(|output| output.try_extract_tensor::<f32>());
        let Some(Ok((_, token_vectors))) = hidden else {
            return Err(PortError::new(ErrorKind::Incompatible, operation, "the model has no last_hidden_state of numbers"));
        };
        if token_vectors.len() != ids.len() * dimension {
            return Err(PortError::new(ErrorKind::Incompatible, operation, format!("the model has not {dimension} dimensions")));
        }
        Ok(unit_mean(token_vectors, dimension))
    }
}

fn unit_mean(token_vectors: &[f32], dimension: usize) -> Vec<f32> {
    let mut sum = vec![0.0_f32; dimension];
    for token_vector in token_vectors.chunks_exact(dimension) {
        for (total, value) in sum.iter_mut().zip(token_vector) {
            *total += value;
        }
    }
    let norm = sum.iter().map(|value| value * value).sum::<f32>().sqrt().max(f32::MIN_POSITIVE);
    sum.iter().map(|value| value / norm).collect()
}

/// Single-threaded sessions, used side by side.
pub(super) struct SessionPool {
    size: usize,
    free: Arc<Mutex<Vec<Session>>>,
    permits: Arc<Semaphore>,
}

impl SessionPool {
    pub fn load(environment: &Environment, model_file: &Path, sessions: usize) -> PortResult<Self> {
        let free: PortResult<Vec<Session>> = (0..sessions).map(|_| Session::load(environment, model_file)).collect();
        Ok(Self { size: sessions, free: Arc::new(Mutex::new(free?)), permits: Arc::new(Semaphore::new(sessions)) })
    }

    pub fn size(&self) -> usize {
        self.size
    }

    /// Waits for a free session and runs `work` with it on a thread for blocking work.
    ///
    /// Dropped while it waits, nothing runs; dropped later, the work runs to its end and then gives its session back.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Session) -> PortResult<T> + Send + 'static,
    ) -> PortResult<T> {
        let operation = "minilm: run the model";
        let permit = Arc::clone(&self.permits).acquire_owned().await.map_err(PortError::internal(operation))?;
        let free = Arc::clone(&self.free);
        let task = tokio::task::spawn_blocking(move || {
            let session = free.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let Some(mut session) = session else {
                return Err(PortError::new(ErrorKind::Internal, operation, "a session was lost to a panic"));
            };
            let result = work(&mut session);
            free.lock().unwrap_or_else(PoisonError::into_inner).push(session);
            drop(permit);
            result
        });
        task.await.map_err(PortError::internal(operation))?
    }
}
