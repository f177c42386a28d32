//! A language model that says what it was told to say.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Mutex, PoisonError},
};

use async_trait::async_trait;
use tokio::sync::mpsc;

use crate::{
    model::round::{ModelCall, Outcome},
    ports::{
        LanguageModel, PortResult,
        language_model::{Budget, Completion, Prompt, Task},
    },
};

/// Replies by task, in order; the last one is repeated. A task without replies fails as a server would that is down.
#[derive(Default)]
pub struct ScriptedModel {
    replies: Mutex<HashMap<Task, VecDeque<(Outcome, String)>>>,
    prompts: Mutex<Vec<Prompt>>,
}

impl ScriptedModel {
    #[must_use]
    pub fn says(self, task: Task, text: &str) -> Self {
        self.ends(task, Outcome::Text, text)
    }

    #[must_use]
    pub fn ends(self, task: Task, outcome: Outcome, text: &str) -> Self {
        let mut replies = self.replies.lock().unwrap_or_else(PoisonError::into_inner);
        replies.entry(task).or_default().push_back((outcome, text.to_owned()));
        drop(replies);
        self
    }

    /// The prompts so far, in order.
    pub fn prompts(&self) -> Vec<Prompt> {
        self.prompts.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn next(&self, task: Task) -> (Outcome, String) {
        let mut replies = self.replies.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(queue) = replies.get_mut(&task) else { return (Outcome::Failed, String::new()) };
        let next = if queue.len() > 1 { queue.pop_front() } else { queue.front().cloned() };
        next.unwrap_or((Outcome::Failed, String::new()))
    }
}

#[async_trait]
impl LanguageModel for ScriptedModel {
    fn budget(&self, _: Task) -> Budget {
        Budget { prompt_tokens: 3_000, completion_tokens: 400 }
    }

    async fn complete(&self, prompt: &Prompt, deltas: Option<mpsc::Sender<String>>) -> Completion {
        self.prompts.lock().unwrap_or_else(PoisonError::into_inner).push(prompt.clone());
        let (outcome, text) = self.next(prompt.task);
        if let Some(deltas) = deltas {
            for piece in text.split_inclusive(' ') {
                // nobody listens any more: the text is still whole below
                let _ = deltas.send(piece.to_owned()).await;
            }
        }
        let call = ModelCall {
            model: "scripted".to_owned(),
            prompt_tokens: 1,
            completion_tokens: 1,
            elapsed_ms: 0.0,
            first_token_ms: None,
            outcome,
        };
        Completion { text, call }
    }

    async fn ready(&self) -> PortResult<()> {
        Ok(())
    }
}
