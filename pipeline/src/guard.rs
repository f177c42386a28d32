//! What stands before an engine, whichever it is: decorators that implement the same ports. Timeouts are nowhere
//! else but in the engine of language models, which says what it had when the time was up.

pub mod cache;
pub mod metering;
pub mod timeout;
