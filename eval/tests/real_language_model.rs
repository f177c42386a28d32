//! The engine on a real server with a real small model: what comes is asserted, never how it is worded.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::time::Duration;

use eval::llama_server::{LlamaServer, MODEL};
use pipeline::{
    engines::openai::{OpenAi, TaskSettings},
    model::round::Outcome,
    ports::{
        LanguageModel,
        language_model::{Budget, Message, PerTask, Prompt, Role, Task},
    },
};
use serde_json::{Value, json};
use tokio::sync::mpsc;

const DOCUMENT: &str =
    "<document n=\"1\">\nTitle: Ice of Lake Vanern\nText: The ice of Lake Vanern was 31 cm thick in 1987.\n</document>";

fn engine(base_url: &str) -> OpenAi {
    let settings = PerTask::try_make(|task| {
        // grading has no room for a sentence
        let completion_tokens = if task == Task::Grade { 4 } else { 120 };
        Ok::<_, ()>(TaskSettings {
            base_url: base_url.to_owned(),
            model: MODEL.to_owned(),
            temperature: 0.0,
            budget: Budget { prompt_tokens: 4_000, completion_tokens },
            timeout: Duration::from_secs(240),
            idle_timeout: Duration::from_secs(180),
        })
    });
    OpenAi::new(&settings.unwrap(), None).unwrap()
}

fn prompt(task: Task, rules: &str, schema: Option<(&'static str, Value)>) -> Prompt {
    let message = |role, content: String| Message { role, content };
    let question = format!("{DOCUMENT}\n<question>How thick was the ice of Lake Vanern in 1987?</question>");
    Prompt { task, messages: vec![message(Role::System, rules.to_owned()), message(Role::User, question)], schema }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_real_model_answers() {
    let Some(server) = LlamaServer::start().await.unwrap() else { return };
    let engine = engine(server.base_url());
    engine.ready().await.unwrap();

    let (sender, mut receiver) = mpsc::channel(1_000);
    let written = engine
        .complete(&prompt(Task::Write, "Answer from the document in one sentence that ends with [1].", None), Some(sender))
        .await;
    let text = written.text().unwrap_or_else(|| panic!("{written:?}"));
    assert!(text.contains("31"), "the fact of the document: {text}");
    let mut pieces = Vec::new();
    while let Some(piece) = receiver.recv().await {
        pieces.push(piece);
    }
    assert!(pieces.len() > 3 && pieces.concat().trim_end() == text, "it streams: {pieces:?}");
    let call = &written.call;
    assert!(call.prompt_tokens > 50 && call.completion_tokens > 3, "{call:?}");
    assert!(call.first_token_ms.unwrap() < call.elapsed_ms, "{call:?}");

    let schema = json!({
        "type": "object",
        "properties": { "supported": { "type": "boolean" }, "year": { "type": "integer" } },
        "required": ["supported", "year"],
        "additionalProperties": false,
    });
    let rules = "Reply with JSON: supported says whether the document answers the question, year is the year it speaks of.";
    let checked = engine.complete(&prompt(Task::Check, rules, Some(("check", schema))), None).await;
    let object: Value = serde_json::from_str(checked.text().unwrap_or_else(|| panic!("{checked:?}"))).unwrap();
    assert!(object["supported"].is_boolean() && object["year"].is_i64() && object.as_object().unwrap().len() == 2, "{object}");

    let cut = engine.complete(&prompt(Task::Grade, "Tell a long story.", None), None).await;
    assert_eq!((cut.call.outcome, cut.call.completion_tokens), (Outcome::CutOff, 4), "{cut:?}");
}
