//! What every language model does, whatever server stands behind it. Each way a call can end is seen once at least.

use std::time::{Duration, Instant};

use serde_json::json;
use tokio::{
    sync::mpsc,
    time::{sleep, timeout},
};

use crate::{
    model::round::Outcome,
    ports::{
        LanguageModel,
        language_model::{Completion, Message, Prompt, Role, Task},
    },
};

/// The server behind a language model, as a test has it.
pub trait ModelServer: Sync {
    /// What it does with every call from now on.
    fn will(&self, behaviour: Behaviour);

    /// Calls that have reached it.
    fn calls(&self) -> usize;

    /// Calls whose client went away before the reply was whole.
    fn disconnects(&self) -> usize;
}

#[derive(Clone, Copy, Debug)]
pub enum Behaviour {
    /// A token a word.
    Says(&'static str),
    /// A token a letter.
    Spells(&'static str),
    /// The token budget ends after this text.
    CutsOff(&'static str),
    /// In the field made for it.
    Refuses,
    /// As a reason for the end.
    Filters,
    /// An HTTP status in place of a reply.
    Status(u16),
    /// The connection breaks after some tokens.
    Breaks,
    /// An error stands in the stream after some tokens.
    FailsHalfway,
    /// The stream ends after some tokens without saying why.
    Ends,
    /// No token ever comes.
    Waits,
    /// No token follows after the first ones.
    Stalls,
    /// Token after token without an end, each well in time.
    Babbles,
}

/// What the model under test must be limited to.
pub const CALL_LIMIT: Duration = Duration::from_millis(1_500);
pub const IDLE_LIMIT: Duration = Duration::from_millis(400);
/// A stop reaches the server within this time.
const STOPPED: Duration = Duration::from_secs(1);
/// What a busy machine adds.
const SLACK: Duration = Duration::from_secs(1);

/// # Panics
/// Where the model does not conform.
pub async fn conforms(model: &dyn LanguageModel, server: &dyn ModelServer) {
    model.ready().await.unwrap();
    for task in Task::ALL {
        let budget = model.budget(task);
        assert!(budget.prompt_tokens > 0 && budget.completion_tokens > 0, "{task:?}");
    }
    text_comes_whole_and_in_pieces(model, server).await;
    reasoning_is_left_out(model, server).await;
    objects_are_told_from_other_text(model, server).await;
    replies_that_are_none_are_told_apart(model, server).await;
    failures_are_outcomes_and_never_repeated(model, server).await;
    time_is_limited(model, server).await;
    a_dropped_call_ends_at_the_server(model, server).await;
}

/// # Panics
/// Where a model whose server is not there does not say so.
pub async fn conforms_when_down(model: &dyn LanguageModel) {
    assert!(model.ready().await.unwrap_err().kind.may_succeed_later());
    let completion = model.complete(&prompt(false), None).await;
    assert_eq!((completion.call.outcome, completion.text.as_str()), (Outcome::Failed, ""));
}

fn prompt(wants_object: bool) -> Prompt {
    let message = |role, content: &str| Message { role, content: content.to_owned() };
    let schema = json!({ "type": "object", "properties": { "ice": { "type": "string" } }, "required": ["ice"], "additionalProperties": false });
    Prompt {
        task: Task::Write,
        messages: vec![message(Role::System, "Be short."), message(Role::User, "What of the ice?")],
        schema: wants_object.then_some(("ice", schema)),
    }
}

/// A call, and the pieces it gave.
async fn streamed(model: &dyn LanguageModel, wants_object: bool) -> (Completion, String) {
    let (sender, mut receiver) = mpsc::channel::<String>(64);
    let prompt = prompt(wants_object);
    let pieces = async {
        let mut text = String::new();
        while let Some(piece) = receiver.recv().await {
            assert!(!piece.is_empty(), "an empty piece says nothing");
            text.push_str(&piece);
        }
        text
    };
    futures::join!(model.complete(&prompt, Some(sender)), pieces)
}

async fn ends(model: &dyn LanguageModel, server: &dyn ModelServer, behaviour: Behaviour, outcome: Outcome, text: &str) {
    server.will(behaviour);
    let (completion, pieces) = streamed(model, false).await;
    assert_eq!(completion.call.outcome, outcome, "{behaviour:?}: {completion:?}");
    assert_eq!(completion.text, text, "{behaviour:?}");
    assert_eq!(pieces.trim_end(), text, "{behaviour:?}: pieces");
    assert_eq!(completion.text(), (outcome == Outcome::Text).then_some(text), "{behaviour:?}");
}

async fn text_comes_whole_and_in_pieces(model: &dyn LanguageModel, server: &dyn ModelServer) {
    let text = "Sea ice – 海冰 – grows in winter [1].\nIt melts in summer [2].";
    server.will(Behaviour::Says(text));
    let (completion, pieces) = streamed(model, false).await;
    assert_eq!((completion.text(), pieces.as_str()), (Some(text), text));
    let call = &completion.call;
    assert!(!call.model.is_empty() && call.prompt_tokens > 0 && call.completion_tokens > 0, "{call:?}");
    assert!(call.first_token_ms.is_some_and(|first| first > 0.0 && first <= call.elapsed_ms), "{call:?}");

    assert_eq!(model.complete(&prompt(false), None).await.text(), Some(text), "nobody listens");
    let (sender, receiver) = mpsc::channel(1);
    drop(receiver);
    assert_eq!(model.complete(&prompt(false), Some(sender)).await.text(), Some(text), "nobody listens any more");
}

async fn reasoning_is_left_out(model: &dyn LanguageModel, server: &dyn ModelServer) {
    for behaviour in [Behaviour::Says, Behaviour::Spells] {
        ends(model, server, behaviour("<think>Ice?\nIce.</think>\n\nIt <melts> [1]."), Outcome::Text, "It <melts> [1].").await;
        ends(model, server, behaviour("It melts <reasoning>does it?</reasoning>[1]."), Outcome::Text, "It melts [1].").await;
        ends(model, server, behaviour("<think>It melts [1]."), Outcome::Empty, "").await;
    }
}

async fn objects_are_told_from_other_text(model: &dyn LanguageModel, server: &dyn ModelServer) {
    let object = r#"{"ice": "thin"}"#;
    let cases = [
        (object, Outcome::Text, object),
        ("<think>{}</think> {\"ice\": \"thin\"}\n", Outcome::Text, object),
        ("```json\n{\"ice\": \"thin\"}\n```", Outcome::Text, object),
        ("{\"ice\": \"th", Outcome::Invalid, "{\"ice\": \"th"),
        ("[1]", Outcome::Invalid, "[1]"),
        ("\"thin\"", Outcome::Invalid, "\"thin\""),
        ("thin ice", Outcome::Invalid, "thin ice"),
        ("", Outcome::Empty, ""),
    ];
    for (said, outcome, text) in cases {
        server.will(Behaviour::Says(said));
        let completion = model.complete(&prompt(true), None).await;
        assert_eq!((completion.call.outcome, completion.text.as_str()), (outcome, text), "{said}");
    }
    ends(model, server, Behaviour::Says("[1]"), Outcome::Text, "[1]").await;
}

async fn replies_that_are_none_are_told_apart(model: &dyn LanguageModel, server: &dyn ModelServer) {
    ends(model, server, Behaviour::Says(""), Outcome::Empty, "").await;
    ends(model, server, Behaviour::Says(" \n\t "), Outcome::Empty, "").await;
    ends(model, server, Behaviour::CutsOff("Sea ice grows in"), Outcome::CutOff, "Sea ice grows in").await;
    ends(model, server, Behaviour::CutsOff("<think>Sea ice grows in"), Outcome::CutOff, "").await;
    ends(model, server, Behaviour::Refuses, Outcome::Refused, "").await;
    server.will(Behaviour::Filters);
    assert_eq!(model.complete(&prompt(false), None).await.call.outcome, Outcome::Refused);
}

async fn failures_are_outcomes_and_never_repeated(model: &dyn LanguageModel, server: &dyn ModelServer) {
    let failures =
        [Behaviour::Status(500), Behaviour::Status(503), Behaviour::Status(429), Behaviour::Status(400), Behaviour::Status(401)];
    let halfway = [Behaviour::Breaks, Behaviour::FailsHalfway, Behaviour::Ends];
    for behaviour in failures.into_iter().chain(halfway) {
        server.will(behaviour);
        let before = server.calls();
        let started = Instant::now();
        let completion = model.complete(&prompt(false), None).await;
        assert_eq!(completion.call.outcome, Outcome::Failed, "{behaviour:?}: {completion:?}");
        assert!(started.elapsed() < CALL_LIMIT, "{behaviour:?}: a failure is known at once");
        assert_eq!(server.calls(), before + 1, "{behaviour:?}: retries are not the engine's");
    }
    for behaviour in halfway {
        server.will(behaviour);
        let (completion, pieces) = streamed(model, false).await;
        assert!(!pieces.is_empty() && completion.text == pieces.trim_end(), "{behaviour:?}: what came is kept: {completion:?}");
    }
}

async fn time_is_limited(model: &dyn LanguageModel, server: &dyn ModelServer) {
    for (behaviour, limit, speaks) in
        [(Behaviour::Waits, IDLE_LIMIT, false), (Behaviour::Stalls, IDLE_LIMIT, true), (Behaviour::Babbles, CALL_LIMIT, true)]
    {
        server.will(behaviour);
        let started = Instant::now();
        let (completion, pieces) = streamed(model, false).await;
        let elapsed = started.elapsed();
        assert_eq!(completion.call.outcome, Outcome::TimedOut, "{behaviour:?}: {completion:?}");
        assert!(elapsed >= limit && elapsed < limit + SLACK, "{behaviour:?}: {elapsed:?}");
        assert_eq!((!completion.text.is_empty(), completion.text.as_str()), (speaks, pieces.trim_end()), "{behaviour:?}");
        assert_eq!(completion.call.first_token_ms.is_some(), speaks, "{behaviour:?}");
    }
}

async fn a_dropped_call_ends_at_the_server(model: &dyn LanguageModel, server: &dyn ModelServer) {
    // calls that timed out before this have been noticed
    sleep(Duration::from_millis(200)).await;
    // before its first token, and between two
    for (behaviour, dropped_after) in
        [(Behaviour::Waits, Duration::from_millis(150)), (Behaviour::Babbles, Duration::from_millis(500))]
    {
        server.will(behaviour);
        let (calls, before) = (server.calls(), server.disconnects());
        let prompt = prompt(false);
        timeout(dropped_after, model.complete(&prompt, None)).await.expect_err("the call goes on");
        assert_eq!(server.calls(), calls + 1, "{behaviour:?}: the call had begun");
        let dropped = Instant::now();
        while server.disconnects() == before {
            assert!(dropped.elapsed() < STOPPED, "{behaviour:?}: the server still works for nobody");
            sleep(Duration::from_millis(5)).await;
        }
    }
}
