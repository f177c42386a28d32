//! Who clicked, without knowing who: a hash of address and browser under a secret that lives as long as the process.

use std::{
    net::{IpAddr, SocketAddr},
    sync::Arc,
};

use axum::{
    extract::{ConnectInfo, FromRequestParts},
    http::{HeaderName, header, request::Parts},
};
use sha2::{Digest, Sha256};

use super::AppState;

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// Words in the names by which robots and link checkers present themselves.
const ROBOTS: [&str; 10] =
    ["bot", "crawl", "spider", "slurp", "archiver", "preview", "scanner", "monitor", "fetcher", "linkcheck"];

#[derive(Clone, Debug)]
pub struct VisitorSecret(Arc<str>);

impl VisitorSecret {
    pub fn new() -> Self {
        // 74 random bits each
        Self(format!("{}{}", uuid::Uuid::now_v7(), uuid::Uuid::now_v7()).into())
    }
}

impl Default for VisitorSecret {
    fn default() -> Self {
        Self::new()
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Visitor {
    Person(String),
    Robot,
}

impl FromRequestParts<AppState> for Visitor {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Self::Rejection> {
        let text = |name: HeaderName| parts.headers.get(name).and_then(|value| value.to_str().ok());
        let agent = text(header::USER_AGENT).unwrap_or_default();
        if is_robot(agent) {
            return Ok(Self::Robot);
        }
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
        let address = visitor_address(peer, state.server.proxy, text(FORWARDED_FOR));
        let mut hash = Sha256::new();
        hash.update(state.visitors.0.as_bytes());
        hash.update(address.map(|address| address.to_string()).unwrap_or_default());
        hash.update([0]);
        hash.update(agent);
        Ok(Self::Person(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()))
    }
}

fn is_robot(agent: &str) -> bool {
    let agent = agent.to_ascii_lowercase();
    agent.is_empty() || ROBOTS.iter().any(|word| agent.contains(word))
}

/// Only the configured proxy is believed, and of what it hands on only the last entry, which is its own.
fn visitor_address(peer: Option<IpAddr>, proxy: Option<IpAddr>, forwarded: Option<&str>) -> Option<IpAddr> {
    if proxy.is_none() || peer != proxy {
        return peer;
    }
    forwarded.and_then(|list| list.rsplit(',').next()?.trim().parse().ok()).or(peer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rstest::rstest]
    #[case("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", false)]
    #[case("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", true)]
    #[case("Mozilla/5.0 (compatible; Yahoo! Slurp)", true)]
    #[case("", true)]
    fn robots(#[case] agent: &str, #[case] robot: bool) {
        assert_eq!(is_robot(agent), robot);
    }

    #[test]
    fn only_the_configured_proxy_is_believed() {
        let address = |text: &str| Some(text.parse::<IpAddr>().unwrap());
        let forwarded = Some("6.6.6.6, 9.9.9.9");
        assert_eq!(visitor_address(address("1.1.1.1"), None, forwarded), address("1.1.1.1"));
        assert_eq!(visitor_address(address("1.1.1.1"), address("2.2.2.2"), forwarded), address("1.1.1.1"));
        assert_eq!(visitor_address(address("2.2.2.2"), address("2.2.2.2"), forwarded), address("9.9.9.9"));
        assert_eq!(visitor_address(address("2.2.2.2"), address("2.2.2.2"), Some("rubbish")), address("2.2.2.2"));
    }
}
