//! Posts that another site's page makes a browser send are refused. Server functions and forms check nothing themselves.

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderName, Method, StatusCode, Uri, header},
    middleware::Next,
    response::{IntoResponse, Response},
};

use super::{AppState, problems::ApiError};

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

pub async fn refuse_cross_site(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let reads = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    if !reads && is_cross_site(request.headers(), state.server.public_url.as_deref()) {
        let detail = "This was sent from a page of another site. Send it from Cairn's own pages, or from a program without an Origin header.";
        return ApiError::new(StatusCode::FORBIDDEN, detail).into_response();
    }
    next.run(request).await
}

/// Browsers name the origin of every post, and by `Sec-Fetch-Site` what it is to the target; programs do neither.
fn is_cross_site(headers: &HeaderMap, public_url: Option<&str>) -> bool {
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("unreadable"));
    let origin = text(header::ORIGIN);
    if public_url.is_some() && origin == public_url {
        return false;
    }
    if let Some(site) = text(SEC_FETCH_SITE) {
        return !matches!(site, "same-origin" | "none");
    }
    let Some(origin) = origin else { return false };
    let origin_host = origin.parse::<Uri>().ok().and_then(|uri| uri.authority().map(|host| host.as_str().to_ascii_lowercase()));
    let host = text(header::HOST).map(str::to_ascii_lowercase);
    origin_host.is_none() || origin_host != host
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rstest::rstest]
    #[case::program(&[("host", "cairn.example")], false)]
    #[case::own_page(&[("host", "cairn.example"), ("origin", "https://cairn.example"), ("sec-fetch-site", "same-origin")], false)]
    #[case::older_browser(&[("host", "Cairn.example:3000"), ("origin", "http://cairn.example:3000")], false)]
    #[case::typed_in(&[("host", "cairn.example"), ("sec-fetch-site", "none")], false)]
    #[case::other_site(&[("host", "cairn.example"), ("origin", "https://evil.example"), ("sec-fetch-site", "cross-site")], true)]
    #[case::sibling(&[("host", "cairn.example"), ("origin", "https://blog.cairn.example"), ("sec-fetch-site", "same-site")], true)]
    #[case::older_browser_other_site(&[("host", "cairn.example"), ("origin", "https://evil.example")], true)]
    #[case::other_port(&[("host", "cairn.example"), ("origin", "https://cairn.example:8443")], true)]
    #[case::sandboxed(&[("host", "cairn.example"), ("origin", "null")], true)]
    #[case::unreadable(&[("host", "cairn.example"), ("origin", "\u{e9}")], true)]
    #[case::behind_a_proxy(&[("host", "inside:3000"), ("origin", "https://public.example")], false)]
    fn sites(#[case] headers: &[(&str, &str)], #[case] refused: bool) {
        let headers = headers
            .iter()
            .map(|(name, value)| (name.parse().unwrap(), axum::http::HeaderValue::from_bytes(value.as_bytes()).unwrap()));
        assert_eq!(is_cross_site(&HeaderMap::from_iter(headers), Some("https://public.example")), refused);
    }
}
