//! What goes over the wire, no more than is used. Replies are read leniently: every server leaves out or adds something.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::TaskSettings;
use crate::ports::language_model::{Prompt, Role};

#[derive(Serialize)]
pub(super) struct Request<'a> {
    model: &'a str,
    messages: Vec<Message<'a>>,
    temperature: f32,
    max_tokens: usize,
    /// Always: a model stops when a stream is closed, not when somebody no longer waits for a whole reply.
    stream: bool,
    stream_options: StreamOptions,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<ResponseFormat<'a>>,
}

#[derive(Serialize)]
struct Message<'a> {
    role: &'static str,
    content: &'a str,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

#[derive(Serialize)]
struct ResponseFormat<'a> {
    r#type: &'static str,
    json_schema: JsonSchema<'a>,
}

#[derive(Serialize)]
struct JsonSchema<'a> {
    name: &'a str,
    schema: &'a Value,
    strict: bool,
}

impl<'a> Request<'a> {
    pub fn new(settings: &'a TaskSettings, prompt: &'a Prompt) -> Self {
        let message = |message: &'a crate::ports::language_model::Message| Message {
            role: match message.role {
                Role::System => "system",
                Role::User => "user",
                Role::Assistant => "assistant",
            },
            content: &message.content,
        };
        let format = |(name, schema): &'a (&'static str, Value)| ResponseFormat {
            r#type: "json_schema",
            json_schema: JsonSchema { name, schema, strict: true },
        };
        Self {
            model: &settings.model,
            messages: prompt.messages.iter().map(message).collect(),
            temperature: settings.temperature,
            max_tokens: settings.budget.completion_tokens,
            stream: true,
            stream_options: StreamOptions { include_usage: true },
            response_format: prompt.schema.as_ref().map(format),
        }
    }
}

/// One piece of a streamed reply.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Chunk {
    pub choices: Vec<Choice>,
    pub usage: Option<Usage>,
    /// Some servers fail in the middle of a stream this way.
    pub error: Option<Value>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Choice {
    pub delta: Delta,
    pub finish_reason: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Delta {
    pub content: Option<String>,
    pub refusal: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Usage {
    pub prompt_tokens: u32,
    pub completion_tokens: u32,
}
