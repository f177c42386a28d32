//! A record of another format, rewritten in ours, with what had to be left out or changed for it.

use serde_json::{Map, Value, json};

use crate::catalog::{
    fault::{Fault, FaultKind},
    validate::{MAX_TAG_BYTES, MAX_TAGS, is_http_address},
};
use crate::text::fold::fold;

/// `record` goes through [`crate::catalog::validate`] as everything does.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    pub record: Map<String, Value>,
    pub faults: Vec<Fault>,
}

impl Draft {
    pub fn set(&mut self, field: &str, value: impl Into<Value>) {
        self.record.insert(field.to_owned(), value.into());
    }

    /// Appends to a list field.
    pub fn push(&mut self, field: &str, value: Value) {
        let list = self.record.entry(field).or_insert_with(|| Value::Array(Vec::new()));
        if let Value::Array(items) = list {
            items.push(value);
        }
    }

    /// Keeps under `extra` what has no field of its own.
    pub fn keep_aside(&mut self, name: &str, value: Value) {
        let extra = self.record.entry("extra").or_insert_with(|| Value::Object(Map::new()));
        if let Value::Object(map) = extra {
            map.insert(name.to_owned(), value);
        }
    }

    pub fn fault(&mut self, kind: FaultKind, field: &str, message: impl Into<String>) {
        self.faults.push(Fault::new(kind, field, message));
    }

    /// Adds a link unless its address is none of http or https, which is said. Letters that no address may have are
    /// encoded.
    pub fn link(&mut self, field: &str, href: &str, rel: &str, media_type: Option<&str>, title: Option<&str>) {
        let mut href = href.trim().to_owned();
        if href.is_empty() {
            return;
        }
        let encoded = encoded(&href);
        if encoded != href && is_http_address(&encoded) {
            self.fault(
                FaultKind::AddressNotEncoded,
                field,
                format!("`{href}` has letters that an address cannot have; they were encoded"),
            );
            href = encoded;
        }
        if !is_http_address(&href) {
            let shown: String = href.chars().take(120).collect();
            self.fault(
                FaultKind::LinkNotHttp,
                field,
                format!("`{shown}` is not an http or https address; the link was left out"),
            );
            return;
        }
        let mut link = json!({"href": href, "rel": rel});
        if let Value::Object(map) = &mut link {
            let text = |value: Option<&str>| value.map(str::trim).filter(|text| !text.is_empty()).map(Value::from);
            map.extend(text(media_type).map(|value| ("type".to_owned(), value)));
            map.extend(text(title).map(|value| ("title".to_owned(), value)));
        }
        let known = self.record.get("links").and_then(Value::as_array).into_iter().flatten();
        if !known.into_iter().any(|known| known.get("href") == link.get("href") && known.get("rel") == link.get("rel")) {
            self.push("links", link);
        }
    }

    /// Sets the tags in this order without empty ones and repetitions (case and accents apart); overlong ones and those beyond the
    /// most an element may have are left out, which is said.
    pub fn set_tags<'a>(&mut self, tags: impl IntoIterator<Item = &'a str>) {
        let mut seen = std::collections::HashSet::new();
        let mut kept: Vec<&str> =
            tags.into_iter().map(str::trim).filter(|tag| !tag.is_empty() && seen.insert(fold(tag))).collect();
        let before = kept.len();
        kept.retain(|tag| tag.len() <= MAX_TAG_BYTES);
        kept.truncate(MAX_TAGS);
        if kept.len() < before {
            self.fault(FaultKind::TooLong, "tags", format!("{} tags too many or too long were left out", before - kept.len()));
        }
        if !kept.is_empty() {
            self.set("tags", kept);
        }
    }
}

/// An address with the ASCII letters encoded that none may have (RFC 3986, 2.2 and 2.3).
fn encoded(href: &str) -> String {
    let mut address = String::with_capacity(href.len());
    for letter in href.chars() {
        match letter {
            ' ' | '"' | '<' | '>' | '\\' | '^' | '`' | '{' | '|' | '}' => {
                address.push_str(&format!("%{:02X}", u32::from(letter)))
            }
            other => address.push(other),
        }
    }
    address
}

/// The text of a field, without space around it; `None` when absent, empty or not a text.
pub(crate) fn text_of<'a>(object: &'a Map<String, Value>, field: &str) -> Option<&'a str> {
    object.get(field).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty())
}

/// The texts of a list, or the one text where a text stands instead of a list.
pub(crate) fn texts_of(value: Option<&Value>) -> Vec<&str> {
    match value {
        Some(Value::String(text)) => vec![text.as_str()],
        Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}
