//! The knowledge graph as a projection of the records: elements, people and seven typed edges.

use async_trait::async_trait;

use super::{PortResult, Seq, records::LoggedChange, search_index::Hit};
use crate::model::{
    element::ElementId,
    graph::{EdgeStep, Neighbour},
    graph_intent::GraphIntent,
};

/// Steps a lineage is followed at most.
pub const LINEAGE_DEPTH: usize = 12;
/// Edges of the longest path between two elements that is looked for.
pub const PATH_DEPTH: usize = 6;

/// An element that answers an intent.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphHit {
    pub hit: Hit,
    /// The edges that explain it. They are walked from what was asked to the hit, one way after the other; what people made
    /// together is explained by the edges to all of them.
    pub because: Vec<EdgeStep>,
}

#[async_trait]
pub trait GraphStore: Send + Sync {
    /// The edges of a public element in both directions, the other ends public elements or people; by edge, then title or
    /// name. An edge to an element that is absent or not public is not shown.
    async fn neighbours(&self, id: &ElementId) -> PortResult<Vec<Neighbour>>;

    /// At most `limit` public elements that answer an intent, best first, each with the edges that explain it; no step leads
    /// over an element that is not public. The asked element is no hit, but on a connection. Ties go to the more viewed, then by id. Order and score:
    ///
    /// - contributed, authored, uses, related, publications, bookmarked, works with: by the number of links to what was asked;
    /// - most viewed: by views, never viewed ones left out; most bookmarked: by bookmarks;
    /// - lineage: nearest first, score one over the steps, at most [`LINEAGE_DEPTH`];
    /// - connection: the elements of one shortest path of at most [`PATH_DEPTH`] edges in its order, both ends included, each with
    ///   the whole path. It runs over authors and the edges between elements; a contributor of half the catalogue or a reader's
    ///   bookmarks would connect everything with everything.
    ///
    /// Names of people are compared without case and accents. `Invalid` for what is viewed most with a tag or in an area.
    async fn find(&self, intent: &GraphIntent, limit: usize) -> PortResult<Vec<GraphHit>>;

    /// Names of people whose every word occurs in the text as a word, without case and accents; longest name first. Names of
    /// one word are left out, since they are words as well.
    async fn people_in(&self, text: &str) -> PortResult<Vec<String>>;

    /// Applies changes up to and including `upto` in one transaction with the checkpoint. Idempotent.
    async fn apply(&self, changes: &[LoggedChange], upto: Seq) -> PortResult<()>;

    async fn checkpoint(&self) -> PortResult<Seq>;

    async fn reset(&self) -> PortResult<()>;
}
