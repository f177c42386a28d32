//! `/api/v1/rounds` and the stream of a round's events.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use futures::StreamExt;
use pipeline::model::{
    conversation::{Conversation, ConversationId},
    round::{Round, RoundId},
};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::{
    talkative_model::TalkativeModel,
    test_app::{TestApp, problem},
};

/// One server-sent event.
#[derive(Debug, PartialEq)]
struct Sent {
    id: Option<u64>,
    event: String,
    data: Value,
}

fn parse(stream: &str) -> Vec<Sent> {
    let blocks = stream.split("\n\n").filter(|block| block.contains("data:"));
    blocks
        .map(|block| {
            let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
            Sent {
                id: field("id:").map(|id| id.parse().unwrap()),
                event: field("event:").unwrap().to_owned(),
                data: serde_json::from_str(field("data:").unwrap()).unwrap(),
            }
        })
        .collect()
}

/// The whole stream of a round, up to its end.
async fn events(app: &TestApp, round: &str, after: Option<u64>) -> Vec<Sent> {
    let mut request = app.request(Method::GET, &format!("/api/v1/rounds/{round}/events"));
    if let Some(after) = after {
        request = request.header("last-event-id", after);
    }
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    parse(&response.text().await.unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_question_is_answered_with_citations_event_by_event() {
    let app = TestApp::start().await;
    let response = app.post("/api/v1/rounds", &json!({ "question": "Where does the ice edge lie?", "kind": ["dataset"] })).await;
    assert_eq!(response.status(), StatusCode::CREATED);
    let location = response.headers()["location"].to_str().unwrap().to_owned();
    let started: Value = response.json().await.unwrap();
    let id = started["id"].as_str().unwrap();
    assert_eq!(location, format!("/api/v1/rounds/{id}"));

    let stream = events(&app, id, None).await;
    let (done, log) = stream.split_last().unwrap();
    assert_eq!((done.event.as_str(), done.id), ("done", None));
    for (event, seq) in log.iter().zip(1..) {
        assert_eq!(event.id, Some(seq));
        assert_eq!(event.data["seq"], seq);
        assert_eq!(event.data["stage"], event.event);
        assert_eq!(event.data["round"], id);
    }
    let stages: Vec<&str> = log.iter().map(|event| event.event.as_str()).collect();
    for stage in ["augmentation", "routing", "retrieval", "fusion", "generation", "answer", "references"] {
        assert!(stages.contains(&stage), "{stage} is missing in {stages:?}");
    }
    let answer = &log.iter().find(|event| event.event == "answer").unwrap().data["data"];
    assert_eq!(answer["kind"], "extractive");
    for citation in answer["citations"].as_array().unwrap() {
        let element = app.json(&format!("/api/v1/elements/{}", citation["id"].as_str().unwrap())).await;
        assert!(
            element["description"].as_str().unwrap().contains(citation["quote"].as_str().unwrap()),
            "{citation} is not in {element}"
        );
        assert_eq!(element["kind"], "dataset", "the question was asked under a filter");
    }

    let saved = app.json(&location).await;
    assert_eq!(saved["round"]["question"], "Where does the ice edge lie?");
    assert_eq!(saved["round"]["finished"], true);
    let saved_events: Vec<&Value> = saved["events"].as_array().unwrap().iter().collect();
    assert_eq!(saved_events, log.iter().map(|event| &event.data).collect::<Vec<_>>());
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_stream_resumes_after_the_last_event_that_came() {
    let app = TestApp::start().await;
    let id = app.ask("Where does the ice edge lie?").await;
    let all = events(&app, &id, None).await;
    let last = all.len() as u64 - 1;
    for after in [0, 1, 3, last - 1, last, last + 100] {
        let rest = events(&app, &id, Some(after)).await;
        let from = usize::try_from(after.min(last)).unwrap();
        assert_eq!(rest, all[from..], "after {after}");
    }
    let wrong =
        app.request(Method::GET, &format!("/api/v1/rounds/{id}/events")).header("last-event-id", "abc").send().await.unwrap();
    assert_eq!(problem(wrong, StatusCode::BAD_REQUEST).await["errors"][0]["field"], "last-event-id");
    app.stop().await;
}

/// A connection that breaks after the second event costs nothing: what it missed comes, nothing comes twice, nothing runs twice.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_client_that_was_cut_off_gets_every_event_once_of_a_round_that_ran_once() {
    let model = Arc::new(TalkativeModel::with_pace(Duration::from_millis(25)));
    let app = TestApp::start_with(model.setup()).await;
    let id = app.ask("Where does the ice edge lie?").await;

    let path = format!("/api/v1/rounds/{id}/events");
    let mut body = app.get(&path).await.bytes_stream();
    let mut text = String::new();
    while parse_whole(&text).len() < 2 {
        text += std::str::from_utf8(&body.next().await.unwrap().unwrap()).unwrap();
    }
    drop(body);
    let mut got = parse_whole(&text);
    let seen = got.last().unwrap().id.unwrap();
    let is_open = app.json(&format!("/api/v1/rounds/{id}")).await["round"]["finished"] == false;
    assert!(is_open, "the connection was cut while the round ran");

    got.extend(events(&app, &id, Some(seen)).await);
    let (done, log) = got.split_last().unwrap();
    assert_eq!(done.event, "done");
    let ids: Vec<u64> = log.iter().map(|event| event.id.unwrap()).collect();
    assert_eq!(ids, (1..=ids.len() as u64).collect::<Vec<_>>());
    let stored = app.json(&format!("/api/v1/rounds/{id}")).await;
    assert_eq!(stored["events"].as_array().unwrap().len(), log.len());
    assert!(log.iter().filter(|event| event.data["status"] == "progress").count() > 2, "the draft streamed");
    assert_eq!(model.calls("plan"), 1);
    assert_eq!(model.calls("write"), 1);
    app.stop().await;
}

/// The events whose last line has come.
fn parse_whole(stream: &str) -> Vec<Sent> {
    parse(stream.rsplit_once("\n\n").map_or("", |(whole, _)| whole))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_event_is_sent_as_soon_as_it_is_there() {
    let model = Arc::new(TalkativeModel::with_pace(Duration::from_millis(60)));
    let app = TestApp::start_with(model.setup()).await;
    let id = app.ask("Where does the ice edge lie?").await;
    let mut body = app.get(&format!("/api/v1/rounds/{id}/events")).await.bytes_stream();
    let (mut text, mut came) = (String::new(), Vec::new());
    while let Some(chunk) = body.next().await {
        text += std::str::from_utf8(&chunk.unwrap()).unwrap();
        let words = parse_whole(&text).iter().filter(|event| event.data["status"] == "progress").count();
        came.resize(words, Instant::now());
    }
    let said = model.said();
    assert_eq!(said.len(), came.len(), "each word is an event");
    let mut late: Vec<Duration> = came.iter().zip(&said).map(|(came, said)| came.duration_since(*said)).collect();
    late.sort();
    println!("from model to client: {late:?}");
    assert!(late[late.len() / 2] < Duration::from_millis(50), "{late:?}");
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_stream_is_neither_compressed_nor_buffered() {
    let app = TestApp::start().await;
    let id = app.ask("ice").await;
    let request = app.request(Method::GET, &format!("/api/v1/rounds/{id}/events")).header("accept-encoding", "br, gzip");
    let response = request.send().await.unwrap();
    let headers = response.headers();
    assert_eq!(headers["content-type"], "text/event-stream");
    assert_eq!(headers["x-accel-buffering"], "no");
    assert!(headers["cache-control"].to_str().unwrap().contains("no-transform"));
    assert!(!headers.contains_key("content-encoding"));
    app.stop().await;
}

/// A round that another process left open never ends by itself: its stream goes on until the server stops.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn streams_end_when_the_server_stops() {
    let app = TestApp::start().await;
    let conversation =
        Conversation { id: ConversationId("open".to_owned()), owner: None, created: "2026-01-01T00:00:00Z".to_owned() };
    app.services.rounds.begin(&conversation).await.unwrap();
    let round = Round {
        id: RoundId("open".to_owned()),
        conversation: conversation.id,
        question: "still open".to_owned(),
        search: String::new(),
        created: "2026-01-01T00:00:00Z".to_owned(),
        finished: false,
    };
    app.services.rounds.create(&round).await.unwrap();
    let response = app.get("/api/v1/rounds/open/events").await;
    let mut body = response.bytes_stream();
    app.stop().await;
    let mut rest = Vec::new();
    while let Some(Ok(chunk)) = body.next().await {
        rest.extend_from_slice(&chunk);
    }
    assert!(!String::from_utf8_lossy(&rest).contains("event: done"), "a client must know that it may resume");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn faults_are_named() {
    let app = TestApp::start().await;
    for (body, field) in [
        (json!({ "question": "  " }), "question"),
        (json!({ "question": "ice", "q": "ice" }), "q"),
        (json!({ "question": "ice", "kind": ["datasets"] }), "kind"),
        (json!({ "question": "ice", "bbox": [1, 2, 3] }), "bbox"),
        (json!({ "question": "ice", "limit": true }), "limit"),
        (json!({ "question": "ice", "colour": "red" }), "colour"),
    ] {
        let problem = problem(app.post("/api/v1/rounds", &body).await, StatusCode::BAD_REQUEST).await;
        assert_eq!(problem["errors"][0]["field"], field, "{body}");
    }
    for body in ["", "{", "[]", "\"ice\"", "{\"question\": 1}", "{}"] {
        let request = app.request(Method::POST, "/api/v1/rounds").header("content-type", "application/json").body(body);
        problem(request.send().await.unwrap(), StatusCode::BAD_REQUEST).await;
    }
    let form = app.request(Method::POST, "/api/v1/rounds").form(&[("question", "ice")]).send().await.unwrap();
    problem(form, StatusCode::UNSUPPORTED_MEDIA_TYPE).await;
    for path in ["/api/v1/rounds/nothing", "/api/v1/rounds/nothing/events"] {
        problem(app.get(path).await, StatusCode::NOT_FOUND).await;
    }
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn filters_of_a_question_may_be_lists_numbers_and_geometries() {
    let app = TestApp::start().await;
    let polygon = json!({ "type": "Polygon", "coordinates": [[[30, -5], [36, -5], [36, 2], [30, 2], [30, -5]]] });
    for filters in [
        json!({ "bbox": [30, -5, 36, 2] }),
        json!({ "bbox": "30,-5,36,2" }),
        json!({ "geometry": polygon, "relation": "within" }),
    ] {
        let mut body = json!({ "question": "water levels" });
        body.as_object_mut().unwrap().extend(filters.as_object().unwrap().clone());
        let response = app.post("/api/v1/rounds", &body).await;
        assert_eq!(response.status(), StatusCode::CREATED, "{body}");
        let started: Value = response.json().await.unwrap();
        let stream = events(&app, started["id"].as_str().unwrap(), None).await;
        let references = stream.iter().find(|event| event.event == "references").unwrap();
        let ids: Vec<_> =
            references.data["data"]["items"].as_array().unwrap().iter().map(|item| item["id"].as_str().unwrap()).collect();
        assert_eq!(ids, ["victoria-levels"], "{body}");
    }
    app.stop().await;
}
