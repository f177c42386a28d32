//! The connection to a model server.

use std::time::Duration;

use async_openai::{Client, config::Config, middleware::ReqwestService};
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use secrecy::{ExposeSecret, SecretString};

use crate::ports::{ErrorKind, PortError, PortResult};

const CONNECT: Duration = Duration::from_secs(5);
/// Servers close idle connections after a minute or so; a closed one costs a failed call.
const POOL_IDLE: Duration = Duration::from_secs(30);
const KEEPALIVE: Duration = Duration::from_secs(15);

/// Where a model answers. The crate's own configuration would read the environment.
#[derive(Clone)]
pub(super) struct Endpoint {
    base_url: String,
    api_key: SecretString,
    headers: HeaderMap,
}

impl Config for Endpoint {
    fn headers(&self) -> HeaderMap {
        self.headers.clone()
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base_url)
    }

    fn query(&self) -> Vec<(&str, &str)> {
        Vec::new()
    }

    fn api_base(&self) -> &str {
        &self.base_url
    }

    fn api_key(&self) -> &SecretString {
        &self.api_key
    }
}

/// Connections, shared by all tasks.
///
/// # Errors
/// The system's certificates cannot be read.
pub(super) fn http() -> PortResult<reqwest::Client> {
    let http = reqwest::Client::builder().connect_timeout(CONNECT).pool_idle_timeout(POOL_IDLE).tcp_keepalive(KEEPALIVE).build();
    http.map_err(PortError::internal("language model: connect"))
}

/// # Errors
/// `Invalid` where the key cannot stand in a header.
pub(super) fn client(http: &reqwest::Client, base_url: &str, api_key: Option<&SecretString>) -> PortResult<Client<Endpoint>> {
    let mut headers = HeaderMap::new();
    if let Some(key) = api_key {
        let value = HeaderValue::try_from(format!("Bearer {}", key.expose_secret()));
        let mut value = value.map_err(|error| PortError::new(ErrorKind::Invalid, "language model: key", error))?;
        value.set_sensitive(true);
        headers.insert(AUTHORIZATION, value);
    }
    let endpoint =
        Endpoint { base_url: base_url.trim_end_matches('/').to_owned(), api_key: api_key.cloned().unwrap_or_default(), headers };
    // the bare service: the crate's default one retries three times on its own
    Ok(Client::build(http.clone(), endpoint).with_http_service(ReqwestService::new(http.clone())))
}
