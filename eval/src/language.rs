//! A language model by its address alone.

use std::{sync::Arc, time::Duration};

use anyhow::{Context, Result};
use pipeline::{
    engines::openai::{OpenAi, TaskSettings},
    ports::{
        LanguageModel,
        language_model::{Budget, PerTask},
    },
};
use serde_json::Value;

/// The first model of an OpenAI-compatible server such as `http://127.0.0.1:8000/v1`, for every task, by its own name.
///
/// # Errors
/// A server that does not answer or serves none.
pub async fn model_at(base_url: &str, deadline: Duration) -> Result<(String, Arc<dyn LanguageModel>)> {
    let base_url = base_url.trim_end_matches('/');
    let models: Value = reqwest::get(format!("{base_url}/models"))
        .await
        .and_then(reqwest::Response::error_for_status)
        .with_context(|| format!("no model server answers at {base_url}"))?
        .json()
        .await?;
    let name = models.pointer("/data/0/id").and_then(Value::as_str).with_context(|| format!("{base_url} serves no model"))?;
    let settings = PerTask::try_make(|_| {
        anyhow::Ok(TaskSettings {
            base_url: base_url.to_owned(),
            model: name.to_owned(),
            temperature: 0.0,
            budget: Budget { prompt_tokens: 6_000, completion_tokens: 800 },
            timeout: deadline,
            idle_timeout: deadline,
        })
    })?;
    Ok((name.to_owned(), Arc::new(OpenAi::new(&settings, None)?)))
}
