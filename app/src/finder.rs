//! The search page, part by part. Its state is the address and nothing else.

mod active_filters;
mod ask_here;
mod facets;
mod filters;
mod first_visit;
mod form_values;
mod nothing_found;
mod pager;
mod place_choice;
mod results;
mod search_box;
mod summary;

pub use ask_here::AskHere;
pub use first_visit::FirstVisit;
pub use results::ResultsView;
pub use search_box::{FORM, SearchBox};
