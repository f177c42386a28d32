//! Footprints and areas as exact shapes: reading and repairing GeoJSON, relations, fit.
//!
//! The plane is longitude and latitude, cut at the antimeridian: every piece of a [`Shape`] lies in −180..=180, and what
//! touches ±180 or a pole from both sides meets there. Edges are straight in that plane, as RFC 7946 has it.

mod fit;
mod read;
mod relations;
pub mod relations_golden;
mod rings;
mod seam;
mod shape;

pub use fit::fit;
pub use read::read_geometry;
pub use relations::relates;
pub use shape::Shape;

#[cfg(test)]
mod tests;
