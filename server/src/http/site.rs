//! The files of the pages, as cargo-leptos laid them, compressed ones where a client takes them.

use axum::{
    extract::Request,
    http::{HeaderValue, header},
    middleware::Next,
    response::Response,
};
use tower_http::services::ServeDir;

/// Names that stay the same over versions: asked for again each time, answered with 304 when unchanged.
const REVALIDATED: HeaderValue = HeaderValue::from_static("no-cache");
/// Vendored files change with a release at most.
const A_DAY: HeaderValue = HeaderValue::from_static("public, max-age=86400");

const LONG_LIVED: [&str; 2] = ["/vendor/", "/basemap/"];

pub fn files(root: &std::path::Path) -> ServeDir {
    ServeDir::new(root).append_index_html_on_directories(false).precompressed_br().precompressed_gzip()
}

pub async fn add_cache_policy(request: Request, next: Next) -> Response {
    let long_lived = LONG_LIVED.iter().any(|prefix| request.uri().path().starts_with(prefix));
    let mut response = next.run(request).await;
    let may_be_kept = response.status().is_success() || response.status().is_redirection();
    let policy = if long_lived && may_be_kept { A_DAY } else { REVALIDATED };
    response.headers_mut().entry(header::CACHE_CONTROL).or_insert(policy);
    response
}
