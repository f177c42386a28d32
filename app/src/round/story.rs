//! The log of a round as pages tell it, event by event. Fields of `data` that are missing or unknown are passed over: logs
//! outlive versions.

mod attempts;
mod notes;
mod trace;

use pipeline::model::{
    element::ElementId,
    results::ResultItem,
    round::{Answer, References, RoundError, Stage, StageStatus, TraceEvent},
};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;

pub use attempts::{Attempt, Check};
pub use trace::{CallLine, FusionLine, MethodLine, StageLine, Trace};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Story {
    pub reading: Option<Reading>,
    pub answer: Option<Answer>,
    /// The n-th card is what `[n]` cites.
    pub references: Vec<ResultItem>,
    pub error: Option<RoundError>,
    /// The stage that was at work last.
    pub stage: Option<Stage>,
    pub trace: Trace,
}

/// How the question was read.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Reading {
    #[serde(default)]
    pub rewritten: Option<String>,
    #[serde(default)]
    pub because: String,
}

impl Story {
    pub fn read<'a>(events: impl IntoIterator<Item = &'a TraceEvent>) -> Self {
        let mut story = Self::default();
        for event in events {
            story.take(event);
        }
        story
    }

    pub fn take(&mut self, event: &TraceEvent) {
        match event.stage {
            Stage::Memory => self.reading = read(&event.data).or(self.reading.take()),
            Stage::Answer => self.answer = read(&event.data).or(self.answer.take()),
            Stage::References => {
                if let Some(References { items }) = read(&event.data) {
                    self.references = items;
                }
            }
            Stage::Error => self.error = read(&event.data).or(self.error.take()),
            _ => {}
        }
        self.stage = Some(event.stage);
        self.trace.take(event);
    }
}

/// A piece of a draft: such an event changes nothing else.
pub fn is_delta(event: &TraceEvent) -> bool {
    event.stage == Stage::Generation && event.status == StageStatus::Progress
}

/// What is being written: a new attempt takes the place of the one before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    pub attempt: u64,
    pub text: String,
}

impl Draft {
    pub fn read<'a>(events: impl IntoIterator<Item = &'a TraceEvent>) -> Self {
        let mut draft = Self::default();
        for event in events {
            draft.take(event);
        }
        draft
    }

    /// Whether the event was about the draft.
    pub fn take(&mut self, event: &TraceEvent) -> bool {
        if event.stage != Stage::Generation {
            return false;
        }
        let attempt = event.data.get("attempt").and_then(Value::as_u64).unwrap_or(self.attempt);
        if event.status == StageStatus::Started || attempt != self.attempt {
            *self = Self { attempt, text: String::new() };
        }
        match (event.status, text(&event.data, "text")) {
            (StageStatus::Progress, Some(delta)) => self.text.push_str(delta),
            // the whole, once more
            (_, Some(whole)) => whole.clone_into(&mut self.text),
            _ => {}
        }
        true
    }
}

/// The name of an element among the cards; its id where it is not among them.
pub fn title_of(references: &[ResultItem], id: &ElementId) -> String {
    references.iter().find(|item| item.id == *id).map_or_else(|| id.to_string(), |item| item.title.clone())
}

/// By way of text: reading from text is what the browser's program holds already, for every type.
fn read<T: DeserializeOwned>(data: &Value) -> Option<T> {
    serde_json::from_str(&data.to_string()).ok()
}

fn text<'a>(data: &'a Value, name: &str) -> Option<&'a str> {
    data.get(name).and_then(Value::as_str)
}

#[cfg(test)]
mod tests;
