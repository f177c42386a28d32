//! What a visitor makes of a round.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::test_app::{TestApp, problem};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn feedback_is_kept_changed_and_taken_back() {
    let app = TestApp::start().await;
    let id = app.ask("Where does the ice edge lie?").await;
    let path = format!("/api/v1/rounds/{id}/feedback");
    assert_eq!(app.json(&path).await, Value::Null);
    let all = json!({ "thumbs": "up", "ratings": { "relevance": 5, "sufficiency": 4, "accuracy": 3, "clarity": 2, "completeness": 1, "trust": 5 },
        "comment": "Clear, but says nothing of <b>thickness</b>." });
    for body in [all, json!({ "thumbs": "down" }), json!({ "ratings": { "trust": 1 } }), json!({ "comment": "ø".repeat(2_000) })]
    {
        let response = app.post(&path, &body).await;
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.json::<Value>().await.unwrap(), body);
        assert_eq!(app.json(&path).await, body);
        assert_eq!(app.json(&format!("/api/v1/rounds/{id}")).await["feedback"], body);
    }
    assert_eq!(app.post(&path, &json!({})).await.status(), StatusCode::OK);
    assert_eq!(app.json(&path).await, Value::Null);
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn faults_are_named_and_nothing_is_kept() {
    let app = TestApp::start().await;
    let id = app.ask("ice").await;
    let path = format!("/api/v1/rounds/{id}/feedback");
    for (body, field) in [
        (json!({ "thumbs": "sideways" }), "thumbs"),
        (json!({ "thumbs": true }), "thumbs"),
        (json!({ "ratings": { "trust": 0 } }), "trust"),
        (json!({ "ratings": { "trust": 6 } }), "trust"),
        (json!({ "ratings": { "trust": 4.5 } }), "trust"),
        (json!({ "ratings": { "trust": "high" } }), "trust"),
        (json!({ "ratings": { "beauty": 5 } }), "beauty"),
        (json!({ "ratings": [5] }), "ratings"),
        (json!({ "trust": 5 }), "trust"),
        (json!({ "comment": "x".repeat(2_001) }), "comment"),
        (json!({ "thumbs": "up", "colour": "red" }), "colour"),
    ] {
        let refused = problem(app.post(&path, &body).await, StatusCode::BAD_REQUEST).await;
        assert_eq!(refused["errors"][0]["field"], field, "{body}");
    }
    assert_eq!(app.json(&path).await, Value::Null);
    let absent = app.post("/api/v1/rounds/none/feedback", &json!({ "thumbs": "up" })).await;
    assert_eq!(absent.status(), StatusCode::NOT_FOUND);
    let form = app.request(Method::POST, "/rounds/none/feedback").form(&[("thumbs", "up")]);
    assert_eq!(app.send(form).await.status(), StatusCode::NOT_FOUND);
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_form_works_without_javascript() {
    let app = TestApp::start().await;
    let id = app.ask("ice").await;
    let post =
        async |form: &[(&str, &str)]| app.send(app.request(Method::POST, &format!("/rounds/{id}/feedback")).form(form)).await;
    let form = [("thumbs", "up"), ("relevance", "4"), ("clarity", ""), ("comment", "one\r\ntwo"), ("back", "/?q=ice&round=1")];
    let response = post(&form).await;
    assert_eq!(response.status(), StatusCode::SEE_OTHER);
    assert_eq!(response.headers()["location"], "/?q=ice&round=1#feedback");
    let kept = app.json(&format!("/api/v1/rounds/{id}/feedback")).await;
    assert_eq!(kept, json!({ "thumbs": "up", "ratings": { "relevance": 4 }, "comment": "one\ntwo" }));
    let response = post(&[("relevance", "2"), ("back", "https://evil.example/")]).await;
    assert_eq!(response.headers()["location"], format!("/rounds/{id}#feedback").as_str());
    assert_eq!(app.json(&format!("/api/v1/rounds/{id}/feedback")).await, json!({ "ratings": { "relevance": 2 } }));

    problem(post(&[("relevance", "7")]).await, StatusCode::BAD_REQUEST).await;
    let person =
        app.request(Method::POST, &format!("/rounds/{id}/feedback")).header("accept", "text/html").form(&[("relevance", "7")]);
    let page = app.send(person).await;
    assert_eq!(page.headers()["content-type"], "text/html; charset=utf-8");
    assert!(page.text().await.unwrap().contains("from 1 to 5"));
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn another_sites_page_cannot_rate_or_stop() {
    let app = TestApp::start().await;
    let id = app.ask("ice").await;
    for path in ["feedback", "stop"] {
        for prefix in ["", "/api/v1"] {
            let request =
                app.request(Method::POST, &format!("{prefix}/rounds/{id}/{path}")).header("origin", "https://evil.example");
            let request = request.header("sec-fetch-site", "cross-site").form(&[("thumbs", "down")]);
            problem(app.send(request).await, StatusCode::FORBIDDEN).await;
        }
    }
    assert_eq!(app.json(&format!("/api/v1/rounds/{id}/feedback")).await, Value::Null);
    app.stop().await;
}
