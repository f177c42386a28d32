//! Place names to areas.

use async_trait::async_trait;

use super::PortResult;
use crate::model::place::Place;

/// What is known around a name that helps to choose among its meanings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlaceContext {
    /// The whole text the name stands in: other places named there pull towards themselves.
    pub text: String,
    /// Likely countries, ISO 3166-1 alpha-2.
    pub countries: Vec<String>,
}

/// A place name within a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Mention {
    /// Byte offsets within the text.
    pub start: usize,
    pub end: usize,
    /// As written.
    pub name: String,
    /// Likeliest first, at least one.
    pub candidates: Vec<Place>,
}

#[async_trait]
pub trait Geocoder: Send + Sync {
    /// The meanings of a name, likeliest first, each with its reason; empty when the name is not known. `London, Ontario`
    /// and `Georgia (country)` are understood. Case and accents do not matter; names in other languages count.
    async fn candidates(&self, name: &str, context: &PlaceContext, limit: usize) -> PortResult<Vec<Place>>;

    /// Place names found in a text, in order, not overlapping.
    async fn mentions(&self, text: &str) -> PortResult<Vec<Mention>>;

    /// The place with this id, with its geometry.
    async fn place(&self, id: &str) -> PortResult<Option<Place>>;
}
