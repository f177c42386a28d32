//! catalog

pub mod projection;
