//! Every route answers, and every route the server has stands in these lists: they are compared with the API's document, the
//! pages' router and the server functions there are.

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::{Value, json};

use crate::test_app::TestApp;

struct Call {
    route: &'static str,
    method: Method,
    path: String,
    body: Option<Value>,
    status: u16,
}

fn call(method: Method, route: &'static str, path: impl Into<String>, status: u16) -> Call {
    Call { route, method, path: path.into(), body: None, status }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn every_route_answers_and_is_documented() {
    let app = TestApp::start().await;
    let started = app.start_round(&json!({ "question": "Where is the ice edge?" })).await;
    let (round, conversation) = (started["id"].as_str().unwrap(), started["conversation"].as_str().unwrap());
    let calls = [
        call(Method::GET, "/api/v1/search", "/api/v1/search?q=ice", 200),
        call(Method::GET, "/api/v1/elements/{id}", "/api/v1/elements/svalbard-ice", 200),
        call(Method::GET, "/api/v1/elements/{id}/neighbours", "/api/v1/elements/svalbard-ice/neighbours", 200),
        call(Method::POST, "/api/v1/elements/{id}/clicks", "/api/v1/elements/svalbard-ice/clicks", 200),
        call(Method::GET, "/api/v1/places", "/api/v1/places?q=Svalbard", 200),
        Call {
            body: Some(json!({ "question": "Where is ice?" })),
            ..call(Method::POST, "/api/v1/rounds", "/api/v1/rounds", 201)
        },
        call(Method::GET, "/api/v1/rounds/{id}", format!("/api/v1/rounds/{round}"), 200),
        call(Method::GET, "/api/v1/rounds/{id}/events", format!("/api/v1/rounds/{round}/events"), 200),
        call(Method::POST, "/api/v1/rounds/{id}/stop", format!("/api/v1/rounds/{round}/stop"), 200),
        Call {
            body: Some(json!({ "thumbs": "up" })),
            ..call(Method::POST, "/api/v1/rounds/{id}/feedback", format!("/api/v1/rounds/{round}/feedback"), 200)
        },
        call(Method::GET, "/api/v1/rounds/{id}/feedback", format!("/api/v1/rounds/{round}/feedback"), 200),
        call(Method::GET, "/api/v1/rounds/{id}/export", format!("/api/v1/rounds/{round}/export"), 200),
        call(Method::GET, "/api/v1/conversations", "/api/v1/conversations", 200),
        call(Method::GET, "/api/v1/conversations/{id}", format!("/api/v1/conversations/{conversation}"), 200),
        call(Method::GET, "/healthz", "/healthz", 200),
        call(Method::GET, "/readyz", "/readyz", 200),
        call(Method::GET, "/metrics", "/metrics", 200),
    ];
    let document = app.json("/api/v1/openapi.json").await;
    let mut documented = BTreeSet::new();
    for (path, operations) in document["paths"].as_object().unwrap() {
        for method in operations.as_object().unwrap().keys() {
            documented.insert(format!("{} {path}", method.to_uppercase()));
        }
    }
    let called: BTreeSet<String> = calls.iter().map(|call| format!("{} {}", call.method, call.route)).collect();
    assert_eq!(called, documented);

    for call in calls {
        let mut request = app.request(call.method.clone(), &call.path);
        if let Some(body) = &call.body {
            request = request.json(body);
        }
        let response = request.send().await.unwrap();
        assert_eq!(response.status().as_u16(), call.status, "{} {}", call.method, call.path);
        assert!(response.headers().contains_key("x-request-id"));
    }
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn every_page_answers() {
    let app = TestApp::start().await;
    let started = app.start_round(&json!({ "question": "Where is the ice edge?" })).await;
    let (round, conversation) = (started["id"].as_str().unwrap(), started["conversation"].as_str().unwrap());
    let pages = [
        ("/", format!("/?q=ice&round={round}")),
        ("/about", "/about".to_owned()),
        ("/conversations/{id}", format!("/conversations/{conversation}")),
        ("/elements/{id}", "/elements/svalbard-ice".to_owned()),
        ("/history", "/history".to_owned()),
        ("/rounds/{id}", format!("/rounds/{round}")),
    ];
    let routed: BTreeSet<String> =
        leptos_axum::generate_route_list(app::App).iter().map(|route| route.path().to_owned()).collect();
    assert_eq!(pages.iter().map(|(route, _)| (*route).to_owned()).collect::<BTreeSet<_>>(), routed);
    for (_, path) in &pages {
        let response = app.get(path).await;
        assert_eq!(response.status(), 200, "{path}");
        assert!(response.text().await.unwrap().contains("</html>"), "{path} is whole");
    }
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn every_server_function_answers_and_only_reads() {
    let app = TestApp::start().await;
    let started = app.start_round(&json!({ "question": "Where is the ice edge?" })).await;
    let (round, conversation) = (started["id"].as_str().unwrap(), started["conversation"].as_str().unwrap());
    let calls = [
        ("/pages/search", "query=q%3Dice".to_owned()),
        ("/pages/overview", String::new()),
        ("/pages/element", "id=svalbard-ice".to_owned()),
        ("/pages/round", format!("id={round}")),
        ("/pages/conversations", String::new()),
        ("/pages/conversation", format!("id={conversation}")),
    ];
    let mut there = BTreeSet::new();
    for (path, method) in leptos::server_fn::axum::server_fn_paths() {
        assert_eq!(method, Method::GET, "{path} could change something");
        there.insert(path);
    }
    assert_eq!(calls.iter().map(|(path, _)| *path).collect::<BTreeSet<_>>(), there);
    for (path, query) in &calls {
        assert!(app.json(&format!("{path}?{query}")).await.is_object(), "{path}");
    }
    app.stop().await;
}
