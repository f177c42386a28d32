//! One file a page.

mod about;
mod conversation;
mod element;
mod history;
mod not_found;
mod round;
mod search;

pub use about::AboutPage;
pub use conversation::ConversationPage;
pub use element::ElementPage;
pub use history::HistoryPage;
pub use not_found::NotFoundPage;
pub use round::RoundPage;
pub use search::SearchPage;
