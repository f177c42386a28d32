//! Whose rounds they are: a random name in a signed cookie. Nobody signs in for it, and it says nothing about a person.

use axum::{
    extract::{FromRequestParts, Query, rejection::QueryRejection},
    http::{HeaderMap, request::Parts},
};
use axum_extra::extract::cookie::{Cookie, Key, SameSite, SignedCookieJar};
use pipeline::{ask::access::Caller, model::conversation::OwnerId};
use serde::Deserialize;
use uuid::Uuid;

use super::AppState;

const COOKIE: &str = "cairn_visitor";
/// Browsers keep no cookie longer than 400 days; each question prolongs it.
const DAYS: i64 = 400;

/// The visitor a request names, where its signature holds.
pub fn named(headers: &HeaderMap, key: &Key) -> Option<OwnerId> {
    let jar = SignedCookieJar::from_headers(headers, key.clone());
    let value = jar.get(COOKIE)?.value().parse::<Uuid>().ok()?;
    Some(OwnerId(value.to_string()))
}

/// Who asks. Who has no name gets one with the reply.
pub struct Asking {
    pub id: OwnerId,
    /// Part of the reply.
    pub cookie: SignedCookieJar,
}

impl FromRequestParts<AppState> for Asking {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Self::Rejection> {
        let key = &state.cookie_key;
        let id = named(&parts.headers, key).unwrap_or_else(|| OwnerId(Uuid::now_v7().to_string()));
        let behind_tls = state.server.public_url.as_deref().is_some_and(|url| url.starts_with("https://"));
        let cookie = Cookie::build((COOKIE, id.0.clone()))
            .path("/")
            .http_only(true)
            .same_site(SameSite::Lax)
            .secure(behind_tls)
            .max_age(time::Duration::days(DAYS));
        Ok(Self { id, cookie: SignedCookieJar::new(key.clone()).add(cookie) })
    }
}

/// Who wants a round that is there: by the cookie, by `?key=`, or both.
pub struct Calling(pub Caller);

#[derive(Deserialize)]
struct ByKey {
    key: Option<String>,
}

impl FromRequestParts<AppState> for Calling {
    type Rejection = QueryRejection;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Self::Rejection> {
        let Query(ByKey { key }) = Query::from_request_parts(parts, state).await?;
        Ok(Self(Caller { visitor: named(&parts.headers, &state.cookie_key), key }))
    }
}
