//! The engine for language models on a real connection to a scripted server.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::time::Duration;

use eval::scripted_model::{End, Finish, Reply, Script, ScriptedModel};
use pipeline::{
    engines::openai::{OpenAi, TaskSettings},
    model::round::Outcome,
    ports::{
        LanguageModel,
        language_model::{Budget, Message, PerTask, Prompt, Role, Task},
    },
    testing::language_model::{self, Behaviour, CALL_LIMIT, IDLE_LIMIT, ModelServer},
};
use serde_json::json;

struct Server(ScriptedModel);

impl ModelServer for Server {
    fn will(&self, behaviour: Behaviour) {
        let spoken = Reply::text("Sea ice grows in winter.");
        let reply = match behaviour {
            Behaviour::Says(text) => Reply::text(text),
            Behaviour::Spells(text) => Reply { token_chars: 1, ..Reply::text(text) },
            Behaviour::CutsOff(text) => Reply { finish: Finish::Length, ..Reply::text(text) },
            Behaviour::Refuses => Reply { refusal: Some("I would rather not.".to_owned()), ..Reply::default() },
            Behaviour::Filters => Reply { finish: Finish::ContentFilter, ..spoken },
            Behaviour::Status(status) => Reply { status: Some(status), ..spoken },
            Behaviour::Breaks => Reply { break_after: Some(2), token_ms: 20, ..spoken },
            Behaviour::FailsHalfway => Reply { fail_after: Some(2), ..spoken },
            Behaviour::Ends => Reply { finish: Finish::None, ..spoken },
            Behaviour::Waits => Reply { wait_ms: 60_000, ..spoken },
            Behaviour::Stalls => Reply { token_ms: 60_000, ..spoken },
            Behaviour::Babbles => Reply { token_ms: 50, ..Reply::text("ice ".repeat(2_000)) },
        };
        self.0.play(Script::always(reply));
    }

    fn calls(&self) -> usize {
        self.0.journal().calls
    }

    fn disconnects(&self) -> usize {
        self.0.journal().disconnects
    }
}

fn engine(base_url: &str, key: Option<&str>) -> OpenAi {
    let settings = PerTask::try_make(|task| {
        Ok::<_, ()>(TaskSettings {
            base_url: base_url.to_owned(),
            model: format!("model-to-{}", task.name()),
            temperature: 0.25,
            budget: Budget { prompt_tokens: 4_000, completion_tokens: 300 },
            timeout: CALL_LIMIT,
            idle_timeout: IDLE_LIMIT,
        })
    });
    OpenAi::new(&settings.unwrap(), key.map(Into::into).as_ref()).unwrap()
}

fn prompt(task: Task, schema: Option<(&'static str, serde_json::Value)>) -> Prompt {
    let message = |role, content: &str| Message { role, content: content.to_owned() };
    Prompt {
        task,
        messages: vec![message(Role::System, "Be short."), message(Role::User, "<question>What of ice?</question>")],
        schema,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_engine_conforms() {
    let server = Server(ScriptedModel::start(Script::default()).await.unwrap());
    let engine = engine(&server.0.base_url(), None);
    language_model::conforms(&engine, &server).await;
}

#[tokio::test]
async fn the_engine_conforms_when_nothing_listens() {
    let server = ScriptedModel::start(Script::default()).await.unwrap();
    let base_url = server.base_url();
    drop(server);
    // the port is let go of when the task has ended
    tokio::time::sleep(Duration::from_millis(50)).await;
    language_model::conforms_when_down(&engine(&base_url, None)).await;
}

#[tokio::test]
async fn a_call_says_all_that_is_set() {
    let server = ScriptedModel::start(Script::default()).await.unwrap();
    let engine = engine(&format!("{}/", server.base_url()), Some("sk-1"));
    let schema = json!({ "type": "object", "properties": { "path": { "enum": ["multi-hop", "standard"] } } });
    let planned = engine.complete(&prompt(Task::Plan, Some(("plan", schema))), None).await;
    assert_eq!(planned.text(), Some(r#"{"path":"standard"}"#));
    assert_eq!(planned.call.model, "model-to-plan");
    let journal = server.journal();
    let call = &journal.newest[0];
    assert_eq!((call.model.as_str(), call.schema.as_str(), call.stream), ("model-to-plan", "plan", true));
    assert_eq!((call.temperature, call.max_tokens), (Some(0.25), Some(300)));
    assert_eq!(call.authorization.as_deref(), Some("Bearer sk-1"));
    assert_eq!(call.prompt, "Be short.\n\n<question>What of ice?</question>");
    assert_eq!((call.end, journal.disconnects, journal.running), (End::Sent, 0, 0));
}

#[tokio::test]
async fn a_server_that_tells_no_tokens_is_none_the_worse() {
    let server = ScriptedModel::start(Script::always(Reply { usage: false, ..Reply::text("Ice.") })).await.unwrap();
    let completion = engine(&server.base_url(), None).complete(&prompt(Task::Write, None), None).await;
    assert_eq!((completion.text(), completion.call.completion_tokens), (Some("Ice."), 0));
}

#[tokio::test]
async fn what_answers_but_is_no_model_server_fails() {
    let server = ScriptedModel::start(Script::default()).await.unwrap();
    let wrong_path = server.base_url().replace("/v1", "");
    let engine = engine(&wrong_path, None);
    assert_eq!(engine.complete(&prompt(Task::Write, None), None).await.call.outcome, Outcome::Failed);
    let error = engine.ready().await.unwrap_err();
    assert!(error.source.to_string().contains("404"), "{}", error.source);
}
