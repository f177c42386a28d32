//! A configured language model, behind the scripted server.

use eval::scripted_model::{Reply, Script, ScriptedModel};
use pipeline::{
    model::round::Outcome,
    ports::language_model::{Message, Prompt, Role, Task},
};
use serde_json::Value;
use server::config::{Config, Language};

use crate::{
    command_line::cairn,
    test_app::{Setup, TestApp},
};

const KEY: &str = "sk-nobody-sees-this";

fn config(base_url: &str) -> Config {
    let language = Language { base_url: Some(base_url.to_owned()), model: Some("scripted".to_owned()), ..Language::default() };
    Config { language, ..Config::default() }
}

fn prompt(content: &str) -> Prompt {
    Prompt { task: Task::Write, messages: vec![Message { role: Role::User, content: content.to_owned() }], schema: None }
}

async fn address_of_nobody() -> String {
    let model = ScriptedModel::start(Script::default()).await.unwrap();
    model.base_url()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn calls_are_measured_and_their_text_is_not() {
    let model = ScriptedModel::start(Script::always(Reply::text("secretreply"))).await.unwrap();
    let app = TestApp::start_with(Setup { config: config(&model.base_url()), ..Setup::default() }).await;
    assert_eq!(app.json("/readyz").await["degraded"], serde_json::json!([]));
    let language = app.services.language.clone().unwrap();
    assert_eq!(language.complete(&prompt("secretquestion"), None).await.text(), Some("secretreply"));
    model.play(Script::always(Reply { status: Some(503), ..Reply::default() }));
    assert_eq!(language.complete(&prompt("secretquestion"), None).await.call.outcome, Outcome::Failed);
    assert_eq!(model.journal().calls, 2);
    let metrics = app.get("/metrics").await.text().await.unwrap();
    for outcome in ["text", "failed"] {
        let series = format!(r#"cairn_model_calls_total{{task="write",model="scripted",outcome="{outcome}"}} "#);
        assert!(metrics.contains(&series), "{series}: {metrics}");
    }
    assert!(metrics.contains("cairn_model_tokens_total") && metrics.contains("cairn_model_seconds_bucket"), "{metrics}");
    assert!(!metrics.contains("secret"));
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_server_without_its_language_model_is_ready_and_says_so() {
    let app = TestApp::start_with(Setup { config: config(&address_of_nobody().await), ..Setup::default() }).await;
    let readiness = app.json("/readyz").await;
    assert_eq!(readiness["ready"], true);
    assert!(readiness["degraded"].to_string().contains("language model"), "{readiness}");
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_doctor_says_which_model_there_is_and_whether_it_answers() {
    let model = ScriptedModel::start(Script::default()).await.unwrap();
    let nobody = address_of_nobody().await;
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let run = async |arguments: &'static [&'static str], base_url: &str| {
        let mut command = cairn(&data, arguments);
        command.env("CAIRN_LANGUAGE_BASE_URL", base_url).env("CAIRN_LANGUAGE_MODEL", "large").env("CAIRN_LANGUAGE_API_KEY", KEY);
        command.env("CAIRN_LANGUAGE_TASKS_GRADE_MODEL", "small");
        let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
        let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success() && !said.contains(KEY), "{said}");
        said
    };
    let report: Value = serde_json::from_str(&run(&["doctor", "--json"], &model.base_url()).await).unwrap();
    assert_eq!(report["language"][0]["model"], "large");
    assert_eq!(report["language"][0]["tasks"], serde_json::json!(["plan", "reason", "write", "check"]));
    assert_eq!(report["language"][1]["model"], "small");
    assert!(!report["degraded"].to_string().contains("language model"), "{report}");
    let shown = run(&["doctor"], &nobody).await;
    assert!(shown.contains(&nobody) && shown.contains("The language model does not answer"), "{shown}");
    let settings = run(&["config", "check"], &nobody).await;
    assert!(settings.contains("api_key = \"(set)\"") && settings.contains("[language.tasks.grade]\n"), "{settings}");
    assert!(!settings.contains("[language.tasks.write]"), "{settings}");
}
