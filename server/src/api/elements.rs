//! `/elements/{id}` and what hangs on an element.

use axum::{
    Json,
    extract::{Path, State},
};
use pipeline::{
    catalog,
    model::{
        element::{Element, ElementId},
        element_page::GraphReport,
        problem::Problem,
    },
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::http::{AppState, problems::ApiError, visitor::Visitor};

/// A second click of a visitor on an element within this time does not count.
const QUIET_SECONDS: u32 = 30;

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(element)).routes(routes!(neighbours)).routes(routes!(click))
}

fn absent() -> ApiError {
    ApiError::not_found(
        "There is no such element. It may have been withdrawn, or the id is mistyped; /api/v1/search finds what there is.",
    )
}

/// An element with all its fields.
#[utoipa::path(get, path = "/elements/{id}", tag = "elements", params(("id" = String, Path, description = "The element's id")),
    responses(
        (status = 200, body = Element, description = "The element"),
        (status = 404, body = Problem, content_type = "application/problem+json", description = "There is none, or it is not public"),
        (status = "default", body = Problem, content_type = "application/problem+json", description = "What went wrong")
    ))]
async fn element(State(state): State<AppState>, Path(id): Path<String>) -> Result<Json<Element>, ApiError> {
    let element = state.services.records.element(&ElementId(id)).await?;
    element.filter(Element::is_public).map(Json).ok_or_else(absent)
}

/// The elements and people an element is linked with, in both directions.
#[utoipa::path(get, path = "/elements/{id}/neighbours", tag = "elements", params(("id" = String, Path, description = "The element's id")),
    responses(
        (status = 200, body = GraphReport, description = "Its edges; `degraded` says why they could not be had"),
        (status = 404, body = Problem, content_type = "application/problem+json", description = "There is none, or it is not public"),
        (status = "default", body = Problem, content_type = "application/problem+json", description = "What went wrong")
    ))]
async fn neighbours(State(state): State<AppState>, Path(id): Path<String>) -> Result<Json<GraphReport>, ApiError> {
    catalog::neighbours(&state.services, &ElementId(id)).await?.map(Json).ok_or_else(absent)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ClickOutcome {
    /// False for robots and for a visitor's second click within 30 s.
    pub counted: bool,
}

/// Tells that a person followed an element to its source: what popularity is made of.
#[utoipa::path(post, path = "/elements/{id}/clicks", tag = "elements", params(("id" = String, Path, description = "The element's id")),
    responses(
        (status = 200, body = ClickOutcome, description = "Whether it counted"),
        (status = 404, body = Problem, content_type = "application/problem+json", description = "There is none, or it is not public"),
        (status = "default", body = Problem, content_type = "application/problem+json", description = "What went wrong")
    ))]
async fn click(State(state): State<AppState>, visitor: Visitor, Path(id): Path<String>) -> Result<Json<ClickOutcome>, ApiError> {
    let id = ElementId(id);
    let counted = match visitor {
        Visitor::Person(visitor) => state.services.records.click(&id, &visitor, QUIET_SECONDS).await?,
        Visitor::Robot => {
            let is_there = state.services.records.element(&id).await?.is_some_and(|element| element.is_public());
            if !is_there {
                return Err(absent());
            }
            false
        }
    };
    Ok(Json(ClickOutcome { counted }))
}
