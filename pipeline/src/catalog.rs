//! The catalogue: what may be registered, how it comes in and goes out, and what the page of an element needs.

pub mod duplicates;
pub mod element_page;
pub mod export;
pub mod fault;
pub mod import;
pub mod overview;
pub mod projection;
pub mod validate;

pub use element_page::{element_page, neighbours};
pub use export::{ExportScope, export};
pub use fault::{Fault, FaultKind};
pub use import::{Format, ImportError, ImportOptions, ImportProgress, ImportReport, import, import_file};
pub use overview::overview;
pub use validate::{Validated, validate};

#[cfg(test)]
mod tests;
