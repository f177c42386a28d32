//! The pieces pages are made of.

mod card;
mod footprint;
pub mod kind_mark;
mod marked;
mod world;

pub use card::{CardNumber, ResultCard};
pub use footprint::Footprint;
pub use kind_mark::KindMark;
pub use marked::MarkedText;
pub use world::{World, WorldBox};
