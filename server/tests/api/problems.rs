//! What is refused, and how it is said.

use reqwest::{Method, StatusCode};

use crate::test_app::{TestApp, problem};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn unknown_addresses_and_methods_are_problems() {
    let app = TestApp::start().await;
    for path in ["/api", "/api/", "/api/v1", "/api/v1/nothing", "/api/v2/search", "/api/v1/search/more"] {
        problem(app.get(path).await, StatusCode::NOT_FOUND).await;
    }
    for (method, path) in
        [(Method::POST, "/api/v1/search"), (Method::DELETE, "/api/v1/elements/svalbard-ice"), (Method::GET, "/api/v1/rounds")]
    {
        let response = app.request(method, path).send().await.unwrap();
        assert!(response.headers().contains_key("allow"), "{path}");
        problem(response, StatusCode::METHOD_NOT_ALLOWED).await;
    }
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn posts_from_other_sites_are_refused() {
    let app = TestApp::start().await;
    let host = app.url.trim_start_matches("http://").to_owned();
    let own = format!("http://{host}");
    let cases: [(&[(&str, &str)], bool); 6] = [
        (&[], true),
        (&[("origin", &own)], true),
        (&[("origin", &own), ("sec-fetch-site", "same-origin")], true),
        (&[("origin", "https://evil.example"), ("sec-fetch-site", "cross-site")], false),
        (&[("origin", "https://evil.example")], false),
        (&[("origin", "null")], false),
    ];
    for (headers, allowed) in cases {
        for path in ["/api/v1/elements/svalbard-ice/clicks", "/ask"] {
            let mut request = app.request(Method::POST, path).form(&[("q", "ice")]);
            for (name, value) in headers {
                request = request.header(*name, *value);
            }
            let response = request.send().await.unwrap();
            if allowed {
                assert!(
                    response.status().is_success() || response.status().is_redirection(),
                    "{path} {headers:?}: {}",
                    response.status()
                );
            } else {
                problem(response, StatusCode::FORBIDDEN).await;
            }
        }
    }
    // reading is not refused: links from other sites work
    let read = app.request(Method::GET, "/api/v1/search?q=ice").header("sec-fetch-site", "cross-site").send().await.unwrap();
    assert_eq!(read.status(), StatusCode::OK);
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_request_id_is_ours() {
    let app = TestApp::start().await;
    let response = app.request(Method::GET, "/api/v1/nothing").header("x-request-id", "theirs").send().await.unwrap();
    let problem = problem(response, StatusCode::NOT_FOUND).await;
    assert_ne!(problem["instance"], "theirs");
    app.stop().await;
}
