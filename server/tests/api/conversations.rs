//! A visitor's conversations, over HTTP.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::test_app::{TestApp, cookie_of, problem};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_question_goes_on_with_a_conversation() {
    let app = TestApp::start().await;
    let first = app.start_round(&json!({ "question": "Sea ice around Svalbard" })).await;
    app.finished(first["id"].as_str().unwrap()).await;
    let conversation = first["conversation"].as_str().unwrap();
    let second = app.start_round(&json!({ "question": "What about Lake Victoria?", "conversation": conversation })).await;
    assert_eq!(second["conversation"], conversation);
    let events = app.finished(second["id"].as_str().unwrap()).await;
    let memory = events.iter().find(|event| event["stage"] == "memory").unwrap();
    assert!(memory["data"]["rewritten"].as_str().unwrap().contains("Lake Victoria"), "it leans on what was asked: {memory}");

    let log = app.json(&format!("/api/v1/conversations/{conversation}")).await;
    let rounds = log["rounds"].as_array().unwrap();
    let ids: Vec<&Value> = rounds.iter().map(|told| &told["round"]["id"]).collect();
    assert_eq!(ids, [&first["id"], &second["id"]]);
    assert_eq!(rounds[1]["rewritten"], memory["data"]["rewritten"]);
    assert_eq!(rounds[0].get("rewritten"), None);
    let answer = events.iter().find(|event| event["stage"] == "answer").unwrap();
    assert_eq!(rounds[1]["answer"], answer["data"]);

    // in one's own words the question is taken as it was typed
    let own = json!({ "question": "What about Lake Victoria?", "conversation": conversation, "own_words": true });
    let third = app.start_round(&own).await;
    let events = app.finished(third["id"].as_str().unwrap()).await;
    assert_eq!(events.iter().find(|event| event["stage"] == "memory").unwrap()["data"]["rewritten"], Value::Null);
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn anothers_conversation_is_not_there() {
    let app = TestApp::start().await;
    let mine = app.start_round(&json!({ "question": "ice" })).await;
    let conversation = mine["conversation"].as_str().unwrap();
    let body = json!({ "question": "What about it?", "conversation": conversation });
    let stranger = app.stranger(Method::POST, "/api/v1/rounds").json(&body).send().await.unwrap();
    assert_eq!(cookie_of(&stranger), None, "who got nothing is not named");
    problem(stranger, StatusCode::NOT_FOUND).await;
    let read = app.stranger(Method::GET, &format!("/api/v1/conversations/{conversation}")).send().await.unwrap();
    problem(read, StatusCode::NOT_FOUND).await;
    problem(app.get("/api/v1/conversations/none").await, StatusCode::NOT_FOUND).await;
    let unknown = json!({ "question": "What about it?", "conversation": "none" });
    problem(app.post("/api/v1/rounds", &unknown).await, StatusCode::NOT_FOUND).await;
    let form = [("q", "What about it?"), ("conversation", conversation)];
    let posted = app.stranger(Method::POST, "/ask").form(&form).send().await.unwrap();
    assert_eq!(posted.status(), StatusCode::NOT_FOUND);
    let log = app.json(&format!("/api/v1/conversations/{conversation}")).await;
    assert_eq!(log["rounds"].as_array().unwrap().len(), 1);
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_history_is_paged_newest_first() {
    let app = TestApp::start().await;
    assert_eq!(app.json("/api/v1/conversations").await, json!({ "items": [] }));
    let mut asked = Vec::new();
    for n in 0..5 {
        let started = app.start_round(&json!({ "question": format!("ice {n}") })).await;
        asked.insert(0, (started["conversation"].clone(), format!("ice {n}")));
    }
    let stranger: Value = app.stranger(Method::GET, "/api/v1/conversations").send().await.unwrap().json().await.unwrap();
    assert_eq!(stranger, json!({ "items": [] }));
    let (mut listed, mut cursor) = (Vec::new(), String::new());
    for part in 0..3 {
        let page = app.json(&format!("/api/v1/conversations?limit=2{cursor}")).await;
        let items = page["items"].as_array().unwrap();
        listed.extend(items.iter().map(|item| (item["id"].clone(), item["question"].as_str().unwrap().to_owned())));
        assert_eq!(page.get("next_cursor").is_some(), part < 2, "{page}");
        cursor = page["next_cursor"].as_str().map(|next| format!("&cursor={next}")).unwrap_or_default();
    }
    assert_eq!(listed, asked);
    for limit in ["0", "101", "many"] {
        problem(app.get(&format!("/api/v1/conversations?limit={limit}")).await, StatusCode::BAD_REQUEST).await;
    }
    problem(app.get("/api/v1/conversations?page=2").await, StatusCode::BAD_REQUEST).await;
    app.stop().await;
}
