//! What a search returns, on the wire and to the page.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{
    bbox::BBox,
    element::{Author, ElementId, Kind, Link},
    period::Period,
    place::PlaceOutcome,
    query::Method,
};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SearchResults {
    /// How many elements can be paged through.
    pub total: u64,
    pub items: Vec<ResultItem>,
    pub methods: Vec<MethodReport>,
    pub facets: Facets,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<PlaceOutcome>,
    /// Elements that match everything but have no footprint, so that the area could not be asked of them.
    #[serde(default)]
    pub without_footprint: u64,
    /// When nothing was found: how many elements each filter alone removed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removed_by: Vec<FilterEffect>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
    pub elapsed_ms: f64,
}

/// A card.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ResultItem {
    pub id: ElementId,
    pub kind: Kind,
    pub title: String,
    /// 1-based rank per method that found it.
    pub ranks: BTreeMap<Method, u32>,
    /// 1-based place in the whole fused list.
    pub position: u32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub authors: Vec<Author>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// The title and the best sentence with the words that matched.
    pub title_marked: Marked,
    pub excerpt: Marked,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doi: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub license: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contributor: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<[f64; 4]>))]
    pub bbox: Option<BBox>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub geometry: Option<geojson::Geometry>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temporal: Option<Period>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub year: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<Link>,
    pub click_count: u64,
    /// Sentences that say why, such as `written by Ana Costa` from the graph.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub because: Vec<String>,
}

/// Text in pieces, so that a mark never needs HTML from the server.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(transparent)]
pub struct Marked(pub Vec<MarkedPart>);

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MarkedPart {
    pub text: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub marked: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MethodReport {
    pub name: Method,
    pub status: MethodStatus,
    /// Candidates this method brought.
    pub count: u64,
    pub elapsed_ms: f64,
    /// Why it was skipped or failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum MethodStatus {
    Ok,
    /// Nothing in the query asks for it.
    Skipped,
    /// The engine did not answer: not the same as no match.
    Degraded,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Facets {
    pub kinds: Vec<FacetCount>,
    pub tags: Vec<FacetCount>,
    pub contributors: Vec<FacetCount>,
    /// Decades, such as `2010` for 2010-2019, by overlap with the temporal coverage.
    pub decades: Vec<FacetCount>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FacetCount {
    pub value: String,
    pub count: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FilterEffect {
    /// The query parameter to lift, such as `kind`.
    pub parameter: String,
    /// How many elements would be found without it.
    pub found_without: u64,
}
