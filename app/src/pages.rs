//! One file a page.

mod about;
mod element;
mod not_found;
mod round;
mod search;

pub use about::AboutPage;
pub use element::ElementPage;
pub use not_found::NotFoundPage;
pub use round::RoundPage;
pub use search::SearchPage;
