//! A server of its own for a test, with a few elements in it.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use futures::StreamExt;
use pipeline::{
    ask::Asker,
    model::{
        element::{Element, Kind, RelatedRel},
        round::{RoundId, TraceEvent},
    },
    ports::{Embedder, records::Change},
    services::Services,
    testing::{builders::element, fakes::HashEmbedder},
};
use reqwest::{Client, Method, RequestBuilder, Response, StatusCode, redirect::Policy};
use serde_json::Value;
use server::{
    config::Config,
    http::{self, AppState, serve, shutdown},
    wiring::Cairn,
};
use tempfile::TempDir;
use tokio::task::JoinHandle;

/// Longer than anything here takes; a test that waits this long has failed.
const PATIENCE: Duration = Duration::from_secs(30);

pub struct TestApp {
    pub url: String,
    pub client: Client,
    pub services: Services,
    /// What the browser of the test's visitor keeps.
    cookie: Mutex<Option<String>>,
    cairn: Option<Cairn>,
    trigger: shutdown::ShutdownTrigger,
    serving: JoinHandle<std::io::Result<()>>,
    _folder: TempDir,
}

type ReplaceServices = Box<dyn FnOnce(&mut Services) + Send>;

/// What a test may want otherwise.
#[derive(Default)]
pub struct Setup {
    pub config: Config,
    /// Stands before what is answered; the engines behind stay whole.
    pub replace: Option<ReplaceServices>,
}

impl TestApp {
    pub async fn start() -> Self {
        Self::start_with(Setup::default()).await
    }

    pub async fn start_with(setup: Setup) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut config = setup.config;
        config.data.dir = folder.path().join("data");
        config.site.root = folder.path().join("site");
        write_site(&config.site.root);
        let embedder: Arc<dyn Embedder> = Arc::new(HashEmbedder::default());
        let mut cairn = Cairn::open_with(&config, "test", Ok(embedder)).await.unwrap();
        let changes = elements().into_iter().map(|element| Change::Put(Box::new(element))).collect();
        cairn.services.records.commit(changes).await.unwrap();
        tokio::time::timeout(PATIENCE, cairn.caught_up()).await.expect("projections catch up").unwrap();
        if let Some(replace) = setup.replace {
            cairn.replace_services(replace);
        }
        let usable_from = cairn.services.records.last_seq().await.unwrap_or_default();
        let listener = serve::listen("127.0.0.1:0".parse().unwrap()).await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (trigger, shutdown) = shutdown::channel();
        let state = AppState::new(&config, &cairn, usable_from, shutdown.clone());
        let serving = tokio::spawn(serve::serve(listener, http::router(state), shutdown, PATIENCE));
        let client = Client::builder().redirect(Policy::none()).timeout(PATIENCE).user_agent("cairn-test").build().unwrap();
        Self {
            url,
            client,
            services: cairn.services.clone(),
            cookie: Mutex::default(),

            cairn: Some(cairn),
            trigger,
            serving,
            _folder: folder,
        }
    }

    /// A request of the test's visitor, with the cookie once there is one.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.stranger(method, path);
        match &*self.cookie.lock().unwrap() {
            Some(cookie) => request.header("cookie", cookie),
            None => request,
        }
    }

    /// A request of somebody who has never been here.
    pub fn stranger(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.url))
    }

    /// Sends it and keeps the cookie, as a browser does.
    pub async fn send(&self, request: RequestBuilder) -> Response {
        let response = request.send().await.unwrap();
        if let Some(cookie) = cookie_of(&response) {
            *self.cookie.lock().unwrap() = Some(cookie);
        }
        response
    }

    pub fn cookie(&self) -> Option<String> {
        self.cookie.lock().unwrap().clone()
    }

    pub async fn get(&self, path: &str) -> Response {
        self.send(self.request(Method::GET, path)).await
    }

    /// The JSON of a 200.
    pub async fn json(&self, path: &str) -> Value {
        let response = self.get(path).await;
        assert_eq!(response.status(), StatusCode::OK, "{path}: {}", response.text().await.unwrap());
        response.json().await.unwrap()
    }

    pub async fn post(&self, path: &str, body: &Value) -> Response {
        self.send(self.request(Method::POST, path).json(body)).await
    }

    /// Starts a round and returns its id.
    pub async fn ask(&self, question: &str) -> String {
        let started = self.start_round(&serde_json::json!({ "question": question })).await;
        started["id"].as_str().unwrap().to_owned()
    }

    /// Starts a round and returns what the reply says.
    pub async fn start_round(&self, body: &Value) -> Value {
        let response = self.post("/api/v1/rounds", body).await;
        assert_eq!(response.status(), StatusCode::CREATED);
        response.json().await.unwrap()
    }

    /// The events of a round once it is finished.
    pub async fn finished(&self, round: &str) -> Vec<Value> {
        let log = self.asker().follow(&RoundId(round.to_owned()), 0).await.unwrap();
        let events: Vec<TraceEvent> = tokio::time::timeout(PATIENCE, log.collect()).await.expect("the round ends");
        events.iter().map(|event| serde_json::to_value(event).unwrap()).collect()
    }

    pub fn asker(&self) -> &Asker {
        &self.cairn.as_ref().unwrap().asker
    }

    pub async fn caught_up(&self) {
        let cairn = self.cairn.as_ref().unwrap();
        tokio::time::timeout(PATIENCE, cairn.caught_up()).await.expect("projections catch up").unwrap();
    }

    /// Stops as a signal would; everything must end.
    pub async fn stop(mut self) {
        self.trigger.end();
        tokio::time::timeout(PATIENCE, &mut self.serving).await.expect("the server ends").unwrap().unwrap();
        self.cairn.take().unwrap().close().await;
    }
}

/// The `name=value` of the cookie a reply sets.
pub fn cookie_of(response: &Response) -> Option<String> {
    let set = response.headers().get("set-cookie")?.to_str().unwrap();
    Some(set.split(';').next().unwrap().to_owned())
}

/// Asserts a problem of this status and returns it.
pub async fn problem(response: Response, status: StatusCode) -> Value {
    assert_eq!(response.headers()["content-type"], "application/problem+json");
    let request_id = response.headers()["x-request-id"].to_str().unwrap().to_owned();
    assert_eq!(response.status(), status);
    let problem: Value = response.json().await.unwrap();
    assert_eq!(problem["status"], status.as_u16());
    assert_eq!(problem["instance"], request_id);
    for field in ["type", "title", "detail"] {
        assert!(problem[field].as_str().is_some_and(|text| !text.is_empty()), "{field} of {problem}");
    }
    problem
}

fn write_site(root: &std::path::Path) {
    for (file, content) in
        [("pkg/cairn.js", "// script"), ("pkg/cairn.js.br", "compressed"), ("vendor/leaflet/leaflet.js", "// map")]
    {
        let file = root.join(file);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, content).unwrap();
    }
}

fn elements() -> Vec<Element> {
    vec![
        element("svalbard-ice")
            .title("Sea ice extent around Svalbard")
            .description("Daily sea ice extent was derived from passive microwave images. The ice edge lies between Svalbard and Greenland.")
            .author("Ada Lovelace")
            .contributor("Grace Hopper")
            .tag("ice")
            .bbox(10.0, 74.0, 35.0, 81.0)
            .period("1979", "2020")
            .build(),
        element("ice-notebook")
            .kind(Kind::Notebook)
            .title("Plotting the ice edge")
            .description("A notebook that plots the ice edge of Svalbard.")
            .author("Ada Lovelace")
            .tag("ice")
            .related(RelatedRel::DerivedFrom, "svalbard-ice")
            .build(),
        element("victoria-levels")
            .title("Water levels of Lake Victoria")
            .description("Weekly water levels of Lake Victoria from satellite altimetry.")
            .contributor("Grace Hopper")
            .bbox(31.6, -3.1, 34.9, 0.5)
            .period("1992", "")
            .build(),
        element("bering-map")
            .kind(Kind::Map)
            .title("Map of the Bering Strait")
            .bbox(170.0, 60.0, -165.0, 70.0)
            .build(),
        element("ice-course").kind(Kind::Oer).title("A course on glaciers and ice").description("Eight lessons on ice for schools.").build(),
        element("hidden").title("Private ice").description("Nobody sees this ice.").private().build(),
    ]
}
