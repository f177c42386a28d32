//! Stopping a round.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use pipeline::model::{
    conversation::{Conversation, ConversationId, OwnerId},
    round::{Round, RoundId},
};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::{
    talkative_model::TalkativeModel,
    test_app::{TestApp, problem},
};

/// Resolves when the model writes the draft of a round.
async fn writes(app: &TestApp, round: &str) {
    for _ in 0..500 {
        let view = app.json(&format!("/api/v1/rounds/{round}")).await;
        let drafted = |event: &&Value| event["stage"] == "generation" && event["status"] == "progress";
        if view["events"].as_array().unwrap().iter().filter(drafted).count() > 3 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("nothing is written");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_stop_ends_the_call_of_the_model_and_keeps_what_was_written() {
    let model = Arc::new(TalkativeModel::endless());
    let app = TestApp::start_with(model.setup()).await;
    let id = app.ask("Where does the ice edge lie?").await;
    writes(&app, &id).await;
    assert_eq!((model.writing(), app.asker().running()), (1, 1));

    let before = Instant::now();
    let response = app.post(&format!("/api/v1/rounds/{id}/stop"), &json!({})).await;
    assert_eq!(response.status(), StatusCode::OK);
    assert!(before.elapsed() < Duration::from_secs(1), "{:?}", before.elapsed());
    let round: Value = response.json().await.unwrap();
    assert_eq!(round["finished"], true);
    assert_eq!((model.writing(), app.asker().running()), (0, 0));

    let events = app.finished(&id).await;
    let seqs: Vec<u64> = events.iter().map(|event| event["seq"].as_u64().unwrap()).collect();
    assert_eq!(seqs, (1..=seqs.len() as u64).collect::<Vec<_>>());
    let last = events.last().unwrap();
    assert_eq!((&last["stage"], &last["status"], &last["data"]["stopped"]), (&json!("error"), &json!("degraded"), &json!(true)));
    let written: String = events
        .iter()
        .filter(|event| event["stage"] == "generation" && event["status"] == "progress")
        .map(|event| event["data"]["text"].as_str().unwrap())
        .collect();
    assert!(written.starts_with("more more "), "{written}");
    assert!(!events.iter().any(|event| event["stage"] == "answer"), "what was not checked is no answer");

    // a second one changes nothing
    let again: Value = app.post(&format!("/api/v1/rounds/{id}/stop"), &json!({})).await.json().await.unwrap();
    assert_eq!(again, round);
    assert_eq!(app.finished(&id).await, events);
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_finished_round_stays_as_it_is() {
    let app = TestApp::start().await;
    let id = app.ask("Where does the ice edge lie?").await;
    let events = app.finished(&id).await;
    let response = app.send(app.request(Method::POST, &format!("/api/v1/rounds/{id}/stop"))).await;
    assert_eq!(response.status(), StatusCode::OK, "without a body as well");
    assert_eq!(app.finished(&id).await, events);
    assert_eq!(events.last().unwrap()["stage"], "references");
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_dropped_connection_stops_nothing() {
    let model = Arc::new(TalkativeModel::with_pace(Duration::from_millis(20)));
    let app = TestApp::start_with(model.setup()).await;
    let id = app.ask("Where does the ice edge lie?").await;
    drop(app.get(&format!("/api/v1/rounds/{id}/events")).await);
    assert_eq!(app.finished(&id).await.last().unwrap()["stage"], "references");
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_round_that_another_process_runs_is_said_to_be_that() {
    let app = TestApp::start().await;
    let mine = app.start_round(&json!({ "question": "ice" })).await;
    let conversation = ConversationId(mine["conversation"].as_str().unwrap().to_owned());
    let elsewhere = Round {
        id: RoundId("elsewhere".to_owned()),
        conversation,
        question: "ice".to_owned(),
        search: String::new(),
        created: "2026-01-01T00:00:00Z".to_owned(),
        finished: false,
    };
    app.services.rounds.create(&elsewhere).await.unwrap();
    let refused = problem(app.post("/api/v1/rounds/elsewhere/stop", &json!({})).await, StatusCode::CONFLICT).await;
    assert!(refused["detail"].as_str().unwrap().contains("does not run in this process"), "{refused}");
    let others = Conversation {
        id: ConversationId("d".to_owned()),
        owner: Some(OwnerId("eve".to_owned())),
        created: "2026-01-01T00:00:00Z".to_owned(),
    };
    app.services.rounds.begin(&others).await.unwrap();
    app.services.rounds.create(&Round { id: RoundId("eves".to_owned()), conversation: others.id, ..elsewhere }).await.unwrap();
    for id in ["eves", "none"] {
        problem(app.post(&format!("/api/v1/rounds/{id}/stop"), &json!({})).await, StatusCode::NOT_FOUND).await;
    }
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_form_stops_and_leads_back() {
    let model = Arc::new(TalkativeModel::endless());
    let app = TestApp::start_with(model.setup()).await;
    let id = app.ask("Where does the ice edge lie?").await;
    writes(&app, &id).await;
    let form = app.request(Method::POST, &format!("/rounds/{id}/stop")).form(&[("back", "/?q=ice")]);
    let response = app.send(form).await;
    assert_eq!((response.status(), &response.headers()["location"]), (StatusCode::SEE_OTHER, &"/?q=ice".parse().unwrap()));
    assert_eq!(model.writing(), 0);
    app.stop().await;
}
