//! The language model as the stages of one round see it: calls are counted against the round's allowance, end at its
//! deadline, and are reported.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Instant,
};

use schemars::{JsonSchema, generate::SchemaSettings};
use serde::de::DeserializeOwned;
use tokio::sync::mpsc;

use crate::{
    model::round::{ModelCall, Outcome},
    ports::{
        LanguageModel,
        language_model::{Budget, Completion, Message, Prompt, Role, Task},
    },
};

pub struct Calls<'a> {
    model: &'a dyn LanguageModel,
    deadline: Instant,
    allowance: usize,
    made: AtomicUsize,
}

/// A structured reply, if one came, and the calls it took.
pub struct Structured<T> {
    pub value: Option<T>,
    pub calls: Vec<ModelCall>,
}

impl<'a> Calls<'a> {
    pub fn new(model: &'a dyn LanguageModel, deadline: Instant, allowance: usize) -> Self {
        Self { model, deadline, allowance, made: AtomicUsize::new(0) }
    }

    pub fn budget(&self, task: Task) -> Budget {
        self.model.budget(task)
    }

    /// Calls that may still be made.
    pub fn left(&self) -> usize {
        self.allowance.saturating_sub(self.made.load(Ordering::Relaxed))
    }

    /// One text, streamed.
    pub async fn text(&self, task: Task, messages: Vec<Message>, deltas: mpsc::Sender<String>) -> Completion {
        self.call(&Prompt { task, messages, schema: None }, Some(deltas)).await
    }

    /// One object. A reply that is empty, cut off or of another shape is asked for once more; a model that does not answer is
    /// not.
    pub async fn structured<T: DeserializeOwned + JsonSchema>(&self, task: Task, messages: Vec<Message>) -> Structured<T> {
        let schema = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true).into_generator();
        let schema = Some((task.name(), schema.into_root_schema_for::<T>().to_value()));
        let mut prompt = Prompt { task, messages, schema };
        let mut calls = Vec::new();
        for attempt in 0..2 {
            let mut completion = self.call(&prompt, None).await;
            let value = completion.text().and_then(|text| serde_json::from_str(text).ok());
            if completion.call.outcome == Outcome::Text && value.is_none() {
                completion.call.outcome = Outcome::Invalid;
            }
            let repairable = matches!(completion.call.outcome, Outcome::Empty | Outcome::CutOff | Outcome::Invalid);
            calls.push(completion.call);
            if value.is_some() || !repairable || attempt > 0 || self.left() == 0 {
                return Structured { value, calls };
            }
            let repair = "That was not one JSON object of the schema. Reply with the object alone, as short as it can be.";
            prompt.messages.push(Message { role: Role::User, content: repair.to_owned() });
        }
        Structured { value: None, calls }
    }

    async fn call(&self, prompt: &Prompt, deltas: Option<mpsc::Sender<String>>) -> Completion {
        self.made.fetch_add(1, Ordering::Relaxed);
        let started = Instant::now();
        match tokio::time::timeout_at(self.deadline.into(), self.model.complete(prompt, deltas)).await {
            Ok(completion) => completion,
            Err(_) => Completion {
                text: String::new(),
                call: ModelCall {
                    model: String::new(),
                    prompt_tokens: 0,
                    completion_tokens: 0,
                    elapsed_ms: started.elapsed().as_secs_f64() * 1_000.0,
                    first_token_ms: None,
                    outcome: Outcome::TimedOut,
                },
            },
        }
    }
}
