//! A model server that says what its script says. It speaks the chat API of OpenAI, streamed and not, counts its calls and notes
//! clients that go away.

mod chat;
mod journal;
mod script;
mod sensible;

use std::{
    io,
    net::SocketAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use axum::{
    Json, Router,
    extract::State,
    http::StatusCode,
    routing::{get, post, put},
};
use serde_json::{Value, json};
use tokio::{net::TcpListener, task::JoinHandle};

pub use journal::{Call, End, Journal};
pub use script::{Finish, Reply, Rule, Script, When};

/// Answers until it is dropped.
pub struct ScriptedModel {
    addr: SocketAddr,
    state: Shared,
    serving: JoinHandle<io::Result<()>>,
}

#[derive(Clone, Default)]
struct Shared {
    script: Arc<Mutex<Script>>,
    journal: Arc<Mutex<Journal>>,
}

impl Shared {
    fn script(&self) -> MutexGuard<'_, Script> {
        self.script.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn journal(&self) -> MutexGuard<'_, Journal> {
        self.journal.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ScriptedModel {
    /// On a free port of this machine.
    ///
    /// # Errors
    /// As [`Self::listen`].
    pub async fn start(script: Script) -> io::Result<Self> {
        Self::listen(SocketAddr::from(([127, 0, 0, 1], 0)), script).await
    }

    /// # Errors
    /// The address cannot be listened on.
    pub async fn listen(addr: SocketAddr, script: Script) -> io::Result<Self> {
        let listener = TcpListener::bind(addr).await?;
        let addr = listener.local_addr()?;
        let state = Shared { script: Arc::new(Mutex::new(script)), journal: Arc::default() };
        let router = router(state.clone());
        let serving = tokio::spawn(async move { axum::serve(listener, router).await });
        Ok(Self { addr, state, serving })
    }

    /// What a client of OpenAI takes as its base.
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.addr)
    }

    /// Calls from now on are answered by this; rules that count calls begin at one.
    pub fn play(&self, script: Script) {
        *self.state.script() = script;
    }

    pub fn journal(&self) -> Journal {
        self.state.journal().clone()
    }

    pub fn forget(&self) {
        self.state.journal().forget();
    }
}

impl Drop for ScriptedModel {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

fn router(state: Shared) -> Router {
    Router::new()
        .route("/v1/chat/completions", post(chat::complete))
        .route("/v1/models", get(models))
        .route("/healthz", get(async || "ok\n"))
        .route("/log", get(read_journal).delete(forget_journal))
        .route("/script", put(replace_script))
        .with_state(state)
}

async fn models() -> Json<Value> {
    Json(json!({ "object": "list", "data": [{ "id": "scripted", "object": "model", "owned_by": "cairn" }] }))
}

async fn read_journal(State(state): State<Shared>) -> Json<Journal> {
    Json(state.journal().clone())
}

async fn forget_journal(State(state): State<Shared>) {
    state.journal().forget();
}

async fn replace_script(State(state): State<Shared>, text: String) -> Result<(), (StatusCode, String)> {
    let script = Script::read(&text).map_err(|error| (StatusCode::BAD_REQUEST, error.to_string()))?;
    *state.script() = script;
    Ok(())
}
