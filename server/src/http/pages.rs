//! The pages of `app`, rendered here. Forms lead to [`super::forms`].

use app::{App, PageSettings, Visitor, shell};
use axum::{
    Router,
    http::{header, request::Parts},
    middleware,
    routing::post,
};
use leptos::prelude::*;
use leptos_axum::{ErrorHandler, LeptosRoutes, ResponseOptions, generate_route_list};

use super::{AppState, forms, owner, request_id::RequestId, security, site};

/// Routes of the pages and their server functions; everything else is a file or the page that says there is none.
pub fn router(state: &AppState) -> Router<AppState> {
    let context = {
        let state = state.clone();
        move || provide_page_context(&state)
    };
    let options = state.leptos.clone();
    let not_found = ErrorHandler::new_with_context(context.clone(), shell, options.clone());
    let files = tower::ServiceBuilder::new()
        .layer(middleware::from_fn(site::add_cache_policy))
        .service(site::files(&state.site_root).fallback(not_found));
    Router::new()
        .route("/ask", post(forms::ask))
        .route("/rounds/{id}/stop", post(forms::stop))
        .route("/rounds/{id}/feedback", post(forms::rate))
        .leptos_routes_with_context(state, generate_route_list(App), context, move || shell(options.clone()))
        .fallback_service(files)
}

/// What pages and server functions find in their context.
fn provide_page_context(state: &AppState) {
    provide_context(state.services.clone());
    provide_context(state.asker.clone());
    provide_context(state.round_keys.clone());
    provide_context(PageSettings { tiles: state.tiles.as_deref().map(str::to_owned) });
    let parts = use_context::<Parts>();
    provide_context(Visitor(parts.as_ref().and_then(|parts| owner::named(&parts.headers, &state.cookie_key))));
    let request_id = parts.and_then(|parts| parts.extensions.get::<RequestId>().cloned());
    if let Some(RequestId(id)) = request_id {
        provide_context(app::RequestId(id));
    }
    let policy = leptos::nonce::use_nonce().and_then(|nonce| security::page_policy(&nonce, state.tiles.as_deref()));
    if let (Some(policy), Some(reply)) = (policy, use_context::<ResponseOptions>()) {
        reply.insert_header(header::CONTENT_SECURITY_POLICY, policy);
    }
}
