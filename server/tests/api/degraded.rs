//! An engine that is down is not "no match".

use std::sync::Arc;

use pipeline::{
    services::Services,
    testing::fakes::{DownEmbedder, DownGeocoder, DownGraph, DownIndex},
};
use reqwest::StatusCode;
use serde_json::Value;

use crate::test_app::{Setup, TestApp, problem};

async fn app_with(replace: impl FnOnce(&mut Services) + Send + 'static) -> TestApp {
    TestApp::start_with(Setup { replace: Some(Box::new(replace)), ..Setup::default() }).await
}

fn method<'a>(results: &'a Value, name: &str) -> &'a Value {
    results["methods"].as_array().unwrap().iter().find(|method| method["name"] == name).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_search_goes_on_without_the_embedder() {
    let app = app_with(|services| services.embedder = Ok(Arc::new(DownEmbedder::default()))).await;
    let results = app.json("/api/v1/search?q=sea+ice").await;
    assert_eq!(method(&results, "semantic")["status"], "degraded");
    assert!(!method(&results, "semantic")["reason"].as_str().unwrap().is_empty());
    assert_eq!(results["items"][0]["id"], "svalbard-ice");
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_search_says_that_no_model_is_installed() {
    let app = app_with(|services| services.embedder = Err("no model is installed".into())).await;
    let results = app.json("/api/v1/search?q=sea+ice").await;
    assert_eq!(method(&results, "semantic")["status"], "degraded");
    assert!(method(&results, "semantic")["reason"].as_str().unwrap().contains("no model is installed"));
    let readiness = app.json("/readyz").await;
    assert!(readiness["degraded"].to_string().contains("no model is installed"), "{readiness}");
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_graph_may_be_down() {
    let app = app_with(|services| services.graph = Arc::new(DownGraph)).await;
    let results = app.json("/api/v1/search?q=ice+by+Ada+Lovelace").await;
    assert!(!results["items"].as_array().unwrap().is_empty());
    let report = app.json("/api/v1/elements/svalbard-ice/neighbours").await;
    assert_eq!(report["neighbours"], serde_json::json!([]));
    assert!(!report["degraded"].as_str().unwrap().is_empty());
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_geocoder_may_be_down() {
    let app = app_with(|services| services.geocoder = Arc::new(DownGeocoder)).await;
    problem(app.get("/api/v1/places?q=Svalbard").await, StatusCode::SERVICE_UNAVAILABLE).await;
    let results = app.json("/api/v1/search?q=ice&place=Svalbard").await;
    assert_eq!(results["place"]["status"], "failed", "a place that could not be looked up is said");
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn without_the_index_the_server_is_alive_but_not_ready() {
    let app = app_with(|services| services.index = Arc::new(DownIndex)).await;
    assert_eq!(app.get("/healthz").await.status(), StatusCode::OK);
    let response = app.get("/readyz").await;
    assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
    let readiness: Value = response.json().await.unwrap();
    assert!(readiness["reasons"][0].as_str().unwrap().contains("search index"), "{readiness}");
    // what does not need it still works
    assert_eq!(app.json("/api/v1/elements/svalbard-ice").await["id"], "svalbard-ice");
    app.stop().await;
}
