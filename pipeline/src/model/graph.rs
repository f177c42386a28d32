//! The knowledge graph: seven typed edges between elements and people.

use serde::{Deserialize, Serialize};

use super::element::{ElementId, Kind, RelatedRel};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "ports", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Edge {
    ContributedBy,
    AuthoredBy,
    BookmarkedBy,
    Cites,
    RelatedTo,
    DerivedFrom,
    UsedIn,
}

impl Edge {
    pub const ALL: [Self; 7] = [
        Self::ContributedBy,
        Self::AuthoredBy,
        Self::BookmarkedBy,
        Self::Cites,
        Self::RelatedTo,
        Self::DerivedFrom,
        Self::UsedIn,
    ];

    /// Those between elements.
    pub const BETWEEN_ELEMENTS: [Self; 4] = [Self::Cites, Self::RelatedTo, Self::DerivedFrom, Self::UsedIn];

    pub fn name(self) -> &'static str {
        match self {
            Self::ContributedBy => "contributed-by",
            Self::AuthoredBy => "authored-by",
            Self::BookmarkedBy => "bookmarked-by",
            Self::Cites => "cites",
            Self::RelatedTo => "related-to",
            Self::DerivedFrom => "derived-from",
            Self::UsedIn => "used-in",
        }
    }

    /// What stands before the other end when the edge points away from the element in view, and when it points to it.
    pub fn phrases(self) -> (&'static str, &'static str) {
        match self {
            Self::ContributedBy => ("contributed by", "contributed"),
            Self::AuthoredBy => ("written by", "wrote"),
            Self::BookmarkedBy => ("bookmarked by", "bookmarked"),
            Self::Cites => ("cites", "cited by"),
            Self::RelatedTo => ("related to", "related to"),
            Self::DerivedFrom => ("derived from", "source of"),
            Self::UsedIn => ("used in", "uses"),
        }
    }
}

impl From<RelatedRel> for Edge {
    fn from(rel: RelatedRel) -> Self {
        match rel {
            RelatedRel::Cites => Self::Cites,
            RelatedRel::RelatedTo => Self::RelatedTo,
            RelatedRel::DerivedFrom => Self::DerivedFrom,
            RelatedRel::UsedIn => Self::UsedIn,
        }
    }
}

/// The way an edge points, seen from the element in view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "ports", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    Out,
    In,
}

/// The other end of an edge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Node {
    Element { id: ElementId, kind: Kind, title: String },
    Person { name: String },
}

/// One edge of an element, with its other end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Neighbour {
    pub edge: Edge,
    pub direction: Direction,
    pub node: Node,
}

/// One edge walked on the way to a hit: it points from `from` to `to` when the direction is `Out`, else back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EdgeStep {
    pub from: Node,
    pub edge: Edge,
    pub direction: Direction,
    pub to: Node,
}
