//! What Cairn talks about: knowledge elements, places, periods, queries, results and rounds.

pub mod bbox;
pub mod conversation;
pub mod cursor;
pub mod element;
pub mod element_page;
pub mod feedback;
pub mod graph;
pub mod overview;
pub mod period;
pub mod place;
pub mod problem;
pub mod query;
pub mod results;
pub mod round;

#[cfg(test)]
mod tests;
