//! A question's way to its answer, on the page of the round and beside the cards of a search.

mod actions;
mod answer;
mod cards;
mod feedback;
mod forms;
mod panel;
mod sentences;
mod state;
mod story;
mod trace;
mod working;

#[cfg(feature = "hydrate")]
mod follow;

pub use cards::Cards;
pub use forms::AskForm;
pub use panel::RoundPanel;
pub use pipeline::model::round::RoundView as RoundLog;
pub use state::RoundState;
