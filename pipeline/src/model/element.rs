//! A knowledge element: one record type with shared fields and a few details by kind.

use std::{fmt, str::FromStr};

use geojson::Geometry;
use serde::{Deserialize, Serialize};

use super::{bbox::BBox, period::Period, problem::FieldError};

/// The persistent identifier of an element, the same in records, index, graph and page address.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(transparent)]
pub struct ElementId(pub String);

impl fmt::Display for ElementId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<&str> for ElementId {
    fn from(id: &str) -> Self {
        Self(id.to_owned())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "ports", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Dataset,
    Notebook,
    Publication,
    Map,
    Code,
    Oer,
}

impl Kind {
    pub const ALL: [Self; 6] = [Self::Dataset, Self::Notebook, Self::Publication, Self::Map, Self::Code, Self::Oer];

    /// The wire name: `dataset`, `notebook`, `publication`, `map`, `code` or `oer`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dataset => "dataset",
            Self::Notebook => "notebook",
            Self::Publication => "publication",
            Self::Map => "map",
            Self::Code => "code",
            Self::Oer => "oer",
        }
    }

    /// What a person reads on a badge.
    pub fn label(self) -> &'static str {
        match self {
            Self::Oer => "teaching resource",
            other => other.name(),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Kind {
    type Err = FieldError;

    fn from_str(text: &str) -> Result<Self, FieldError> {
        Self::ALL.into_iter().find(|kind| kind.name() == text).ok_or_else(|| {
            FieldError::new("kind", format!("`{text}` is not a kind; use dataset, notebook, publication, map, code or oer"))
        })
    }
}

/// One record of the catalogue. The JSON form is the import and export format; unknown fields are refused by name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Element {
    pub id: ElementId,
    pub kind: Kind,
    pub title: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub authors: Vec<Author>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Markdown; never rendered but through the sanitiser.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// An SPDX identifier or `other`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub license: Option<String>,
    /// A BCP 47 tag.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Normalised: lower case, no resolver, no `doi:`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doi: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<Link>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spatial: Option<Spatial>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temporal: Option<Period>,
    #[serde(default, skip_serializing_if = "Details::is_empty")]
    pub details: Details,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub related: Vec<Related>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contributor: Option<Person>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bookmarked_by: Vec<Person>,
    #[serde(default)]
    pub visibility: Visibility,
    #[serde(default)]
    pub click_count: u64,
    /// RFC 3339; assigned at the first registration when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
    /// RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated: Option<String>,
    /// Kept and returned as given.
    #[serde(default, skip_serializing_if = "serde_json::Map::is_empty")]
    pub extra: serde_json::Map<String, serde_json::Value>,
}

impl Element {
    /// An element with a title and nothing else.
    pub fn new(id: &str, kind: Kind, title: &str) -> Self {
        Self {
            id: ElementId::from(id),
            kind,
            title: title.to_owned(),
            authors: Vec::new(),
            tags: Vec::new(),
            description: String::new(),
            license: None,
            language: None,
            doi: None,
            links: Vec::new(),
            spatial: None,
            temporal: None,
            details: Details::default(),
            related: Vec::new(),
            contributor: None,
            bookmarked_by: Vec::new(),
            visibility: Visibility::Public,
            click_count: 0,
            created: None,
            updated: None,
            extra: serde_json::Map::new(),
        }
    }

    pub fn is_public(&self) -> bool {
        self.visibility == Visibility::Public
    }

    /// The box of the footprint, absent when the element has none.
    pub fn bbox(&self) -> Option<BBox> {
        self.spatial.as_ref()?.bbox
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Author {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub orcid: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Person {
    pub name: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Link {
    /// Always http or https: checked at registration.
    pub href: String,
    #[serde(default)]
    pub rel: LinkRel,
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum LinkRel {
    #[default]
    About,
    Download,
    Repository,
    Preview,
    Service,
    Related,
}

/// Where an element applies. `geometry` wins where both are given; `bbox` is always filled when there is a geometry.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Spatial {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub geometry: Option<Geometry>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<[f64; 4]>))]
    pub bbox: Option<BBox>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<String>,
}

/// Facts by kind; a field that does not belong to the kind is simply absent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Details {
    /// dataset: a media type or a common name of the format.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size_bytes: Option<u64>,
    /// publication
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub venue: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub year: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pages: Option<String>,
    /// notebook and code: an address or a path within one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repository: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub functions: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub imports: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tasks: Vec<String>,
    /// map: the service type, such as WMS or a web viewer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service: Option<String>,
    /// oer
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audience: Option<String>,
}

impl Details {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// An outgoing edge to another element, as a contributor states it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Related {
    pub rel: RelatedRel,
    pub id: ElementId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RelatedRel {
    Cites,
    RelatedTo,
    DerivedFrom,
    UsedIn,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Visibility {
    #[default]
    Public,
    Private,
    Withdrawn,
}
