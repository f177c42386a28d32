//! The pages of `app`, rendered here, and the form that asks a question without JavaScript.

use app::{App, PageSettings, shell};
use axum::{
    Router,
    extract::{RawForm, State},
    http::{header, request::Parts},
    middleware,
    response::{IntoResponse, Redirect, Response},
    routing::post,
};
use leptos::prelude::*;
use leptos_axum::{ErrorHandler, LeptosRoutes, ResponseOptions, generate_route_list};
use pipeline::model::query::SearchQuery;

use super::{AppState, problems::ApiError, request_id::RequestId, security, site};

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
        .route("/ask", post(ask))
        .leptos_routes_with_context(state, generate_route_list(App), context, move || shell(options.clone()))
        .fallback_service(files)
}

/// What pages and server functions find in their context.
fn provide_page_context(state: &AppState) {
    provide_context(state.services.clone());
    provide_context(state.asker.clone());
    provide_context(PageSettings { tiles: state.tiles.as_deref().map(str::to_owned) });
    let request_id = use_context::<Parts>().and_then(|parts| parts.extensions.get::<RequestId>().cloned());
    if let Some(RequestId(id)) = request_id {
        provide_context(app::RequestId(id));
    }
    let policy = leptos::nonce::use_nonce().and_then(|nonce| security::page_policy(&nonce, state.tiles.as_deref()));
    if let (Some(policy), Some(reply)) = (policy, use_context::<ResponseOptions>()) {
        reply.insert_header(header::CONTENT_SECURITY_POLICY, policy);
    }
}

/// Starts a round from a form and shows its page. A form with faults goes to the search page, which names them.
async fn ask(State(state): State<AppState>, RawForm(form): RawForm) -> Result<Response, ApiError> {
    let pairs: Vec<_> = form_urlencoded::parse(&form).into_owned().collect();
    let query = SearchQuery::from_pairs(pairs.iter().map(|(name, value)| (name, value)));
    match query {
        Ok(query) if !query.q.is_empty() => {
            let round = state.asker.start(&query.into()).await?;
            Ok(Redirect::to(&format!("/rounds/{round}")).into_response())
        }
        _ => {
            let search = form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
            Ok(Redirect::to(&format!("/?{search}")).into_response())
        }
    }
}
