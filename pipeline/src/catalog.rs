//! The catalogue: what may be registered, how it comes in and goes out, and what the page of an element needs.

pub mod element_page;
pub mod overview;

pub use element_page::{element_page, neighbours};
pub use overview::overview;
