//! Which language model answers questions, and how.

use pipeline::ports::language_model::{PerTask, Task};
use serde::{Deserialize, Serialize};

use super::Secret;

/// Any OpenAI-compatible server; vLLM with Qwen2.5-7B-Instruct is the reference. Without one rules plan and answers are extracted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Language {
    /// Such as `http://127.0.0.1:8000/v1`. `CAIRN_LANGUAGE_BASE_URL`, default none: no language model.
    pub base_url: Option<String>,
    /// The name the server knows the model by. `CAIRN_LANGUAGE_MODEL`, default none.
    pub model: Option<String>,
    /// Sent to every model server, shown nowhere. `CAIRN_LANGUAGE_API_KEY`, default none.
    pub api_key: Option<Secret>,
    /// 0 to 2. `CAIRN_LANGUAGE_TEMPERATURE`, default 0.
    pub temperature: f32,
    /// What a prompt may hold; with `completion_tokens` no more than the model's context. `CAIRN_LANGUAGE_PROMPT_TOKENS`,
    /// default 6000.
    pub prompt_tokens: usize,
    /// What a reply may hold. `CAIRN_LANGUAGE_COMPLETION_TOKENS`, default 800.
    pub completion_tokens: usize,
    /// For a whole call. `CAIRN_LANGUAGE_TIMEOUT_SECONDS`, default 60.
    pub timeout_seconds: u64,
    /// For the next piece of a reply, the first one included. `CAIRN_LANGUAGE_IDLE_TIMEOUT_SECONDS`, default 30.
    pub idle_timeout_seconds: u64,
    /// What is otherwise for one task: `[language.tasks.write]`, `CAIRN_LANGUAGE_TASKS_WRITE_MODEL`. The tasks are plan, reason,
    /// grade, write and check.
    pub tasks: PerTask<TaskOverrides>,
}

/// Where a task differs; what is not set holds as for all.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TaskOverrides {
    pub base_url: Option<String>,
    pub model: Option<String>,
    pub temperature: Option<f32>,
    pub prompt_tokens: Option<usize>,
    pub completion_tokens: Option<usize>,
    pub timeout_seconds: Option<u64>,
}

/// What holds for one task.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TaskLanguage<'a> {
    pub base_url: &'a str,
    pub model: &'a str,
    pub temperature: f32,
    pub prompt_tokens: usize,
    pub completion_tokens: usize,
    pub timeout_seconds: u64,
}

impl Default for Language {
    fn default() -> Self {
        Self {
            base_url: None,
            model: None,
            api_key: None,
            temperature: 0.0,
            prompt_tokens: 6000,
            completion_tokens: 800,
            timeout_seconds: 60,
            idle_timeout_seconds: 30,
            tasks: PerTask::default(),
        }
    }
}

impl Language {
    /// None without a language model.
    pub fn task(&self, task: Task) -> Option<TaskLanguage<'_>> {
        let own = self.tasks.get(task);
        let general = self.base_url.as_deref()?;
        Some(TaskLanguage {
            base_url: own.base_url.as_deref().unwrap_or(general),
            model: own.model.as_deref().or(self.model.as_deref())?,
            temperature: own.temperature.unwrap_or(self.temperature),
            prompt_tokens: own.prompt_tokens.unwrap_or(self.prompt_tokens),
            completion_tokens: own.completion_tokens.unwrap_or(self.completion_tokens),
            timeout_seconds: own.timeout_seconds.unwrap_or(self.timeout_seconds),
        })
    }
}
