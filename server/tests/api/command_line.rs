//! The program as a person runs it.

use std::{
    path::Path,
    process::{Command, Output, Stdio},
    time::{Duration, Instant},
};

use eval::scripted_model::{Reply, Script, ScriptedModel};
use serde_json::Value;

/// Runs `cairn` on a data folder, without a model and without the caller's settings.
pub fn cairn(data: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cairn"));
    command.args(arguments).arg("--data").arg(data).current_dir(data.parent().unwrap());
    for (name, _) in std::env::vars_os() {
        let name_text = name.to_string_lossy();
        if name_text.starts_with("CAIRN_") || name_text.starts_with("LEPTOS_") {
            command.env_remove(name);
        }
    }
    command.env("CAIRN_MODEL_DIR", data.join("no-model"));
    command
}

pub fn run(data: &Path, arguments: &[&str]) -> Output {
    cairn(data, arguments).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn an_empty_folder_says_how_to_import() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(&folder.path().join("data"), &["search", "ice"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("cairn import"), "{}", stderr(&output));
}

#[test]
fn what_was_imported_is_found_asked_about_and_exported() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let file = folder.path().join("elements.ndjson");
    let lines = [
        r#"{"id":"svalbard","kind":"dataset","title":"Sea ice around Svalbard","description":"The ice edge lies between Svalbard and Greenland.","spatial":{"bbox":[10,74,35,81]}}"#,
        r#"{"id":"victoria","kind":"map","title":"Lake Victoria","spatial":{"bbox":[31.6,-3.1,34.9,0.5]}}"#,
        r#"{"id":"broken","kind":"dataset","titel":"A typing error"}"#,
    ];
    std::fs::write(&file, lines.join("\n")).unwrap();
    let imported = run(&data, &["import", file.to_str().unwrap()]);
    assert_eq!(imported.status.code(), Some(3), "one record was left out: {}{}", stdout(&imported), stderr(&imported));
    assert!(stdout(&imported).contains("titel"), "{}", stdout(&imported));

    let found = run(&data, &["search", "sea ice", "--json"]);
    let results: Value = serde_json::from_slice(&found.stdout).unwrap();
    assert_eq!(results["items"][0]["id"], "svalbard");
    let near = run(&data, &["search", "--near", "Lake Victoria", "--json"]);
    let results: Value = serde_json::from_slice(&near.stdout).unwrap();
    assert_eq!(results["items"][0]["id"], "victoria", "{results}");
    let within = run(&data, &["search", "--within", "0,70,40,85", "--json"]);
    let results: Value = serde_json::from_slice(&within.stdout).unwrap();
    assert_eq!((&results["total"], &results["items"][0]["id"]), (&1.into(), &"svalbard".into()));
    let cards = stdout(&run(&data, &["search", "sea ice"]));
    assert!(cards.contains("Sea ice around Svalbard") && cards.contains("keyword 1"), "{cards}");

    let output = run(&data, &["ask", "Where does the ice edge lie?"]);
    let (asked, told) = (stdout(&output), stderr(&output));
    for stage in ["memory", "routing", "retrieval  keyword: ", "answer  extractive", "references"] {
        assert!(told.contains(stage) && !asked.contains(stage), "{stage} is told aside: {told}\n{asked}");
    }
    let conversation = told.split("--conversation ").nth(1).unwrap().split(' ').next().unwrap();
    let follow_up = ["ask", "What about it?", "--conversation", conversation, "--path", "standard", "--json"];
    let events = stdout(&run(&data, &follow_up));
    assert!(events.lines().next().unwrap().contains("rewritten"), "{events}");
    assert!(asked.contains("The ice edge lies between Svalbard and Greenland") && asked.contains("[1]"), "{asked}");
    let events = run(&data, &["ask", "Where does the ice edge lie?", "--json"]);
    let stages: Vec<String> = stdout(&events)
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["stage"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(stages.last().map(String::as_str), Some("references"), "{stages:?}");

    let exported = run(&data, &["export"]);
    let again = folder.path().join("again.ndjson");
    std::fs::write(&again, &exported.stdout).unwrap();
    let other = folder.path().join("other");
    assert_eq!(run(&other, &["import", again.to_str().unwrap()]).status.code(), Some(0));
    assert_eq!(stdout(&run(&other, &["export"])).lines().count(), 2);

    let rebuilt = run(&data, &["reindex"]);
    assert!(rebuilt.status.success(), "{}", stderr(&rebuilt));
    let found = run(&data, &["search", "sea ice", "--json"]);
    let results: Value = serde_json::from_slice(&found.stdout).unwrap();
    assert_eq!(results["items"][0]["id"], "svalbard");

    let doctor = run(&data, &["doctor", "--json"]);
    let report: Value = serde_json::from_slice(&doctor.stdout).unwrap();
    assert_eq!(report["catalogue"]["elements"], 2);
    assert!(report["degraded"].to_string().contains("Semantic"), "{report}");
    assert!(doctor.status.success());
}

#[test]
fn faults_are_sentences_with_an_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    for (arguments, code, said) in [
        (vec!["search", "ice", "--kind", "datasets"], 2, "kind"),
        (vec!["search", "ice", "--bbox", "1,2,3"], 2, "west,south,east,north"),
        (vec!["search", "ice", "--from", "2020", "--to", "2010"], 2, "after the end"),
        (vec!["import", "nowhere.ndjson"], 1, "nowhere.ndjson"),
        (vec!["ask", " "], 2, "question is empty"),
        (vec!["ask", "ice", "--path", "straight"], 2, "multi-hop"),
        (vec!["config", "check", "--config", "nowhere.toml"], 2, "nowhere.toml"),
        (vec!["serve", "--addr", "elsewhere"], 2, "elsewhere"),
    ] {
        let output = run(&data, &arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(said), "{arguments:?}: {}", stderr(&output));
    }
    let checked = cairn(&data, &["config", "check"]).env("CAIRN_SERVER_ADDRESS", "x").output().unwrap();
    assert_eq!(checked.status.code(), Some(2));
    assert!(stderr(&checked).contains("CAIRN_SERVER_ADDR"), "{}", stderr(&checked));
    let good = run(&data, &["config", "check"]);
    assert!(good.status.success() && stdout(&good).contains("[server]"));
}

#[test]
fn a_conversation_that_is_not_there_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let data = with_an_element(folder.path());
    let refused = run(&data, &["ask", "ice", "--conversation", "none"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("--conversation"), "{}", stderr(&refused));
}

/// A data folder with an element to ask about.
fn with_an_element(folder: &Path) -> std::path::PathBuf {
    let (data, file) = (folder.join("data"), folder.join("elements.ndjson"));
    let line = r#"{"id":"svalbard","kind":"dataset","title":"Sea ice around Svalbard","description":"The ice edge lies between Svalbard and Greenland."}"#;
    std::fs::write(&file, line).unwrap();
    assert!(run(&data, &["import", file.to_str().unwrap()]).status.success());
    data
}

/// As a person does it: the model is called no more, what was written stays, and the exit code says it.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_interrupt_stops_the_question() {
    let slow = Reply { wait_ms: 60_000, ..Reply::default() };
    let model = ScriptedModel::start(Script::always(slow)).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let data = with_an_element(folder.path());
    let mut command = cairn(&data, &["ask", "Where does the ice edge lie?", "--json"]);
    command.env("CAIRN_LANGUAGE_BASE_URL", model.base_url()).env("CAIRN_LANGUAGE_MODEL", "scripted");
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while model.journal().running == 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let interrupted = Instant::now();
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let mut running_for = None;
    let ended = tokio::task::spawn_blocking(move || child.wait_with_output().unwrap());
    while running_for.is_none() {
        running_for = (model.journal().running == 0).then(|| interrupted.elapsed());
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let output = ended.await.unwrap();
    assert!(running_for.unwrap() < Duration::from_secs(1), "{running_for:?}");
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    let last: Value = serde_json::from_str(stdout(&output).lines().last().unwrap()).unwrap();
    assert_eq!((&last["stage"], &last["data"]["stopped"]), (&"error".into(), &true.into()));
}

#[test]
fn a_folder_is_held_by_one_process() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let held = server::data_folder::DataFolder::hold(&data, "serve").unwrap();
    let refused = run(&data, &["search", "ice"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(stderr(&refused).contains("in use by `cairn serve`"), "{}", stderr(&refused));
    drop(held);
}
