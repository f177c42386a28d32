//! What somebody sees who comes for the first time.

use serde::{Deserialize, Serialize};

use super::{bbox::BBox, element::Kind, results::FacetCount};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Overview {
    /// Public elements.
    pub total: u64,
    /// How many of each kind.
    pub kinds: Vec<FacetCount>,
    /// Questions the catalogue can answer, made from what it holds.
    pub examples: Vec<String>,
    /// Where the most viewed elements lie.
    pub footprints: Vec<OverviewFootprint>,
    /// Public elements whose footprint is not known.
    pub without_footprint: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OverviewFootprint {
    pub kind: Kind,
    pub bbox: BBox,
}
