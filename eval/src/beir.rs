//! A test collection in BEIR's layout.

use std::{
    collections::{BTreeMap, HashMap},
    fs,
    path::Path,
};

use anyhow::{Context, Result};
use pipeline::model::element::{Element, Kind};
use serde::Deserialize;

use crate::metrics::Judgements;

pub struct Collection {
    pub documents: Vec<Element>,
    /// Judged queries only, by id.
    pub queries: BTreeMap<String, String>,
    pub judgements: HashMap<String, Judgements>,
}

#[derive(Deserialize)]
struct Document {
    #[serde(rename = "_id")]
    id: String,
    #[serde(default)]
    title: String,
    text: String,
}

#[derive(Deserialize)]
struct Query {
    #[serde(rename = "_id")]
    id: String,
    text: String,
}

/// Reads `corpus.jsonl`, `queries.jsonl` and `qrels.tsv`; each document becomes a publication.
pub fn read(dir: &Path) -> Result<Collection> {
    let mut documents = Vec::new();
    for line in read_file(dir, "corpus.jsonl")?.lines() {
        let document: Document = serde_json::from_str(line).context("a line of corpus.jsonl is not a document")?;
        let mut element = Element::new(&document.id, Kind::Publication, &document.title);
        element.description = document.text;
        documents.push(element);
    }
    let mut judgements: HashMap<String, Judgements> = HashMap::new();
    for line in read_file(dir, "qrels.tsv")?.lines().skip(1) {
        let mut cells = line.split('\t');
        let (Some(query), Some(document), Some(grade)) = (cells.next(), cells.next(), cells.next()) else { continue };
        judgements.entry(query.to_owned()).or_default().insert(document.to_owned(), grade.trim().parse()?);
    }
    let mut queries = BTreeMap::new();
    for line in read_file(dir, "queries.jsonl")?.lines() {
        let query: Query = serde_json::from_str(line).context("a line of queries.jsonl is not a query")?;
        if judgements.contains_key(&query.id) {
            queries.insert(query.id, query.text);
        }
    }
    Ok(Collection { documents, queries, judgements })
}

fn read_file(dir: &Path, name: &str) -> Result<String> {
    let path = dir.join(name);
    fs::read_to_string(&path).with_context(|| {
        format!("{} cannot be read; a BEIR folder has corpus.jsonl, queries.jsonl and qrels.tsv", path.display())
    })
}
