//! `/api/v1/places`.

use reqwest::StatusCode;

use crate::test_app::{TestApp, problem};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_name_has_meanings_with_reasons() {
    let app = TestApp::start().await;
    let places = app.json("/api/v1/places?q=Georgia&limit=5").await;
    let labels: Vec<_> = places["places"].as_array().unwrap().iter().map(|place| place["label"].as_str().unwrap()).collect();
    assert!(labels.len() >= 2 && labels.len() <= 5, "{labels:?}");
    assert!(places["places"].as_array().unwrap().iter().all(|place| !place["because"].as_str().unwrap().is_empty()));
    assert!(places["places"].as_array().unwrap().iter().all(|place| place.get("geometry").is_none()));
    let nowhere = app.json("/api/v1/places?q=Xyzzyplugh").await;
    assert_eq!(nowhere["places"], serde_json::json!([]));
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn faults_are_named() {
    let app = TestApp::start().await;
    for (query, field) in
        [("", "q"), ("q=%20", "q"), ("q=Oslo&limit=0", "limit"), ("q=Oslo&limit=x", "limit"), ("q=Oslo&size=1", "size")]
    {
        let problem = problem(app.get(&format!("/api/v1/places?{query}")).await, StatusCode::BAD_REQUEST).await;
        assert_eq!(problem["errors"][0]["field"], field);
    }
    app.stop().await;
}
