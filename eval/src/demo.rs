//! A fresh catalogue with the demo elements.

use std::{
    collections::{BTreeMap, HashMap},
    fs,
};

use anyhow::{Context, Result, anyhow};
use pipeline::{
    model::element::{Element, ElementId},
    services::Services,
};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::embedded::Embedded;

pub const ELEMENTS: &str = include_str!("../../server/demo/elements.ndjson");

/// Lives as long as it is held.
pub struct Demo {
    pub services: Services,
    pub elements: HashMap<ElementId, Element>,
    _folder: TempDir,
}

/// Imports the demo elements as a user would, with other click counts where `clicks` gives some.
///
/// # Errors
/// No embedding model, or a folder that cannot be written.
pub async fn open(clicks: &BTreeMap<String, u64>) -> Result<Demo> {
    let folder = tempfile::tempdir()?;
    let embedded = Embedded::open(&folder.path().join("data")).await?;
    if let Err(reason) = &embedded.services.embedder {
        return Err(anyhow!("semantic retrieval needs the embedding model: {reason}"));
    }
    let file = folder.path().join("elements.ndjson");
    fs::write(&file, with_clicks(clicks)?)?;
    embedded.import(&file).await?;
    embedded.catch_up().await?;
    let elements = embedded.services.records.page(None, usize::MAX >> 1).await?;
    anyhow::ensure!(elements.len() == ELEMENTS.lines().count(), "{} of the demo elements were imported", elements.len());
    let elements = elements.into_iter().map(|element| (element.id.clone(), element)).collect();
    Ok(Demo { services: embedded.services, elements, _folder: folder })
}

fn with_clicks(clicks: &BTreeMap<String, u64>) -> Result<String> {
    let mut lines = String::with_capacity(ELEMENTS.len());
    for line in ELEMENTS.lines() {
        let mut element: Value = serde_json::from_str(line).context("a demo element is no JSON")?;
        let count = element.get("id").and_then(Value::as_str).and_then(|id| clicks.get(id));
        if let (Some(count), Some(object)) = (count, element.as_object_mut()) {
            object.insert("click_count".to_owned(), json!(count));
        }
        lines.push_str(&element.to_string());
        lines.push('\n');
    }
    Ok(lines)
}
