//! A model server for tests and soaks: `scripted-model [SCRIPT] [--addr ADDR]`.
#![expect(clippy::print_stdout, reason = "it says where it answers")]

use std::{fs, net::SocketAddr, path::PathBuf};

use anyhow::Context;
use clap::Parser;
use eval::scripted_model::{Script, ScriptedModel};

/// Speaks the chat API of OpenAI and replies as a script says; without one it answers every task sensibly.
#[derive(Parser)]
#[command(name = "scripted-model")]
struct Arguments {
    /// JSON: {"rules": [{"when": {"schema": "plan"}, "reply": {"text": "…"}}]}
    script: Option<PathBuf>,
    #[arg(long, default_value = "127.0.0.1:8099")]
    addr: SocketAddr,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let script = match &arguments.script {
        None => Script::default(),
        Some(file) => {
            let text = fs::read_to_string(file).with_context(|| format!("{} cannot be read", file.display()))?;
            Script::read(&text).with_context(|| format!("{} is no script", file.display()))?
        }
    };
    let model = ScriptedModel::listen(arguments.addr, script).await.context("the address cannot be listened on")?;
    println!("{}", model.base_url());
    tokio::signal::ctrl_c().await.context("signals cannot be waited for")?;
    Ok(())
}
