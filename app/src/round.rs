//! The parts of a round's page: one question, its answer, and everything that led to it.

mod answer;
mod story;
mod trace;

#[cfg(feature = "hydrate")]
mod follow;

pub use answer::AnswerView;
#[cfg(feature = "hydrate")]
pub use follow::follow;
pub use pipeline::model::round::RoundView as RoundLog;
pub use story::Story;
pub use trace::TracePanel;
