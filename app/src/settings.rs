//! What the server gives to pages beside the services.

use pipeline::model::conversation::OwnerId;

/// What an operator sets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageSettings {
    /// An address of raster tiles with `{z}`, `{x}` and `{y}`; without one the map shows the vendored outlines alone.
    pub tiles: Option<String>,
}

/// The id of the request that is answered, shown where something failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestId(pub String);

/// Who looks at the page, by the signed cookie; nobody where there is none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Visitor(pub Option<OwnerId>);
