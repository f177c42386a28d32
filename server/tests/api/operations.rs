//! What operators ask.

use crate::test_app::TestApp;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_server_with_its_projections_is_ready() {
    let app = TestApp::start().await;
    let readiness = app.json("/readyz").await;
    assert_eq!(readiness["ready"], true);
    assert_eq!(readiness["reasons"], serde_json::json!([]));
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn metrics_count_requests_by_route_and_never_what_was_asked() {
    let app = TestApp::start().await;
    app.json("/api/v1/search?q=secretquestion").await;
    app.get("/api/v1/elements/secretelement").await;
    let metrics = app.get("/metrics").await.text().await.unwrap();
    assert!(metrics.contains(r#"route="/api/v1/search""#), "{metrics}");
    assert!(metrics.contains("cairn_http_request_seconds_bucket"));
    for projection in ["text", "vectors", "graph"] {
        assert!(metrics.contains(&format!(r#"cairn_projection_lag{{projection="{projection}"}} 0"#)), "{metrics}");
    }
    assert!(metrics.contains("cairn_elements 5"), "public ones: {metrics}");
    assert!(!metrics.contains("secret"));
    app.stop().await;
}
