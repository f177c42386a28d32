//! The truth: elements with their change log.

use async_trait::async_trait;

use super::{PortResult, Seq};
use crate::model::element::{Element, ElementId};

/// What a registration asks for.
#[derive(Clone, Debug)]
pub enum Change {
    /// Insert or replace by id. `click_count` and `created` of an element that is there already are kept.
    Put(Box<Element>),
    /// The element stays in the records with visibility `withdrawn` and leaves every projection.
    Withdraw(ElementId),
}

/// What became of one [`Change`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Committed {
    Created(Seq),
    Updated(Seq),
    /// The same content was there: nothing was logged.
    Unchanged,
    /// A withdrawal of an element that is not there.
    Absent,
}

/// One row of the change log together with the element as it is now. A projector that reads an old row of an element that
/// has changed since sees the newest content: applying is idempotent.
#[derive(Clone, Debug)]
pub struct LoggedChange {
    pub seq: Seq,
    pub what: ChangeKind,
    pub element: Element,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    Put,
    /// Only `click_count` changed.
    Clicked,
    Withdrawn,
}

#[async_trait]
pub trait Records: Send + Sync {
    /// Commits all changes and their log rows in one transaction, in order; durable when it returns.
    async fn commit(&self, changes: Vec<Change>) -> PortResult<Vec<Committed>>;

    /// Any visibility: callers that show it to the public check [`Element::is_public`].
    async fn element(&self, id: &ElementId) -> PortResult<Option<Element>>;

    /// In the order asked; absent ids are left out.
    async fn elements(&self, ids: &[ElementId]) -> PortResult<Vec<Element>>;

    /// All elements of any visibility in the order of their ids, after `after`, at most `limit`.
    async fn page(&self, after: Option<&ElementId>, limit: usize) -> PortResult<Vec<Element>>;

    /// Elements with this DOI (normalised form), of any visibility.
    async fn with_doi(&self, doi: &str) -> PortResult<Vec<ElementId>>;

    /// Log rows after `after` in order, at most `limit`. Several rows of one element may come as the last of them only.
    async fn changes(&self, after: Seq, limit: usize) -> PortResult<Vec<LoggedChange>>;

    /// The newest position of the log, 0 when empty.
    async fn last_seq(&self) -> PortResult<Seq>;

    /// How many elements are public.
    async fn count(&self) -> PortResult<u64>;

    /// Counts a click of `visitor` unless the same visitor clicked the same element less than `quiet_seconds` ago;
    /// tells whether it counted. A counted click is a row of the log. Public elements only: others are `NotFound`.
    async fn click(&self, id: &ElementId, visitor: &str, quiet_seconds: u32) -> PortResult<bool>;

    /// Resolves when the log may have grown beyond `seq`; may also wake for nothing.
    async fn wait_beyond(&self, seq: Seq);
}
