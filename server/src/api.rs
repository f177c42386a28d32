//! The public HTTP API with its OpenAPI document. One file a resource; what a handler does is in `pipeline`.

use axum::{Json, Router, routing::get};
use pipeline::model::{place::Relation, query::Sort};
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;

use crate::http::{AppState, operations};

pub mod conversations;
pub mod elements;
pub mod events;
pub mod export;
pub mod feedback;
pub mod json;
pub mod places;
pub mod rounds;
pub mod search;

pub const DOCUMENT_PATH: &str = "/api/v1/openapi.json";

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Cairn",
        description = "Finds geospatial knowledge: datasets, notebooks, publications, maps, code and teaching resources. \
                       Errors are problem details (RFC 9457) whose `instance` is the request id.",
    ),
    // only parameters name them
    components(schemas(Relation, Sort)),
    tags(
        (name = "search", description = "Find elements"),
        (name = "elements", description = "Elements and their links"),
        (name = "places", description = "Places by name"),
        (name = "rounds", description = "Questions and their answers. They belong to the visitor who asked, known by a signed cookie; others read a round by its link."),
        (name = "operations", description = "For operators"),
    )
)]
struct Document;

/// All documented routes.
pub fn router() -> OpenApiRouter<AppState> {
    let resources = OpenApiRouter::new()
        .merge(search::router())
        .merge(elements::router())
        .merge(places::router())
        .merge(rounds::router())
        .merge(conversations::router());
    OpenApiRouter::with_openapi(Document::openapi()).nest("/api/v1", resources).merge(operations::router())
}

/// The route of the document itself.
pub fn document_route(document: &utoipa::openapi::OpenApi) -> Router<AppState> {
    let document = Json(document.clone());
    Router::new().route(DOCUMENT_PATH, get(move || async move { document }))
}
