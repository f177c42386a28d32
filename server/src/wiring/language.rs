//! The language model, where one is configured.

use std::{sync::Arc, time::Duration};

use pipeline::{
    engines::openai::{OpenAi, TaskSettings},
    guard::metering::Metered,
    ports::{
        LanguageModel, PortResult,
        language_model::{Budget, PerTask},
    },
};

use crate::config::Language;

/// Connects to nothing yet.
///
/// # Errors
/// The key cannot be sent, or the system's certificates cannot be read.
pub fn open(config: &Language) -> PortResult<Option<Arc<dyn LanguageModel>>> {
    let idle_timeout = Duration::from_secs(config.idle_timeout_seconds);
    let settings = PerTask::try_make(|task| {
        let task = config.task(task).ok_or(())?;
        Ok::<_, ()>(TaskSettings {
            base_url: task.base_url.to_owned(),
            model: task.model.to_owned(),
            temperature: task.temperature,
            budget: Budget { prompt_tokens: task.prompt_tokens, completion_tokens: task.completion_tokens },
            timeout: Duration::from_secs(task.timeout_seconds),
            idle_timeout,
        })
    });
    let Ok(settings) = settings else { return Ok(None) };
    let model: Arc<dyn LanguageModel> = Arc::new(OpenAi::new(&settings, config.api_key.as_ref().map(|key| key.value()))?);
    Ok(Some(Arc::new(Metered(model))))
}
