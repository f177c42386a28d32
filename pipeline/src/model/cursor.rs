//! Where the next page starts.

use serde::{Deserialize, Serialize};

use super::problem::FieldError;

/// Opaque to clients: the items already seen and a fingerprint of what was asked, so that a cursor of another query is
/// refused rather than misread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cursor {
    /// Items already seen.
    pub offset: u64,
    /// A fingerprint of the query without its cursor and limit.
    pub query: u64,
}

impl Cursor {
    pub fn encode(&self) -> String {
        format!("{:x}-{:016x}", self.offset, self.query)
    }

    /// # Errors
    /// Not a cursor of ours.
    pub fn decode(text: &str) -> Result<Self, FieldError> {
        let parsed = text.split_once('-').and_then(|(offset, query)| {
            Some(Self { offset: u64::from_str_radix(offset, 16).ok()?, query: u64::from_str_radix(query, 16).ok()? })
        });
        parsed.filter(|cursor| cursor.encode() == text).ok_or_else(|| {
            FieldError::new("cursor", "this is not a cursor of ours; use next_cursor of the previous page as it is")
        })
    }
}
