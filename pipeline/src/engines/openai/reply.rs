//! A reply as it comes in, and how it ended.

use std::time::Instant;

use serde_json::Value;
use tokio::sync::mpsc;

use super::{
    fault::Fault,
    reasoning::WithoutReasoning,
    wire::{Chunk, Usage},
};
use crate::{
    model::round::{ModelCall, Outcome},
    ports::language_model::Completion,
};

pub(super) struct Reply {
    started: Instant,
    deltas: Option<mpsc::Sender<String>>,
    filter: WithoutReasoning,
    first_token_ms: Option<f64>,
    usage: Usage,
    refused: bool,
    finish_reason: Option<String>,
}

impl Reply {
    pub fn start(deltas: Option<mpsc::Sender<String>>) -> Self {
        Self {
            started: Instant::now(),
            deltas,
            filter: WithoutReasoning::default(),
            first_token_ms: None,
            usage: Usage::default(),
            refused: false,
            finish_reason: None,
        }
    }

    pub fn is_finished(&self) -> bool {
        self.finish_reason.is_some()
    }

    pub async fn take(&mut self, chunk: Chunk) -> Result<(), Fault> {
        if chunk.error.is_some() {
            return Err(Fault::failed("the server failed while the model was writing"));
        }
        self.usage = chunk.usage.unwrap_or(self.usage);
        let Some(choice) = chunk.choices.into_iter().next() else { return Ok(()) };
        self.refused |= choice.delta.refusal.is_some_and(|refusal| !refusal.is_empty());
        if let Some(content) = choice.delta.content {
            let shown = self.filter.push(&content);
            self.show(shown).await;
        }
        if choice.finish_reason.is_some() {
            let shown = self.filter.finish();
            self.show(shown).await;
            self.finish_reason = choice.finish_reason;
        }
        Ok(())
    }

    async fn show(&mut self, shown: String) {
        if shown.is_empty() {
            return;
        }
        let elapsed_ms = self.elapsed_ms();
        self.first_token_ms.get_or_insert(elapsed_ms);
        if let Some(deltas) = &self.deltas {
            // nobody listens any more: the text is still wanted
            let _ = deltas.send(shown).await;
        }
    }

    fn elapsed_ms(&self) -> f64 {
        self.started.elapsed().as_secs_f64() * 1000.0
    }

    pub fn complete(self, model: &str, ended: Result<(), Fault>, wants_json: bool) -> Completion {
        let mut text = self.filter.text().to_owned();
        if wants_json {
            text = without_fence(&text).to_owned();
        }
        let outcome = match ended {
            Err(fault) => fault.outcome,
            Ok(()) => self.outcome(&text, wants_json),
        };
        let call = ModelCall {
            model: model.to_owned(),
            prompt_tokens: self.usage.prompt_tokens,
            completion_tokens: self.usage.completion_tokens,
            elapsed_ms: self.elapsed_ms(),
            first_token_ms: self.first_token_ms,
            outcome,
        };
        Completion { text, call }
    }

    fn outcome(&self, text: &str, wants_json: bool) -> Outcome {
        let finish_reason = self.finish_reason.as_deref();
        if self.refused || finish_reason == Some("content_filter") {
            Outcome::Refused
        } else if finish_reason == Some("length") {
            Outcome::CutOff
        } else if text.is_empty() {
            Outcome::Empty
        } else if wants_json && !matches!(serde_json::from_str(text), Ok(Value::Object(_))) {
            Outcome::Invalid
        } else {
            Outcome::Text
        }
    }
}

/// JSON as servers write it that do not know schemas: in a fence of Markdown.
fn without_fence(text: &str) -> &str {
    let fenced = text.strip_prefix("```json").or_else(|| text.strip_prefix("```")).and_then(|text| text.strip_suffix("```"));
    fenced.unwrap_or(text).trim()
}
