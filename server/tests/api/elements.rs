//! `/api/v1/elements`.

use reqwest::{Method, StatusCode};
use serde_json::Value;

use crate::test_app::{TestApp, problem};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_element_is_returned_whole_and_private_ones_are_as_good_as_absent() {
    let app = TestApp::start().await;
    let element = app.json("/api/v1/elements/svalbard-ice").await;
    assert_eq!(element["title"], "Sea ice extent around Svalbard");
    assert_eq!(element["spatial"]["bbox"], serde_json::json!([10.0, 74.0, 35.0, 81.0]));
    let absent = problem(app.get("/api/v1/elements/nothing").await, StatusCode::NOT_FOUND).await;
    let private = problem(app.get("/api/v1/elements/hidden").await, StatusCode::NOT_FOUND).await;
    assert_eq!(absent["detail"], private["detail"]);
    for path in [
        "/api/v1/elements/hidden/neighbours",
        "/api/v1/elements/..%2F..%2Fetc%2Fpasswd",
        "/api/v1/elements/%00",
        "/api/v1/elements/'%20OR%201=1",
    ] {
        problem(app.get(path).await, StatusCode::NOT_FOUND).await;
    }
    problem(app.get("/api/v1/elements/%FF").await, StatusCode::BAD_REQUEST).await;
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn neighbours_are_edges_in_both_directions() {
    let app = TestApp::start().await;
    let report = app.json("/api/v1/elements/svalbard-ice/neighbours").await;
    let neighbours = report["neighbours"].as_array().unwrap();
    let has = |edge: &str, direction: &str, other: &str| {
        neighbours.iter().any(|neighbour| {
            let node = &neighbour["node"];
            neighbour["edge"] == edge && neighbour["direction"] == direction && (node["id"] == other || node["name"] == other)
        })
    };
    assert!(has("authored-by", "out", "Ada Lovelace"), "{report}");
    assert!(has("contributed-by", "out", "Grace Hopper"), "{report}");
    assert!(has("derived-from", "in", "ice-notebook"), "{report}");
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_click_counts_once_a_visitor_and_never_for_robots() {
    let app = TestApp::start().await;
    let click = async |agent: &str, element: &str| {
        let request = app.request(Method::POST, &format!("/api/v1/elements/{element}/clicks"));
        request.header("user-agent", agent).send().await.unwrap()
    };
    let counted =
        async |agent: &str| click(agent, "victoria-levels").await.json::<Value>().await.unwrap()["counted"].as_bool().unwrap();
    assert!(counted("Firefox").await);
    assert!(!counted("Firefox").await, "the same visitor within 30 s");
    assert!(counted("Safari").await, "another visitor");
    assert!(!counted("Googlebot/2.1").await);
    assert!(!counted("").await);
    assert_eq!(app.json("/api/v1/elements/victoria-levels").await["click_count"], 2);
    // looking does not count
    app.get("/api/v1/elements/victoria-levels").await;
    assert_eq!(app.json("/api/v1/elements/victoria-levels").await["click_count"], 2);
    for element in ["hidden", "nothing"] {
        for agent in ["Firefox", "Googlebot/2.1"] {
            problem(click(agent, element).await, StatusCode::NOT_FOUND).await;
        }
    }
    app.caught_up().await;
    let popular = app.json("/api/v1/search?sort=popular").await;
    assert_eq!(popular["items"][0]["id"], "victoria-levels");
    app.stop().await;
}
