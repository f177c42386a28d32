//! What the page of one element shows.

use serde::{Deserialize, Serialize};

use super::{element::Element, graph::Neighbour};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ElementPage {
    /// Always public.
    pub element: Element,
    /// The description as sanitised HTML; empty when there is none.
    pub description_html: String,
    pub graph: GraphReport,
}

/// The edges of an element, or why they could not be had. Down is not the same as none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GraphReport {
    pub neighbours: Vec<Neighbour>,
    /// A sentence for a person; present when the graph did not answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub degraded: Option<String>,
}
