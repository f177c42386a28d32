//! The connection to a model server.

use std::time::Duration;

use async_openai::{
    Client,
    config::Config,
    error::{ApiError, ApiErrorResponse, OpenAIError},
    middleware::HttpRequestFactory,
};
use reqwest::{
    Response,
    header::{AUTHORIZATION, HeaderMap, HeaderValue},
};
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;

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
    // in place of the crate's own service, which retries three times
    let service = {
        let http = http.clone();
        tower::service_fn(move |request: HttpRequestFactory| send(http.clone(), request))
    };
    Ok(Client::build(http.clone(), endpoint).with_http_service(service))
}

/// The crate reads errors as OpenAI writes them and logs what it cannot read. Other servers have numbers for codes, or no JSON at all,
/// and their messages repeat prompts: only the names of the fault are taken.
async fn send(http: reqwest::Client, request: HttpRequestFactory) -> Result<Response, OpenAIError> {
    let response = http.execute(request.build().await?).await?;
    let status_code = response.status();
    if status_code.is_success() {
        return Ok(response);
    }
    let body: Value = response.json().await.unwrap_or_default();
    let name = |key: &str| Some(body.get("error")?.get(key)?.as_str()?.to_owned());
    let api_error = ApiError { r#type: name("type"), code: name("code"), ..ApiError::default() };
    Err(OpenAIError::ApiError(ApiErrorResponse { status_code, api_error }))
}
