//! Whose rounds they are: the cookie, the owner's key, the link that is shared, and strangers.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use server::config::Config;

use crate::test_app::{Setup, TestApp, cookie_of, problem};

struct Reader {
    name: &'static str,
    cookie: Option<String>,
    key: Option<String>,
    reads: StatusCode,
    changes: StatusCode,
}

/// Everything that can be done with a round, by everybody who might try.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_each_may_do_with_a_round() {
    let app = TestApp::start().await;
    let started = app.start_round(&json!({ "question": "Where does the ice edge lie?" })).await;
    let other = app.start_round(&json!({ "question": "Where is ice?" })).await;
    let (id, own_key) = (started["id"].as_str().unwrap(), started["key"].as_str().unwrap().to_owned());
    app.finished(id).await;
    let share_key = started["share"].as_str().unwrap().split_once("?key=").unwrap().1.to_owned();
    assert_ne!(own_key, share_key);
    let own = app.cookie().unwrap();
    let asked = app.stranger(Method::POST, "/api/v1/rounds").json(&json!({ "question": "ice" })).send().await.unwrap();
    let other_visitor = cookie_of(&asked).unwrap();
    assert_ne!(own, other_visitor);
    let tampered = format!("{}0", &own[..own.len() - 1]);
    let foreign_name = {
        // one visitor's signature on another's name
        let (mine, theirs) = (own.split_at(own.len() - 36), other_visitor.split_at(other_visitor.len() - 36));
        format!("{}{}", mine.0, theirs.1)
    };

    let (ok, forbidden, absent) = (StatusCode::OK, StatusCode::FORBIDDEN, StatusCode::NOT_FOUND);
    let reader = |name, cookie: Option<&String>, key: Option<&str>, reads, changes| Reader {
        name,
        cookie: cookie.cloned(),
        key: key.map(str::to_owned),
        reads,
        changes,
    };
    let readers = [
        reader("owner", Some(&own), None, ok, ok),
        reader("own key", None, Some(&own_key), ok, ok),
        reader("another visitor with the own key", Some(&other_visitor), Some(&own_key), ok, ok),
        reader("share key", None, Some(&share_key), ok, forbidden),
        reader("another visitor with the share key", Some(&other_visitor), Some(&share_key), ok, forbidden),
        reader("owner who follows the shared link", Some(&own), Some(&share_key), ok, ok),
        reader("owner with a wrong key", Some(&own), Some("wrong"), ok, ok),
        reader("stranger", None, None, absent, absent),
        reader("another visitor", Some(&other_visitor), None, absent, absent),
        reader("tampered cookie", Some(&tampered), None, absent, absent),
        reader("another's name under one's own signature", Some(&foreign_name), None, absent, absent),
        reader("unsigned cookie", Some(&format!("cairn_visitor={}", &own[own.len() - 36..])), None, absent, absent),
        reader("key of another round", None, other["key"].as_str(), absent, absent),
        reader("empty key", None, Some(""), absent, absent),
        reader("wrong key", None, Some("AAAA"), absent, absent),
        reader("shortened key", None, Some(&own_key[..own_key.len() - 2]), absent, absent),
    ];
    for Reader { name, cookie, key, reads, changes } in readers {
        let query = key.map(|key| format!("?key={key}")).unwrap_or_default();
        let request = |method: Method, path: &str| {
            let request = app.stranger(method, &format!("{path}{query}"));
            cookie.iter().fold(request, |request, cookie| request.header("cookie", cookie))
        };
        for path in ["", "/events", "/export"] {
            let response = request(Method::GET, &format!("/api/v1/rounds/{id}{path}")).send().await.unwrap();
            assert_eq!(response.status(), reads, "{name} reads {path}");
        }
        let page = request(Method::GET, &format!("/rounds/{id}")).send().await.unwrap();
        assert_eq!(page.status(), reads, "{name} reads the page");
        let read = request(Method::GET, &format!("/api/v1/rounds/{id}/feedback")).send().await.unwrap();
        assert_eq!(read.status(), changes, "{name} reads feedback");
        for (path, body) in [("stop", json!({})), ("feedback", json!({ "thumbs": "up" }))] {
            let response = request(Method::POST, &format!("/api/v1/rounds/{id}/{path}")).json(&body).send().await.unwrap();
            assert_eq!(response.status(), changes, "{name} posts {path}");
        }
        let form = request(Method::POST, &format!("/rounds/{id}/feedback")).form(&[("thumbs", "up")]).send().await.unwrap();
        let expected = if changes == ok { StatusCode::SEE_OTHER } else { changes };
        assert_eq!(form.status(), expected, "{name} posts the form");
    }
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_a_reader_gets_tells_nothing_of_its_owner() {
    let app = TestApp::start().await;
    let started = app.start_round(&json!({ "question": "Where does the ice edge lie?" })).await;
    let id = started["id"].as_str().unwrap();
    app.finished(id).await;
    app.post(&format!("/api/v1/rounds/{id}/feedback"), &json!({ "comment": "for myself" })).await;
    let page = started["share"].as_str().unwrap();
    let shared = app.stranger(Method::GET, &format!("/api/v1{page}")).send().await.unwrap();
    let text = shared.text().await.unwrap();
    let name = &app.cookie().unwrap()[app.cookie().unwrap().len() - 36..];
    assert!(!text.contains(name) && !text.contains("for myself") && !text.contains(started["key"].as_str().unwrap()), "{text}");
    let view: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(view["access"], "read");
    assert!(page.ends_with(view["share_key"].as_str().unwrap()));
    let own = app.json(&format!("/api/v1/rounds/{id}")).await;
    assert_eq!((&own["access"], &own["feedback"]["comment"]), (&json!("own"), &json!("for myself")));
    let html = app.stranger(Method::GET, page).send().await.unwrap().text().await.unwrap();
    assert!(!html.contains(name) && !html.contains("for myself"));
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_cookie_is_set_when_somebody_asks_and_stays() {
    let app = TestApp::start().await;
    for path in ["/", "/api/v1/search?q=ice", "/about"] {
        assert_eq!(cookie_of(&app.get(path).await), None, "who only looks is not named: {path}");
    }
    let first = app.post("/api/v1/rounds", &json!({ "question": "ice" })).await;
    let set = first.headers()["set-cookie"].to_str().unwrap().to_owned();
    for part in ["cairn_visitor=", "HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=34560000"] {
        assert!(set.contains(part), "{part} is not in {set}");
    }
    assert!(!set.contains("Secure"), "{set}");
    let cookie = app.cookie().unwrap();
    app.ask("more ice").await;
    assert_eq!(app.cookie().unwrap(), cookie, "the same visitor");
    let tampered =
        app.stranger(Method::POST, "/api/v1/rounds").header("cookie", format!("{cookie}0")).json(&json!({ "question": "ice" }));
    assert_ne!(cookie_of(&tampered.send().await.unwrap()).unwrap(), cookie, "a new visitor");
    app.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn behind_tls_the_cookie_is_for_tls() {
    let mut config = Config::default();
    config.server.public_url = Some("https://cairn.example".to_owned());
    let app = TestApp::start_with(Setup { config, ..Setup::default() }).await;
    let response = app.post("/api/v1/rounds", &json!({ "question": "ice" })).await;
    assert!(response.headers()["set-cookie"].to_str().unwrap().contains("; Secure"));
    app.stop().await;
}

/// Rounds of the first version had no owner; their addresses were given out.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_round_of_nobody_stays_readable() {
    use pipeline::model::{
        conversation::{Conversation, ConversationId},
        round::{Round, RoundId},
    };
    let app = TestApp::start().await;
    let conversation =
        Conversation { id: ConversationId("old".to_owned()), owner: None, created: "2026-01-01T00:00:00Z".to_owned() };
    app.services.rounds.begin(&conversation).await.unwrap();
    let round = Round {
        id: RoundId("old".to_owned()),
        conversation: conversation.id,
        question: "Old ice?".to_owned(),
        search: String::new(),
        created: conversation.created,
        finished: true,
    };
    app.services.rounds.create(&round).await.unwrap();
    assert_eq!(app.json("/api/v1/rounds/old").await["access"], "read");
    problem(app.post("/api/v1/rounds/old/feedback", &json!({ "thumbs": "up" })).await, StatusCode::FORBIDDEN).await;
    problem(app.get("/api/v1/conversations/old").await, StatusCode::NOT_FOUND).await;
    app.stop().await;
}
