//! Language models behind any OpenAI-compatible server; vLLM is the reference.
//!
//! The time limits are here and not in a decorator: what had been written when the time was up, and the tokens it took, belong to
//! the outcome.

mod client;
mod fault;
mod reasoning;
mod reply;
mod wire;

use std::time::Duration;

use async_openai::Client;
use async_trait::async_trait;
use futures::StreamExt;
use secrecy::SecretString;
use serde_json::Value;
use tokio::{sync::mpsc, time::timeout};

use crate::{
    model::round::Outcome,
    ports::{
        ErrorKind, LanguageModel, PortError, PortResult,
        language_model::{Budget, Completion, PerTask, Prompt, Task},
    },
};
use client::Endpoint;
use fault::Fault;
use reply::Reply;

/// How long [`LanguageModel::ready`] waits.
const READY: Duration = Duration::from_secs(2);
/// The text is whole; only the count of tokens may still come.
const AFTERWORD: Duration = Duration::from_secs(1);

/// How one task is done.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskSettings {
    /// Such as `http://127.0.0.1:8000/v1`.
    pub base_url: String,
    pub model: String,
    /// 0 to 2.
    pub temperature: f32,
    pub budget: Budget,
    /// For the whole call.
    pub timeout: Duration,
    /// For the next piece of the reply, the first one included.
    pub idle_timeout: Duration,
}

pub struct OpenAi {
    tasks: PerTask<Served>,
}

struct Served {
    settings: TaskSettings,
    client: Client<Endpoint>,
}

impl OpenAi {
    /// Connects to nothing yet.
    ///
    /// # Errors
    /// `Invalid` where the key cannot stand in a header; `Internal` where the system's certificates cannot be read.
    pub fn new(settings: &PerTask<TaskSettings>, api_key: Option<&SecretString>) -> PortResult<Self> {
        let http = client::http()?;
        let tasks = PerTask::try_make(|task| {
            let settings = settings.get(task).clone();
            let client = client::client(&http, &settings.base_url, api_key)?;
            Ok(Served { settings, client })
        })?;
        Ok(Self { tasks })
    }
}

impl Served {
    async fn stream(&self, prompt: &Prompt, reply: &mut Reply) -> Result<(), Fault> {
        let idle = self.settings.idle_timeout;
        let silent = |_| Fault::timed_out(format!("nothing came for {} s", idle.as_secs_f32()));
        let request = wire::Request::new(&self.settings, prompt);
        let chat = self.client.chat();
        let opened = timeout(idle, chat.create_stream_byot::<_, wire::Chunk>(request)).await.map_err(silent)?;
        let mut chunks = opened?;
        while !reply.is_finished() {
            match timeout(idle, chunks.next()).await.map_err(silent)? {
                Some(chunk) => reply.take(chunk?).await?,
                None => return Err(Fault::failed("the stream ended before the reply did")),
            }
        }
        while let Ok(Some(Ok(chunk))) = timeout(AFTERWORD, chunks.next()).await {
            if reply.take(chunk).await.is_err() {
                break;
            }
        }
        Ok(())
    }

    async fn ready(&self) -> PortResult<()> {
        const OPERATION: &str = "language model: ready";
        let models = self.client.models();
        match timeout(READY, models.list_byot::<Value>()).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(PortError::new(ErrorKind::Unavailable, OPERATION, Fault::from(error).reason)),
            Err(_) => Err(PortError::new(ErrorKind::TimedOut, OPERATION, format!("no answer within {} s", READY.as_secs()))),
        }
    }
}

#[async_trait]
impl LanguageModel for OpenAi {
    fn budget(&self, task: Task) -> Budget {
        self.tasks.get(task).settings.budget
    }

    async fn complete(&self, prompt: &Prompt, deltas: Option<mpsc::Sender<String>>) -> Completion {
        let served = self.tasks.get(prompt.task);
        let mut reply = Reply::start(deltas);
        let limit = served.settings.timeout;
        let ended = match timeout(limit, served.stream(prompt, &mut reply)).await {
            Ok(ended) => ended,
            Err(_) if reply.is_finished() => Ok(()),
            Err(_) => Err(Fault::timed_out(format!("the reply was not whole after {} s", limit.as_secs_f32()))),
        };
        if let Err(fault) = &ended
            && fault.outcome != Outcome::Refused
        {
            tracing::warn!(task = prompt.task.name(), reason = fault.reason, "a call of the language model failed");
        }
        reply.complete(&served.settings.model, ended, prompt.schema.is_some())
    }

    async fn ready(&self) -> PortResult<()> {
        let mut asked: Vec<&str> = Vec::new();
        for task in Task::ALL {
            let served = self.tasks.get(task);
            if !asked.contains(&served.settings.base_url.as_str()) {
                served.ready().await?;
                asked.push(&served.settings.base_url);
            }
        }
        Ok(())
    }
}
