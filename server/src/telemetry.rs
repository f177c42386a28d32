//! Logs and metrics. No query text, prompt or address is logged at info level.

use std::{io::IsTerminal, sync::OnceLock, time::Duration};

use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tracing_subscriber::{EnvFilter, fmt::format::FmtSpan};

use crate::config::{Log, LogFormat};

/// Upper ends in seconds: a search is expected between 1 and 50 ms, an answer below 10 s, a call of a slow model below a minute.
const SECONDS: [f64; 15] = [0.001, 0.002, 0.005, 0.01, 0.02, 0.035, 0.05, 0.1, 0.25, 0.5, 1.0, 3.0, 10.0, 30.0, 60.0];
/// It logs replies that it cannot read, and those hold text of models and prompts. Whoever wants that names it in the filter.
const SILENCED: &str = "async_openai=off";
const UPKEEP: Duration = Duration::from_secs(5);

static METRICS: OnceLock<Option<PrometheusHandle>> = OnceLock::new();

/// Starts logging to the standard error, at `level` where the configuration names none. A second call changes nothing.
pub fn start_logging(log: &Log, level: &str) {
    let filter = log.filter.as_deref().unwrap_or(level);
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::new(format!("{SILENCED},{filter}")))
        .with_span_events(FmtSpan::NONE)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .with_target(false);
    // an error says that a subscriber is there already, as in tests
    let _ = match log.format {
        LogFormat::Text => subscriber.try_init(),
        LogFormat::Json => subscriber.json().try_init(),
    };
}

/// Starts recording metrics for the whole process, once; none where another recorder is installed.
pub fn start_metrics() -> Option<PrometheusHandle> {
    METRICS
        .get_or_init(|| {
            let builder = PrometheusBuilder::new().set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &SECONDS);
            builder.ok()?.install_recorder().ok()
        })
        .clone()
}

/// Keeps the memory of histograms bounded while the process runs; never returns.
pub async fn keep_up(metrics: PrometheusHandle) {
    let mut every = tokio::time::interval(UPKEEP);
    loop {
        every.tick().await;
        metrics.run_upkeep();
    }
}
