//! `/places`.

use axum::{
    Json,
    extract::{RawQuery, State},
};
use pipeline::{
    model::{
        place::Place,
        problem::{FieldError, Problem},
    },
    ports::geocoder::PlaceContext,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::http::{AppState, problems::ApiError};

const DEFAULT_LIMIT: usize = 10;
const MAX_LIMIT: usize = 50;

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(places))
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "only its description is used")]
struct PlaceParameters {
    /// A name, such as `Lake Victoria` or `London, Ontario`.
    q: String,
    /// 1 to 50; 10 when left out.
    limit: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Places {
    /// Likeliest first, each with its reason, without geometry; empty when the name is not known.
    pub places: Vec<Place>,
}

/// What a place name can mean.
#[utoipa::path(get, path = "/places", tag = "places", params(PlaceParameters),
    responses(
        (status = 200, body = Places, description = "The meanings of the name"),
        (status = "default", body = Problem, content_type = "application/problem+json", description = "What is wrong, by parameter")
    ))]
async fn places(State(state): State<AppState>, RawQuery(query): RawQuery) -> Result<Json<Places>, ApiError> {
    let (name, limit) = read(&query.unwrap_or_default()).map_err(ApiError::invalid)?;
    let mut places = state.services.geocoder.candidates(&name, &PlaceContext::default(), limit).await?;
    for place in &mut places {
        place.geometry = None;
    }
    Ok(Json(Places { places }))
}

fn read(query: &str) -> Result<(String, usize), Vec<FieldError>> {
    let mut name = String::new();
    let mut limit = DEFAULT_LIMIT;
    let mut errors = Vec::new();
    for (key, value) in form_urlencoded::parse(query.as_bytes()) {
        match (&*key, value.trim()) {
            ("q", value) => name = value.to_owned(),
            ("limit", value) => match value.parse() {
                Ok(number) if (1..=MAX_LIMIT).contains(&number) => limit = number,
                _ => errors.push(FieldError::new("limit", format!("limit is a number from 1 to {MAX_LIMIT}"))),
            },
            (other, _) => errors.push(FieldError::new(other, "is not a parameter of a place search")),
        }
    }
    if name.is_empty() {
        errors.push(FieldError::new("q", "give the name of a place"));
    }
    if errors.is_empty() { Ok((name, limit)) } else { Err(errors) }
}
