//! The one error of the ports. Its kind alone decides retry, breaker and HTTP status.

use std::{error::Error, fmt, time::Duration};

pub type PortResult<T> = Result<T, PortError>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The request itself is wrong; the same one will fail again.
    Invalid,
    NotFound,
    /// The engine does not answer at the moment.
    Unavailable,
    TimedOut,
    /// What the engine holds is not what it should hold: another model's vectors, another version's folder.
    Incompatible,
    Internal,
}

impl ErrorKind {
    /// Whether the same request may succeed a little later.
    pub fn may_succeed_later(self) -> bool {
        matches!(self, Self::Unavailable | Self::TimedOut)
    }
}

#[derive(Debug)]
pub struct PortError {
    pub kind: ErrorKind,
    /// Such as `tantivy: commit`.
    pub operation: &'static str,
    pub source: Box<dyn Error + Send + Sync>,
    pub retry_after: Option<Duration>,
}

impl PortError {
    pub fn new(kind: ErrorKind, operation: &'static str, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { kind, operation, source: source.into(), retry_after: None }
    }

    /// For `map_err`: an error that is nobody's fault but the engine's.
    pub fn internal<E: Into<Box<dyn Error + Send + Sync>>>(operation: &'static str) -> impl FnOnce(E) -> Self {
        move |source| Self::new(ErrorKind::Internal, operation, source)
    }
}

impl fmt::Display for PortError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.operation)
    }
}

impl Error for PortError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&*self.source)
    }
}
