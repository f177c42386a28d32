//! A round as a file.

use pipeline::{model::element::Kind, ports::records::Change, testing::builders::element};
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::test_app::{TestApp, problem};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_round_is_kept_as_markdown_or_json() {
    let app = TestApp::start().await;
    let started = app.start_round(&json!({ "question": "Where does the ice edge lie?", "kind": ["dataset"] })).await;
    let id = started["id"].as_str().unwrap();
    let events = app.finished(id).await;
    app.post(&format!("/api/v1/rounds/{id}/feedback"), &json!({ "thumbs": "up" })).await;

    for path in [format!("/api/v1/rounds/{id}/export"), format!("/api/v1/rounds/{id}/export?format=md")] {
        let response = app.get(&path).await;
        assert_eq!(response.headers()["content-type"], "text/markdown; charset=utf-8");
        assert_eq!(response.headers()["content-disposition"], format!("attachment; filename=\"cairn-{id}.md\"").as_str());
        let text = response.text().await.unwrap();
        for part in [
            "# Where does the ice edge lie?",
            "Filters: kind dataset",
            "The ice edge lies between Svalbard and Greenland. \\[1\\]",
            "- \\[1\\] [Sea ice extent around Svalbard](<http://127.0.0.1:",
            "/elements/svalbard-ice>), dataset, Ada Lovelace",
            "  > “The ice edge lies between Svalbard and Greenland.”",
            "ms, retrieval: keyword: ",
            "No language model was called.",
        ] {
            assert!(text.contains(part), "{part} is not in\n{text}");
        }
    }

    let response = app.get(&format!("/api/v1/rounds/{id}/export?format=json")).await;
    assert_eq!(response.headers()["content-disposition"], format!("attachment; filename=\"cairn-{id}.json\"").as_str());
    let whole: Value = response.json().await.unwrap();
    assert_eq!(whole["round"]["id"], *id);
    assert_eq!(whole["events"], Value::Array(events));
    assert_eq!(whole["feedback"], json!({ "thumbs": "up" }));
    assert_eq!(whole.get("share_key"), None, "a file that is passed on opens nothing");
    problem(app.get(&format!("/api/v1/rounds/{id}/export?format=pdf")).await, StatusCode::BAD_REQUEST).await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_catalogues_text_cannot_break_the_markdown() {
    let app = TestApp::start().await;
    let hostile = element("hostile")
        .kind(Kind::Dataset)
        .title("Permafrost](https://evil.example) <img src=x onerror=alert(1)>")
        .description("Permafrost depth | ![x](https://evil.example/x.png) is <script>alert(1)</script> measured at https://evil.example here.")
        .build();
    app.services.records.commit(vec![Change::Put(Box::new(hostile))]).await.unwrap();
    app.caught_up().await;
    let id = app.ask("permafrost depth").await;
    app.finished(&id).await;
    let text = app.get(&format!("/api/v1/rounds/{id}/export")).await.text().await.unwrap();
    assert!(text.contains("Permafrost\\]"), "{text}");
    for broken in ["](https://evil", "https://evil.example", " <img", "<script>", " ![x]"] {
        assert!(!text.contains(broken), "{broken} is in\n{text}");
    }
    app.stop().await;
}
