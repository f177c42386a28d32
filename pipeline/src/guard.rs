//! What stands before an engine, whichever it is: decorators that implement the same ports. Timeouts are nowhere else.

pub mod cache;
pub mod metering;
pub mod timeout;
