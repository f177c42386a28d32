//! Headers that keep a page from doing what it was not made for.

use axum::{
    extract::Request,
    http::{HeaderName, HeaderValue, header},
    middleware::Next,
    response::Response,
};

/// For what is no page: nothing may be loaded or run.
const NOTHING: HeaderValue = HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'");
/// For a page without scripts.
pub const STATIC_PAGE_POLICY: HeaderValue =
    HeaderValue::from_static("default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'");

const FIXED: [(HeaderName, HeaderValue); 3] = [
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("strict-origin-when-cross-origin")),
    (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
];

pub async fn add_headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in FIXED {
        headers.insert(name, value);
    }
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(NOTHING);
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-cache"));
    response
}

/// The policy of a page whose scripts carry `nonce`. `tiles` is the address of map tiles, whose host may serve images.
pub fn page_policy(nonce: &str, tiles: Option<&str>) -> Option<HeaderValue> {
    let images = tiles.and_then(tile_origin).unwrap_or_default();
    let policy = format!(
        "default-src 'self'; script-src 'self' 'nonce-{nonce}' 'wasm-unsafe-eval'; style-src 'self' 'nonce-{nonce}'; \
         style-src-attr 'unsafe-inline'; img-src 'self' data: blob: {images}; connect-src 'self'; object-src 'none'; \
         base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    );
    HeaderValue::from_str(&policy).ok()
}

/// `https://*.tiles.example` of `https://{s}.tiles.example/{z}/{x}/{y}.png`.
fn tile_origin(tiles: &str) -> Option<String> {
    let (scheme, rest) = tiles.split_once("://")?;
    let host = rest.split('/').next()?;
    let host = host
        .split_once('.')
        .filter(|(first, _)| first.contains('{'))
        .map_or(host.to_owned(), |(_, parent)| format!("*.{parent}"));
    Some(format!("{scheme}://{host}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rstest::rstest]
    #[case("https://tiles.example/{z}/{x}/{y}.png", "https://tiles.example")]
    #[case("https://{s}.tiles.example:8080/{z}/{x}/{y}.png", "https://*.tiles.example:8080")]
    fn the_host_of_tiles_may_serve_images(#[case] tiles: &str, #[case] origin: &str) {
        assert_eq!(tile_origin(tiles).as_deref(), Some(origin));
        let policy = page_policy("abc", Some(tiles)).unwrap();
        assert!(policy.to_str().unwrap().contains(&format!("img-src 'self' data: blob: {origin};")));
    }
}
