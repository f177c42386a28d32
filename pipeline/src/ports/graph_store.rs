//! The knowledge graph as a projection of the records: elements, people and seven typed edges.

use async_trait::async_trait;

use super::{PortResult, Seq, records::LoggedChange, search_index::Hit};
use crate::model::{
    element::{ElementId, Kind},
    graph::{Edge, Neighbour},
};

#[async_trait]
pub trait GraphStore: Send + Sync {
    /// The edges of a public element in both directions, the other ends public elements or people; by edge, then title or
    /// name. An edge to an element that is absent or not public is not shown.
    async fn neighbours(&self, id: &ElementId) -> PortResult<Vec<Neighbour>>;

    /// Public elements linked to a person by one of `edges` (contributed-by, authored-by, bookmarked-by), most viewed first.
    /// The name is compared without case and accents.
    async fn by_person(&self, name: &str, edges: &[Edge], limit: usize) -> PortResult<Vec<Hit>>;

    /// Most viewed public elements, optionally of some kinds; the score is the click count. Never viewed ones are left out.
    async fn popular(&self, kinds: &[Kind], limit: usize) -> PortResult<Vec<Hit>>;

    /// Names of people whose every word occurs in the text as a word, without case and accents; longest name first. Names of
    /// one word are left out, since they are words as well.
    async fn people_in(&self, text: &str) -> PortResult<Vec<String>>;

    /// Applies changes up to and including `upto` in one transaction with the checkpoint. Idempotent.
    async fn apply(&self, changes: &[LoggedChange], upto: Seq) -> PortResult<()>;

    async fn checkpoint(&self) -> PortResult<Seq>;

    async fn reset(&self) -> PortResult<()>;
}
