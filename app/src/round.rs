//! The parts of a round's page: one question, its answer, and everything that led to it.

mod answer;
mod story;
mod trace;

#[cfg(feature = "hydrate")]
mod follow;

use pipeline::model::round::{Round, TraceEvent};
use serde::{Deserialize, Serialize};

pub use answer::AnswerView;
#[cfg(feature = "hydrate")]
pub use follow::follow;
pub use story::Story;
pub use trace::TracePanel;

/// A round with its log as far as it has come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RoundLog {
    pub round: Round,
    pub events: Vec<TraceEvent>,
}
