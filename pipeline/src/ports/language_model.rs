//! Text from a language model. What a model returns is never an error: each way a call can end is an [`Outcome`].

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::mpsc;

use crate::model::round::{ModelCall, Outcome};

/// What a call is for. Each task has its own model, temperature, budgets and timeout in the configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Task {
    /// Follow-up, intent, methods, filters and sub-questions in one call.
    Plan,
    /// The next action of the reasoning loop.
    Reason,
    /// Relevance and kind of one candidate.
    Grade,
    /// The answer.
    Write,
    /// Whether claims are supported, whether the question is answered.
    Check,
}

impl Task {
    pub const ALL: [Self; 5] = [Self::Plan, Self::Reason, Self::Grade, Self::Write, Self::Check];

    pub fn name(self) -> &'static str {
        match self {
            Self::Plan => "plan",
            Self::Reason => "reason",
            Self::Grade => "grade",
            Self::Write => "write",
            Self::Check => "check",
        }
    }
}

/// One of something for each task.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PerTask<T> {
    pub plan: T,
    pub reason: T,
    pub grade: T,
    pub write: T,
    pub check: T,
}

impl<T> PerTask<T> {
    /// # Errors
    /// The first of `make`.
    pub fn try_make<E>(mut make: impl FnMut(Task) -> Result<T, E>) -> Result<Self, E> {
        Ok(Self {
            plan: make(Task::Plan)?,
            reason: make(Task::Reason)?,
            grade: make(Task::Grade)?,
            write: make(Task::Write)?,
            check: make(Task::Check)?,
        })
    }

    pub fn get(&self, task: Task) -> &T {
        match task {
            Task::Plan => &self.plan,
            Task::Reason => &self.reason,
            Task::Grade => &self.grade,
            Task::Write => &self.write,
            Task::Check => &self.check,
        }
    }
}

/// How much a task may read and write, in tokens of its model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    pub prompt_tokens: usize,
    pub completion_tokens: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    System,
    User,
    Assistant,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    pub role: Role,
    pub content: String,
}

/// One call.
#[derive(Clone, Debug, PartialEq)]
pub struct Prompt {
    pub task: Task,
    pub messages: Vec<Message>,
    /// The reply is JSON of this schema, by its name.
    pub schema: Option<(&'static str, Value)>,
}

/// What came back.
#[derive(Clone, Debug, PartialEq)]
pub struct Completion {
    /// Without reasoning tags. Of use only where the outcome is [`Outcome::Text`]; kept otherwise for the repair.
    pub text: String,
    /// For the trace; its outcome is the call's.
    pub call: ModelCall,
}

impl Completion {
    /// The text of a call that ended well.
    pub fn text(&self) -> Option<&str> {
        (self.call.outcome == Outcome::Text).then_some(self.text.as_str())
    }
}

#[async_trait]
pub trait LanguageModel: Send + Sync {
    fn budget(&self, task: Task) -> Budget;

    /// Calls the model once. Where `deltas` is given the text is also sent piece by piece as it comes, free of reasoning tags.
    /// With a schema a reply that is not JSON is [`Outcome::Invalid`]. Dropping the future ends the call at the model server.
    async fn complete(&self, prompt: &Prompt, deltas: Option<mpsc::Sender<String>>) -> Completion;

    /// Whether the model answers at all.
    ///
    /// # Errors
    /// `Unavailable` or `TimedOut` with the reason.
    async fn ready(&self) -> super::PortResult<()>;
}
