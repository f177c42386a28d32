//! The parts of an element's page.

mod facts;
mod graph_drawing;
mod links;
mod period_bar;
mod relations;

pub use facts::{Authors, Badges, Facts};
pub use links::{Links, OutgoingLink};
pub use period_bar::PeriodBar;
pub use relations::Relations;
