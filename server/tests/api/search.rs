//! `/api/v1/search`.

use reqwest::StatusCode;
use serde_json::Value;

use crate::test_app::{TestApp, problem};

fn ids(results: &Value) -> Vec<&str> {
    results["items"].as_array().unwrap().iter().map(|item| item["id"].as_str().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_search_has_ranks_methods_and_facets() {
    let app = TestApp::start().await;
    let results = app.json("/api/v1/search?q=sea+ice+around+Svalbard").await;
    assert_eq!(results["items"][0]["id"], "svalbard-ice");
    assert_eq!(results["items"][0]["ranks"]["keyword"], 1);
    assert_eq!(results["items"][0]["position"], 1);
    let methods: Vec<_> = results["methods"].as_array().unwrap().iter().map(|method| method["name"].as_str().unwrap()).collect();
    assert_eq!(methods, ["keyword", "semantic", "spatial", "graph"]);
    assert!(results["methods"].as_array().unwrap().iter().all(|method| method["status"] != "degraded"));
    assert!(results["facets"]["kinds"].as_array().is_some_and(|kinds| !kinds.is_empty()));
    assert!(!ids(&results).contains(&"hidden"), "private elements are not found");
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn filters_hold_on_what_is_found() {
    let app = TestApp::start().await;
    let notebooks = app.json("/api/v1/search?q=ice&kind=notebook").await;
    assert_eq!(ids(&notebooks), ["ice-notebook"]);
    let in_the_box = app.json("/api/v1/search?bbox=30,-5,36,2").await;
    assert_eq!(ids(&in_the_box), ["victoria-levels"]);
    let over_the_seam = app.json("/api/v1/search?bbox=175,62,-175,66").await;
    assert_eq!(ids(&over_the_seam), ["bering-map"]);
    let long_ago = app.json("/api/v1/search?datetime=1980/1985").await;
    assert_eq!(ids(&long_ago), ["svalbard-ice"]);
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn pages_follow_each_other_without_gap_or_repetition() {
    let app = TestApp::start().await;
    let mut seen = Vec::new();
    let mut path = "/api/v1/search?q=ice&limit=1".to_owned();
    loop {
        let page = app.json(&path).await;
        seen.extend(ids(&page).into_iter().map(str::to_owned));
        let Some(cursor) = page["next_cursor"].as_str() else { break };
        path = format!("/api/v1/search?q=ice&limit=1&cursor={cursor}");
    }
    let all = app.json("/api/v1/search?q=ice&limit=100").await;
    assert_eq!(seen, ids(&all));
    assert!(seen.len() >= 3);
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn faults_are_named_by_parameter() {
    let app = TestApp::start().await;
    let cases = [
        ("nonsense=1", "nonsense"),
        ("bbox=1,2,3", "bbox"),
        ("bbox=0,91,10,95", "bbox"),
        ("bbox=NaN,0,1,1", "bbox"),
        ("datetime=2020/2010", "datetime"),
        ("datetime=yesterday", "datetime"),
        ("kind=datasets", "kind"),
        ("method=magic", "method"),
        ("sort=best", "sort"),
        ("relation=near", "relation"),
        ("limit=-1", "limit"),
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("limit=99999999999999999999", "limit"),
        ("cursor=abc", "cursor"),
        ("cursor=5-0000000000000000", "cursor"),
        ("geometry=%7B%22type%22%3A%22Polygon%22", "geometry"),
        ("geometry=%7B%22type%22%3A%22Polygon%22%2C%22coordinates%22%3A%5B%5D%7D", "geometry"),
    ];
    for (query, field) in cases {
        let response = app.get(&format!("/api/v1/search?{query}")).await;
        let problem = problem(response, StatusCode::BAD_REQUEST).await;
        let fields: Vec<_> = problem["errors"]
            .as_array()
            .unwrap_or_else(|| panic!("{query}: {problem}"))
            .iter()
            .map(|error| error["field"].as_str().unwrap())
            .collect();
        assert!(fields.contains(&field), "{query}: {problem}");
    }
    let several = problem(app.get("/api/v1/search?limit=0&kind=x&nope=1").await, StatusCode::BAD_REQUEST).await;
    assert_eq!(several["errors"].as_array().unwrap().len(), 3);
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_text_breaks_a_search() {
    let app = TestApp::start().await;
    let long = "ice ".repeat(2_500);
    let texts = [
        "/foo",
        "a:b",
        "\"open",
        "(x",
        "AND",
        "*",
        "\\",
        "NOT",
        "ice AND",
        "🧊",
        "ice\u{0}edge",
        "' OR 1=1 --",
        "{{7*7}}",
        "<script>alert(1)</script>",
        "title:ice^2~",
        "[a TO b]",
        "%",
        "+-&|!",
        &long,
    ];
    for text in texts {
        let query = form_urlencoded::Serializer::new(String::new()).append_pair("q", text).finish();
        let response = app.get(&format!("/api/v1/search?{query}")).await;
        assert_eq!(response.status(), StatusCode::OK, "{text:?}: {}", response.text().await.unwrap());
    }
    // not UTF-8, percent signs that escape nothing
    for query in ["q=%FF%FE", "q=%", "q=%zz", "&&&", "q", "=&="] {
        let status = app.get(&format!("/api/v1/search?{query}")).await.status();
        assert!(status == StatusCode::OK || status == StatusCode::BAD_REQUEST, "{query}: {status}");
    }
    app.stop().await;
}
