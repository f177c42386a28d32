//! What every handler may use.

use std::{path::PathBuf, sync::Arc};

use axum::extract::FromRef;
use axum_extra::extract::cookie::Key;
use leptos::config::LeptosOptions;
use metrics_exporter_prometheus::PrometheusHandle;
use pipeline::{
    ask::{Asker, access::RoundKeys},
    ports::Seq,
    services::Services,
};

use super::{shutdown::Shutdown, visitor::VisitorSecret};
use crate::{
    config::{Config, Server},
    wiring::Cairn,
};

#[derive(Clone)]
pub struct AppState {
    pub services: Services,
    pub asker: Asker,
    pub server: Arc<Server>,
    pub site_root: Arc<PathBuf>,
    pub tiles: Option<Arc<str>>,
    pub shutdown: Shutdown,
    pub visitors: VisitorSecret,
    /// Signs the cookie of who asks.
    pub cookie_key: Key,
    pub round_keys: RoundKeys,
    /// Usable once the text index has come this far: what was there when the server started.
    pub usable_from: Seq,
    pub metrics: Option<PrometheusHandle>,
    pub leptos: LeptosOptions,
}

impl AppState {
    pub fn new(config: &Config, cairn: &Cairn, usable_from: Seq, shutdown: Shutdown) -> Self {
        let leptos = LeptosOptions::builder()
            .output_name("cairn")
            .site_root(config.site.root.to_string_lossy())
            .site_pkg_dir("pkg")
            .site_addr(config.server.addr)
            .env(leptos::config::Env::PROD)
            .build();
        Self {
            services: cairn.services.clone(),
            asker: cairn.asker.clone(),
            server: Arc::new(config.server.clone()),
            site_root: Arc::new(config.site.root.clone()),
            tiles: config.map.tiles.as_deref().map(Arc::from),
            shutdown,
            visitors: VisitorSecret::new(),
            cookie_key: Key::derive_from(&cairn.secret),
            round_keys: RoundKeys::new(&cairn.secret),
            usable_from,
            metrics: crate::telemetry::start_metrics(),
            leptos,
        }
    }
}

impl FromRef<AppState> for LeptosOptions {
    fn from_ref(state: &AppState) -> Self {
        state.leptos.clone()
    }
}
