//! From the change log to what is searched: a projector per target reads after its own checkpoint, applies in batches and
//! moves the checkpoint. A target that is down lags and catches up; one that is new or erased is filled from the start.

mod embedding_text;
mod projectors;
mod target;

use futures::future::join_all;

pub use self::{embedding_text::embedding_text, projectors::Projectors, target::Refusal};
use self::{
    projectors::patiently,
    target::{Projection, Step},
};
use crate::{
    ports::{PortError, PortResult, Seq},
    services::Services,
};

/// How far a projection is behind the records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectionLag {
    /// `text`, `vectors` or `graph`.
    pub name: &'static str,
    pub checkpoint: Seq,
    pub last_seq: Seq,
    /// Why the checkpoint is not known, or cannot move.
    pub error: Option<String>,
}

impl ProjectionLag {
    /// Rows of the log that are still to come. A checkpoint beyond the log counts too: everything must be built anew.
    pub fn rows(&self) -> u64 {
        if self.checkpoint > self.last_seq { self.last_seq } else { self.last_seq - self.checkpoint }
    }
}

/// How far each projection is behind.
///
/// # Errors
/// Records that cannot be read; a projection that cannot be read is in the list with its error.
pub async fn lag(services: &Services) -> PortResult<Vec<ProjectionLag>> {
    let last_seq = services.records.last_seq().await?;
    let mut lags = Vec::new();
    for projection in Projection::all(services) {
        let (checkpoint, error) = match projection.checkpoint().await {
            Ok(checkpoint) => (checkpoint, projection.cannot_move()),
            Err(error) => (0, Some(explain(&error))),
        };
        lags.push(ProjectionLag { name: projection.name(), checkpoint, last_seq, error });
    }
    Ok(lags)
}

/// Erases the projections that follow another log than this one, because the records were erased or restored: their
/// checkpoint lies beyond the log. Call it before anything is committed, when the log has not yet grown over the checkpoint.
/// Returns their names.
///
/// # Errors
/// Records or projections that cannot be read.
pub async fn reset_foreign(services: &Services) -> PortResult<Vec<&'static str>> {
    let mut erased = Vec::new();
    for projection in Projection::all(services) {
        if projection.reset_if_foreign().await? {
            erased.push(projection.name());
        }
    }
    Ok(erased)
}

/// Brings every projection to the position the log has now; what was refused on the way. Without a model the vectors are
/// left as they are. For imports from the command line and for tests: a server has [`Projectors`].
///
/// # Errors
/// A target that stays down for some seconds. The others are brought to the end all the same.
pub async fn catch_up(services: &Services) -> PortResult<Vec<Refusal>> {
    let goal = services.records.last_seq().await?;
    let projections: Vec<Projection> =
        Projection::all(services).filter(|projection| projection.cannot_move().is_none()).collect();
    let outcomes = join_all(projections.iter().map(|projection| reach(projection, goal))).await;
    let mut refused = Vec::new();
    for outcome in outcomes {
        refused.extend(outcome?);
    }
    Ok(refused)
}

async fn reach(projection: &Projection, goal: Seq) -> PortResult<Vec<Refusal>> {
    let mut all_refused = Vec::new();
    loop {
        match patiently(|| projection.advance()).await? {
            Step::Applied { upto, refused } => {
                all_refused.extend(refused);
                if upto >= goal {
                    return Ok(all_refused);
                }
            }
            Step::Erased => {}
            Step::AtTheEnd(_) => return Ok(all_refused),
        }
    }
}

/// An error with its source, for people who operate.
fn explain(error: &PortError) -> String {
    format!("{error}: {}", error.source)
}

#[cfg(all(test, feature = "embedded"))]
mod tests;
