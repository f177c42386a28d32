//! A real small model behind a real server, for those tests that want the truth. It is slow: seconds a call.

use std::{net::TcpListener, path::Path, process::Stdio, time::Duration};

use anyhow::{Context, bail};
use pipeline::testing::language_model_file;
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::{Child, Command},
    time::timeout,
};

/// The name the server knows its model by.
pub const MODEL: &str = "qwen2.5-1.5b-instruct";
/// Reading the model takes a minute where others use the machine.
const LOADING: Duration = Duration::from_secs(240);

/// Answers until it is dropped.
pub struct LlamaServer {
    base_url: String,
    _process: Child,
}

impl LlamaServer {
    /// Starts `scripts/llm-serve.sh` on a free port, for two calls of 8192 tokens at once. None where the model was not fetched, as
    /// the rule for shared data has it.
    ///
    /// # Errors
    /// The server does not come up.
    pub async fn start() -> anyhow::Result<Option<Self>> {
        if language_model_file().is_none() {
            return Ok(None);
        }
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port().to_string();
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scripts/llm-serve.sh");
        let mut process = Command::new(script)
            .args([port.as_str(), "2", "16384"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .context("scripts/llm-serve.sh does not start")?;
        let said = process.stdout.take().context("what the server says cannot be read")?;
        let mut lines = BufReader::new(said).lines();
        let base_url = timeout(LOADING, lines.next_line()).await.context("the model is not loaded after minutes")??;
        let Some(base_url) = base_url else { bail!("the server ended while it was loading the model") };
        Ok(Some(Self { base_url, _process: process }))
    }

    pub fn base_url(&self) -> &str {
        &self.base_url
    }
}
