//! `/v1/chat/completions`.

use std::{io, time::Duration};

use axum::{
    Json,
    extract::State,
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response, Sse, sse::Event},
};
use futures::{Stream, stream};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    Reply, Shared,
    journal::{Answering, Call, End},
    sensible,
};

#[derive(Deserialize)]
pub(super) struct Request {
    model: String,
    messages: Vec<Message>,
    #[serde(default)]
    stream: bool,
    #[serde(default)]
    stream_options: Option<StreamOptions>,
    temperature: Option<f64>,
    max_tokens: Option<u64>,
    response_format: Option<ResponseFormat>,
}

#[derive(Deserialize)]
pub(super) struct Message {
    pub role: String,
    pub content: String,
}

#[derive(Deserialize)]
struct StreamOptions {
    #[serde(default)]
    include_usage: bool,
}

#[derive(Deserialize)]
struct ResponseFormat {
    json_schema: Option<JsonSchema>,
}

#[derive(Deserialize)]
struct JsonSchema {
    name: String,
    #[serde(default)]
    schema: Value,
}

/// A reply, ready to go out.
struct Spoken {
    reply: Reply,
    tokens: Vec<String>,
    usage: Value,
}

pub(super) async fn complete(State(shared): State<Shared>, headers: HeaderMap, Json(request): Json<Request>) -> Response {
    let prompt = request.messages.iter().map(|message| message.content.as_str()).collect::<Vec<_>>().join("\n\n");
    let schema = request.response_format.as_ref().and_then(|format| format.json_schema.as_ref());
    let schema_name = schema.map_or("", |schema| schema.name.as_str());
    let reply = shared.script().reply(&prompt, schema_name);
    let authorization = headers.get("authorization").and_then(|value| value.to_str().ok()).map(str::to_owned);
    let mut answering = Answering::begin(
        &shared,
        Call {
            number: 0,
            model: request.model.clone(),
            schema: schema_name.to_owned(),
            stream: request.stream,
            temperature: request.temperature,
            max_tokens: request.max_tokens,
            authorization,
            prompt: prompt.clone(),
            tokens_sent: 0,
            elapsed_ms: 0.0,
            end: End::Running,
        },
    );
    if let Some(status) = reply.status {
        tokio::time::sleep(reply.wait()).await;
        answering.sent();
        let message = format!("the model cannot answer this: {prompt}");
        let error = json!({ "error": { "message": message, "type": "server_error", "param": null, "code": null } });
        return (StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR), Json(error)).into_response();
    }
    let text = match (&reply.text, &reply.json, &reply.refusal) {
        (Some(text), ..) => text.clone(),
        (None, Some(json), _) => json.to_string(),
        (None, None, Some(_)) => String::new(),
        (None, None, None) => sensible::reply(&request.messages, schema.map(|schema| &schema.schema)),
    };
    let tokens = reply.tokens(&text);
    let usage = json!({ "prompt_tokens": prompt.len() / 4, "completion_tokens": tokens.len(), "total_tokens": prompt.len() / 4 + tokens.len() });
    let spoken = Spoken { reply, tokens, usage };
    if request.stream {
        let wants_usage = request.stream_options.is_some_and(|options| options.include_usage);
        Sse::new(spoken.stream(answering, wants_usage)).into_response()
    } else {
        spoken.whole(answering).await.into_response()
    }
}

impl Spoken {
    async fn whole(self, mut answering: Answering) -> Json<Value> {
        let further = u32::try_from(self.tokens.len()).unwrap_or(u32::MAX);
        tokio::time::sleep(self.reply.wait() + self.reply.token_time().saturating_mul(further)).await;
        answering.sent();
        let message = json!({ "role": "assistant", "content": self.tokens.concat(), "refusal": self.reply.refusal });
        let choice = json!({ "index": 0, "message": message, "finish_reason": self.reply.finish.reason() });
        Json(
            json!({ "id": "scripted", "object": "chat.completion", "created": 0, "model": "scripted", "choices": [choice], "usage": self.usage }),
        )
    }

    /// One event a token, then the reason of the end and the count of tokens.
    fn stream(self, answering: Answering, wants_usage: bool) -> impl Stream<Item = io::Result<Event>> {
        let reply = &self.reply;
        let mut steps: Vec<(Duration, Step)> = Vec::new();
        let opening = json!({ "delta": { "role": "assistant", "content": "" }, "index": 0, "finish_reason": null });
        steps.push((Duration::ZERO, Step::Say(chunk(json!([opening]), &Value::Null))));
        for (at, token) in self.tokens.into_iter().enumerate() {
            let pause = if at == 0 { reply.wait() } else { reply.token_time() };
            let choice = json!({ "delta": { "content": token }, "index": 0, "finish_reason": null });
            steps.push((pause, Step::Token(chunk(json!([choice]), &Value::Null))));
        }
        if steps.len() == 1 {
            steps.push((reply.wait(), Step::Say(chunk(json!([]), &Value::Null))));
        }
        let breaks = reply.break_after.map(|after| (after, Step::Break));
        let fails = reply
            .fail_after
            .map(|after| (after, Step::Say(json!({ "error": { "message": "out of memory", "code": 500 } }).to_string())));
        if let Some((after, step)) = breaks.or(fails) {
            steps.truncate(after + 1);
            steps.push((reply.token_time(), step));
        } else {
            if let Some(refusal) = &reply.refusal {
                let choice = json!({ "delta": { "refusal": refusal }, "index": 0, "finish_reason": null });
                steps.push((Duration::ZERO, Step::Say(chunk(json!([choice]), &Value::Null))));
            }
            if let Some(reason) = reply.finish.reason() {
                let choice = json!({ "delta": {}, "index": 0, "finish_reason": reason });
                steps.push((Duration::ZERO, Step::Say(chunk(json!([choice]), &Value::Null))));
            }
            if wants_usage && reply.usage {
                steps.push((Duration::ZERO, Step::Say(chunk(json!([]), &self.usage))));
            }
            steps.push((Duration::ZERO, Step::Say("[DONE]".to_owned())));
        }
        send(steps, answering)
    }
}

enum Step {
    Say(String),
    Token(String),
    Break,
}

fn chunk(choices: Value, usage: &Value) -> String {
    json!({ "id": "scripted", "object": "chat.completion.chunk", "created": 0, "model": "scripted", "choices": choices, "usage": usage }).to_string()
}

fn send(steps: Vec<(Duration, Step)>, answering: Answering) -> impl Stream<Item = io::Result<Event>> {
    stream::unfold((steps.into_iter(), answering), |(mut steps, mut answering)| async move {
        let (pause, step) = steps.next()?;
        if !pause.is_zero() {
            tokio::time::sleep(pause).await;
        }
        if steps.as_slice().is_empty() {
            answering.sent();
        }
        let event = match step {
            Step::Say(data) => Ok(Event::default().data(data)),
            Step::Token(data) => {
                answering.token();
                Ok(Event::default().data(data))
            }
            Step::Break => Err(io::Error::other("the script breaks the connection here")),
        };
        Some((event, (steps, answering)))
    })
}
