//! Pages, their files and the form without JavaScript.

use reqwest::{Method, StatusCode};

use crate::test_app::TestApp;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_search_page_has_cards_without_javascript() {
    let app = TestApp::start().await;
    let response = app.get("/?q=sea+ice+around+Svalbard").await;
    assert_eq!(response.status(), StatusCode::OK);
    let html = response.text().await.unwrap();
    assert!(html.contains("/elements/svalbard-ice"), "{html}");
    assert!(!html.contains("Private ice"));
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn scripts_of_a_page_carry_the_nonce_of_its_policy() {
    let app = TestApp::start().await;
    let mut nonces = Vec::new();
    for path in ["/", "/elements/svalbard-ice", "/about", "/no-such-page"] {
        let response = app.get(path).await;
        let headers = response.headers().clone();
        assert_eq!(headers["x-content-type-options"], "nosniff");
        assert_eq!(headers["referrer-policy"], "strict-origin-when-cross-origin");
        let policy = headers["content-security-policy"].to_str().unwrap().to_owned();
        assert!(policy.contains("frame-ancestors 'none'") && !policy.contains("script-src 'unsafe-inline'"), "{policy}");
        let nonce = policy
            .split("'nonce-")
            .nth(1)
            .and_then(|rest| rest.split('\'').next())
            .unwrap_or_else(|| panic!("{path}: {policy}"))
            .to_owned();
        let html = response.text().await.unwrap();
        let scripts: Vec<&str> = html.split("<script").skip(1).map(|rest| rest.split('>').next().unwrap()).collect();
        assert!(!scripts.is_empty());
        for script in scripts {
            let is_data = script.contains("application/json") || script.contains("ld+json");
            assert!(is_data || script.contains(&nonce) || script.contains("src=\"/"), "{path}: <script{script}> would not run");
        }
        nonces.push(nonce);
    }
    nonces.dedup();
    assert_eq!(nonces.len(), 4, "a nonce is used once");
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn pages_that_are_not_there_say_so() {
    let app = TestApp::start().await;
    for path in ["/no-such-page", "/elements/nothing", "/elements/hidden", "/rounds/nothing"] {
        let response = app.request(Method::GET, path).header("accept", "text/html").send().await.unwrap();
        assert_eq!(response.status(), StatusCode::NOT_FOUND, "{path}");
        assert!(response.headers()["content-type"].to_str().unwrap().starts_with("text/html"), "{path}");
    }
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_form_starts_a_round_and_leads_to_its_page() {
    let app = TestApp::start().await;
    let form = [("q", "Where does the ice edge lie?"), ("kind", "dataset"), ("bbox_west", ""), ("path", "standard")];
    let response = app.send(app.request(Method::POST, "/ask").form(&form)).await;
    assert_eq!(response.status(), StatusCode::SEE_OTHER);
    let page = response.headers()["location"].to_str().unwrap().to_owned();
    assert!(page.starts_with("/rounds/"), "{page}");
    assert_eq!(app.get(&page).await.status(), StatusCode::OK);
    let round = app.json(&format!("/api/v1{page}")).await;
    assert_eq!(round["round"]["question"], "Where does the ice edge lie?");
    assert!(round["round"]["search"].as_str().unwrap().contains("kind=dataset"));
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_form_with_faults_leads_to_the_search_page_that_names_them() {
    let app = TestApp::start().await;
    for form in [[("q", ""), ("kind", "dataset")], [("q", "ice"), ("kind", "nonsense")]] {
        let response = app.request(Method::POST, "/ask").form(&form).send().await.unwrap();
        assert_eq!(response.status(), StatusCode::SEE_OTHER);
        let page = response.headers()["location"].to_str().unwrap().to_owned();
        assert!(page.starts_with("/?") && page.contains(form[1].1), "{page}");
    }
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn files_are_served_compressed_and_kept_as_long_as_they_may_be() {
    let app = TestApp::start().await;
    let script = app.request(Method::GET, "/pkg/cairn.js").header("accept-encoding", "br").send().await.unwrap();
    assert_eq!(script.headers()["content-encoding"], "br");
    assert_eq!(script.headers()["cache-control"], "no-cache");
    let since = script.headers()["last-modified"].clone();
    assert_eq!(script.bytes().await.unwrap(), "compressed");
    let again = app.request(Method::GET, "/pkg/cairn.js").header("if-modified-since", since).send().await.unwrap();
    assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
    let vendored = app.get("/vendor/leaflet/leaflet.js").await;
    assert_eq!(vendored.headers()["cache-control"], "public, max-age=86400");
    for path in ["/pkg/../../data/records.db", "/pkg/%2e%2e/%2e%2e/Cargo.toml", "/pkg/nothing.js"] {
        assert_eq!(app.get(path).await.status(), StatusCode::NOT_FOUND, "{path}");
    }
    app.stop().await;
}
