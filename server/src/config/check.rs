//! Settings that are well written and yet cannot work, each with a sentence that says what to do.

mod language;

use std::fmt;

use tracing_subscriber::EnvFilter;

use super::Config;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// `section.key`.
    pub key: String,
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.key, self.message)
    }
}

pub(super) fn faults(config: &Config) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut fault = |key: &str, message: String| faults.push(Fault { key: key.to_owned(), message });
    if config.data.dir.is_file() {
        fault("data.dir", format!("{} is a file; give a folder", config.data.dir.display()));
    }
    if config.server.request_timeout_seconds == 0 {
        fault("server.request_timeout_seconds", "no request could ever be answered in 0 seconds; give 1 or more".to_owned());
    }
    if config.ask.deadline_seconds < 5 {
        fault(
            "ask.deadline_seconds",
            "no question is searched, answered and checked in so short a time; give 5 or more".to_owned(),
        );
    }
    if config.server.body_limit_bytes < 1024 {
        fault("server.body_limit_bytes", "a question may be longer than that; give 1024 or more".to_owned());
    }
    if let Some(url) = &config.server.public_url {
        let host = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://")).unwrap_or_default();
        if host.is_empty() || host.contains('/') {
            let message = format!("`{url}` is not an origin; give one such as https://cairn.example, without a path");
            fault("server.public_url", message);
        }
    }
    if let Some(tiles) = &config.map.tiles {
        if !(tiles.starts_with("https://") || tiles.starts_with("http://")) {
            fault("map.tiles", format!("`{tiles}` must begin with https://"));
        }
        if ["{z}", "{x}", "{y}"].iter().any(|part| !tiles.contains(part)) {
            fault("map.tiles", format!("`{tiles}` must have {{z}}, {{x}} and {{y}} where the tile's numbers go"));
        }
    }
    if let Some(filter) = &config.log.filter
        && let Err(error) = filter.parse::<EnvFilter>()
    {
        fault("log.filter", format!("`{filter}` is not a filter such as `info,pipeline=debug`: {error}"));
    }
    faults.extend(language::faults(&config.language));
    faults
}
