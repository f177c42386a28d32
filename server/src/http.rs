//! Everything that is answered over HTTP: the API, the pages, their files, and what operators ask.

use std::time::Duration;

use axum::{Router, extract::DefaultBodyLimit, middleware, routing::any};
use tower::ServiceBuilder;
use tower_http::{CompressionLevel, catch_panic::CatchPanicLayer, compression::CompressionLayer};

use crate::api;

pub mod deadline;
pub mod forms;
pub mod measure;
pub mod operations;
pub mod origin;
pub mod owner;
pub mod pages;
pub mod problems;
pub mod request_id;
pub mod security;
pub mod serve;
pub mod shutdown;
pub mod site;
pub mod state;
pub mod visitor;

pub use state::AppState;

/// All routes with all layers. A layer further down is nearer to the handler.
pub fn router(state: AppState) -> Router {
    let (api, document) = api::router().split_for_parts();
    let pages = pages::router(&state);
    // whatever else is below /api must not fall through to the pages
    let routes = api
        .merge(api::document_route(&document))
        .route("/api", any(problems::no_such_address))
        .route("/api/", any(problems::no_such_address))
        .route("/api/{*rest}", any(problems::no_such_address))
        .merge(pages);

    let timeout = Duration::from_secs(state.server.request_timeout_seconds);
    let layers = ServiceBuilder::new()
        .layer(middleware::from_fn(request_id::assign))
        .layer(middleware::from_fn(measure::measure))
        // event streams and what is compressed already are left alone by default
        .layer(CompressionLayer::new().quality(CompressionLevel::Fastest))
        .layer(middleware::from_fn(security::add_headers))
        .layer(middleware::from_fn(problems::finish))
        .layer(CatchPanicLayer::custom(problems::panicked))
        .layer(middleware::from_fn_with_state(state.clone(), origin::refuse_cross_site))
        .layer(middleware::from_fn_with_state(timeout, deadline::limit))
        .layer(DefaultBodyLimit::max(state.server.body_limit_bytes));
    routes.layer(layers).with_state(state)
}
