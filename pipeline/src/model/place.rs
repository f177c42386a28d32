//! Areas a question is about, and the places names can mean.

use std::{fmt, str::FromStr};

use geojson::Geometry;
use serde::{Deserialize, Serialize};

use super::{bbox::BBox, problem::FieldError};

/// What a footprint is compared with: a box or any GeoJSON geometry. Planar engines split both at the antimeridian.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Area {
    Box(BBox),
    Geometry(Geometry),
}

/// How a footprint must lie to the area: the footprint intersects it, lies within it, contains it or is disjoint from it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Relation {
    #[default]
    Intersects,
    Within,
    Contains,
    Disjoint,
}

impl Relation {
    pub const ALL: [Self; 4] = [Self::Intersects, Self::Within, Self::Contains, Self::Disjoint];

    pub fn name(self) -> &'static str {
        match self {
            Self::Intersects => "intersects",
            Self::Within => "within",
            Self::Contains => "contains",
            Self::Disjoint => "disjoint",
        }
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Relation {
    type Err = FieldError;

    fn from_str(text: &str) -> Result<Self, FieldError> {
        Self::ALL.into_iter().find(|relation| relation.name() == text).ok_or_else(|| {
            FieldError::new("relation", format!("`{text}` is not a relation; use intersects, within, contains or disjoint"))
        })
    }
}

/// An area and the relation a footprint must have to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AreaFilter {
    pub area: Area,
    pub relation: Relation,
}

/// One meaning of a place name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Place {
    /// Stable within a gazetteer, such as `ne:region:US-GA` or `geonames:4197000`.
    pub id: String,
    pub name: String,
    /// `country`, `region`, `sea`, `lake`, `river`, `city`, …
    pub kind: String,
    /// ISO 3166-1 alpha-2 codes of the countries it lies in, when known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub countries: Vec<String>,
    /// Such as `Georgia, United States (region)`: enough to tell it from the others of its name.
    pub label: String,
    #[cfg_attr(feature = "openapi", schema(value_type = [f64; 4]))]
    pub bbox: BBox,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub geometry: Option<Geometry>,
    /// Longitude, latitude.
    pub centroid: [f64; 2],
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub population: Option<u64>,
    /// Why this meaning stands where it stands among the candidates.
    pub because: String,
}

/// What came of looking a place name up. Not found is an outcome, never a silent text search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PlaceOutcome {
    /// The name as it was asked.
    pub name: String,
    pub status: PlaceStatus,
    /// The meaning taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chosen: Option<Place>,
    /// Others it could mean, likeliest first, without geometry.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<Place>,
    /// A sentence for a person.
    pub reason: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PlaceStatus {
    Found,
    Ambiguous,
    NotFound,
    /// The geocoder could not be asked.
    Failed,
}
