//! `cairn serve`.

use std::{net::SocketAddr, process::ExitCode, time::Duration};

use clap::Args;

use super::failure::Failure;
use crate::{
    config::Config,
    demo,
    http::{self, AppState, serve, shutdown},
    telemetry,
    wiring::Cairn,
};

const COMMAND: &str = "serve";

#[derive(Args)]
pub struct Arguments {
    /// Address and port to listen on [default: 127.0.0.1:3000]
    #[arg(long)]
    addr: Option<SocketAddr>,
    /// Leave an empty catalogue empty
    #[arg(long)]
    no_demo: bool,
}

impl Arguments {
    pub fn settings(&self) -> Vec<(&'static str, String)> {
        let addr = self.addr.map(|addr| ("server.addr", addr.to_string()));
        addr.into_iter().chain(self.no_demo.then(|| ("data.demo", "false".to_owned()))).collect()
    }
}

pub async fn run(config: &Config) -> Result<ExitCode, Failure> {
    // before any engine, so that nothing they do goes unmeasured
    let metrics = telemetry::start_metrics();
    let mut cairn = Cairn::open(config, COMMAND).await?;
    let served = answer(&mut cairn, config, metrics).await;
    cairn.close().await;
    served
}

async fn answer(
    cairn: &mut Cairn,
    config: &Config,
    metrics: Option<metrics_exporter_prometheus::PrometheusHandle>,
) -> Result<ExitCode, Failure> {
    let listener = serve::listen(config.server.addr).await?;
    let addr = listener.local_addr().unwrap_or(config.server.addr);
    let url = format!("http://{addr}");
    if let Err(error) = cairn.announce(COMMAND, &url) {
        tracing::warn!(%error, "the lock file could not be written; others cannot tell who holds the data folder");
    }
    let abandoned = cairn.services.rounds.close_abandoned().await?;
    if abandoned > 0 {
        tracing::info!(abandoned, "closed rounds that were open when the program last ended");
    }
    if config.data.demo {
        demo::fill_empty_catalogue(&cairn.services).await;
    }
    let usable_from = cairn.services.records.last_seq().await?;
    if !config.site.root.join("pkg").is_dir() {
        let root = config.site.root.display();
        tracing::warn!(
            "there are no page files in {root}: pages come without style and script; build them with `cargo leptos build --release`"
        );
    }

    let (trigger, shutdown) = shutdown::channel();
    let state = AppState::new(config, cairn, usable_from, shutdown.clone());
    let upkeep = metrics.map(|metrics| tokio::spawn(telemetry::keep_up(metrics)));
    tokio::spawn(async move {
        shutdown::signal().await;
        tracing::info!("stopping");
        trigger.end();
    });
    tracing::info!("serving {url}");
    let grace = Duration::from_secs(config.server.shutdown_seconds);
    let result = serve::serve(listener, http::router(state), shutdown, grace).await;
    if let Some(upkeep) = upkeep {
        upkeep.abort();
    }
    result.map_err(|error| Failure::new("Connections can no longer be accepted. Start the server again.").because(error))?;
    Ok(ExitCode::SUCCESS)
}
