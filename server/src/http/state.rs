//! What every handler may use.

use std::{path::PathBuf, sync::Arc};

use axum::extract::FromRef;
use leptos::config::LeptosOptions;
use metrics_exporter_prometheus::PrometheusHandle;
use pipeline::{ask::Asker, ports::Seq, services::Services};

use super::{shutdown::Shutdown, visitor::VisitorSecret};
use crate::config::{Config, Server};

#[derive(Clone)]
pub struct AppState {
    pub services: Services,
    pub asker: Asker,
    pub server: Arc<Server>,
    pub site_root: Arc<PathBuf>,
    pub tiles: Option<Arc<str>>,
    pub shutdown: Shutdown,
    pub visitors: VisitorSecret,
    /// Usable once the text index has come this far: what was there when the server started.
    pub usable_from: Seq,
    pub metrics: Option<PrometheusHandle>,
    pub leptos: LeptosOptions,
}

impl AppState {
    pub fn new(config: &Config, services: Services, asker: Asker, usable_from: Seq, shutdown: Shutdown) -> Self {
        let leptos = LeptosOptions::builder()
            .output_name("cairn")
            .site_root(config.site.root.to_string_lossy())
            .site_pkg_dir("pkg")
            .site_addr(config.server.addr)
            .env(leptos::config::Env::PROD)
            .build();
        Self {
            services,
            asker,
            server: Arc::new(config.server.clone()),
            site_root: Arc::new(config.site.root.clone()),
            tiles: config.map.tiles.as_deref().map(Arc::from),
            shutdown,
            visitors: VisitorSecret::new(),
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
