//! The JSON of server functions, read as text rather than as bytes.
//!
//! What the server sends within a page is read from text. Reading both the same way, the browser's program holds one reader a
//! type instead of two, which is a tenth of its size.

use std::{error::Error, str};

use leptos::server_fn::{Bytes, ContentType, Decodes, Encodes, Format, FormatType};
use serde::{Serialize, de::DeserializeOwned};

pub struct JsonText;

impl ContentType for JsonText {
    const CONTENT_TYPE: &'static str = "application/json";
}

impl FormatType for JsonText {
    const FORMAT_TYPE: Format = Format::Text;
}

impl<T: Serialize> Encodes<T> for JsonText {
    type Error = serde_json::Error;

    fn encode(value: &T) -> Result<Bytes, Self::Error> {
        serde_json::to_string(value).map(Bytes::from)
    }
}

impl<T: DeserializeOwned> Decodes<T> for JsonText {
    type Error = Box<dyn Error>;

    fn decode(bytes: Bytes) -> Result<T, Self::Error> {
        Ok(serde_json::from_str(str::from_utf8(&bytes)?)?)
    }
}
