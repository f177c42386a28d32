//! `/search`.

use axum::{
    Json,
    extract::{RawQuery, State},
};
use pipeline::model::{element::Kind, place::Relation};
use pipeline::model::{
    problem::Problem,
    query::{Method, SearchQuery, Sort},
    results::SearchResults,
};
use utoipa::IntoParams;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::http::{AppState, problems::ApiError};

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(search))
}

/// The parameters for the document; they are read by `SearchQuery::from_query_string`, which the tests hold against these.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "only its description is used")]
pub struct SearchParameters {
    /// What is looked for; leave it out to browse. Quoted phrases and a leading minus work; nothing else is syntax.
    q: Option<String>,
    /// `west,south,east,north` in degrees; west > east crosses the antimeridian.
    #[param(example = "170,60,-170,70")]
    bbox: Option<String>,
    /// A GeoJSON geometry.
    geometry: Option<String>,
    /// How a footprint must lie to the area or the place.
    relation: Option<Relation>,
    /// A place by name; what it was taken to mean is in the reply's `place`.
    place: Option<String>,
    /// The id of the meaning of `place` to take.
    place_id: Option<String>,
    /// A date or an interval, inclusive: `2015`, `2015-02/2020`, `2015/..`.
    #[param(example = "2015/..")]
    datetime: Option<String>,
    /// The first date of an interval, instead of `datetime`.
    from: Option<String>,
    /// The last date of an interval, instead of `datetime`.
    to: Option<String>,
    /// Any of these; repeat it or separate by commas.
    kind: Option<Vec<Kind>>,
    /// All of these; repeat it.
    tag: Option<Vec<String>>,
    /// Any of these names; repeat it.
    contributor: Option<Vec<String>>,
    /// Only these methods; repeat it or separate by commas.
    method: Option<Vec<Method>>,
    sort: Option<Sort>,
    /// Items a page, 1 to 100; 20 when left out.
    limit: Option<u64>,
    /// `next_cursor` of the page before, with everything else unchanged.
    cursor: Option<String>,
}

/// Ranked elements, how each method did, and facets.
///
/// A method whose engine fails is `degraded` with its reason; the others answer.
#[utoipa::path(get, path = "/search", tag = "search", params(SearchParameters),
    responses(
        (status = 200, body = SearchResults, description = "A page of results"),
        (status = "default", body = Problem, content_type = "application/problem+json", description = "What is wrong, by parameter")
    ))]
async fn search(State(state): State<AppState>, RawQuery(query): RawQuery) -> Result<Json<SearchResults>, ApiError> {
    let query = SearchQuery::from_query_string(&query.unwrap_or_default()).map_err(ApiError::invalid)?;
    Ok(Json(pipeline::search::search(&state.services, &query).await?))
}
