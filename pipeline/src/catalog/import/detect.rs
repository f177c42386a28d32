//! Which format a file is of, told by what is in it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::model::problem::FieldError;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Our own elements, one a line (or a list of them).
    Ndjson,
    /// Resource JSON of the I-GUIDE platform.
    Iguide,
    /// STAC items, collections, and lists of them.
    Stac,
}

impl Format {
    pub const ALL: [Self; 3] = [Self::Ndjson, Self::Iguide, Self::Stac];

    pub fn name(self) -> &'static str {
        match self {
            Self::Ndjson => "ndjson",
            Self::Iguide => "iguide",
            Self::Stac => "stac",
        }
    }
}

impl std::fmt::Display for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl std::str::FromStr for Format {
    type Err = FieldError;

    fn from_str(text: &str) -> Result<Self, FieldError> {
        Self::ALL
            .into_iter()
            .find(|format| format.name() == text)
            .ok_or_else(|| FieldError::new("format", format!("`{text}` is not a format; use ndjson, iguide or stac")))
    }
}

/// The format of a record; `None` when it is none of ours.
pub fn detect(record: &Value) -> Option<Format> {
    let object = record.as_object()?;
    let has = |name: &str| object.contains_key(name);
    let type_is = |name: &str| object.get("type").and_then(Value::as_str) == Some(name);
    let list_of_stac = |name: &str| {
        let first = object.get(name).and_then(Value::as_array).and_then(|items| items.first());
        first.is_some_and(|first| first.get("stac_version").is_some() || first.get("extent").is_some())
    };
    let is_stac = (has("stac_version") && (type_is("Feature") || type_is("Collection") || has("extent")))
        || (type_is("Collection") && has("extent"))
        || list_of_stac("collections")
        || (type_is("FeatureCollection") && (has("stac_version") || list_of_stac("features")));
    if is_stac {
        return Some(Format::Stac);
    }
    if has("_id") && (has("resource-type") || has("contents") || has("related-notebooks")) {
        return Some(Format::Iguide);
    }
    if has("kind") || (has("title") && !has("type")) {
        return Some(Format::Ndjson);
    }
    None
}
