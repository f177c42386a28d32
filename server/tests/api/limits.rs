//! Requests that are too large or take too long, and handlers that fail.

use std::{sync::Arc, time::Duration};

use pipeline::{
    model::place::Place,
    ports::{
        Geocoder, PortResult,
        geocoder::{Mention, PlaceContext},
    },
};
use reqwest::{Method, StatusCode};
use server::config::Config;

use crate::test_app::{Setup, TestApp, problem};

/// Hangs on one name, panics on another.
struct Moody;

#[async_trait::async_trait]
impl Geocoder for Moody {
    async fn candidates(&self, name: &str, _: &PlaceContext, _: usize) -> PortResult<Vec<Place>> {
        match name {
            "slow" => std::future::pending().await,
            "broken" => panic!("a fault in a handler"),
            _ => Ok(Vec::new()),
        }
    }

    async fn mentions(&self, _: &str) -> PortResult<Vec<Mention>> {
        Ok(Vec::new())
    }

    async fn place(&self, _: &str) -> PortResult<Option<Place>> {
        Ok(None)
    }
}

async fn app() -> TestApp {
    let mut config = Config::default();
    config.server.request_timeout_seconds = 1;
    config.server.body_limit_bytes = 2_048;
    TestApp::start_with(Setup { config, replace: Some(Box::new(|services| services.geocoder = Arc::new(Moody))) }).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_body_that_is_too_large_is_refused() {
    let app = app().await;
    let question = "ice ".repeat(1_000);
    problem(app.post("/api/v1/rounds", &serde_json::json!({ "question": question })).await, StatusCode::PAYLOAD_TOO_LARGE).await;
    let form = app.request(Method::POST, "/ask").form(&[("q", question)]).send().await.unwrap();
    problem(form, StatusCode::PAYLOAD_TOO_LARGE).await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_answer_that_takes_too_long_is_a_problem() {
    let app = app().await;
    let started = std::time::Instant::now();
    problem(app.get("/api/v1/places?q=slow").await, StatusCode::SERVICE_UNAVAILABLE).await;
    assert!(started.elapsed() < Duration::from_secs(10));
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_panic_is_a_problem_and_the_server_goes_on() {
    let app = app().await;
    let problem = problem(app.get("/api/v1/places?q=broken").await, StatusCode::INTERNAL_SERVER_ERROR).await;
    assert!(!problem.to_string().contains("a fault in a handler"), "the cause is for the log");
    assert_eq!(app.get("/api/v1/places?q=other").await.status(), StatusCode::OK);
    app.stop().await;
}
