//! Retrieval quality: the search pipeline itself with one method, another, and both fused.

use std::{path::Path, time::Instant};

use anyhow::{Context, Result, anyhow};
use pipeline::{
    model::query::{Method, SearchQuery},
    ports::records::Change,
    search::find_candidates,
};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::{beir, embedded::Embedded, metrics, table};

/// Elements a commit.
const BATCH: usize = 500;

#[derive(Serialize)]
struct Row {
    #[serde(skip)]
    name: &'static str,
    #[serde(rename = "ndcg@10")]
    ndcg_10: f64,
    #[serde(rename = "mrr@10")]
    mrr_10: f64,
    #[serde(rename = "r@10")]
    recall_10: f64,
    #[serde(rename = "r@100")]
    recall_100: f64,
    ms_per_query: f64,
}

pub struct Report {
    documents: usize,
    queries: usize,
    rows: Vec<Row>,
}

pub async fn measure(dir: &Path) -> Result<Report> {
    let collection = beir::read(dir)?;
    let folder = tempfile::tempdir()?;
    let embedded = Embedded::open(folder.path()).await?;
    if let Err(reason) = &embedded.services.embedder {
        return Err(anyhow!("semantic retrieval needs the embedding model: {reason}"));
    }
    let changes: Vec<Change> = collection.documents.iter().cloned().map(|element| Change::Put(Box::new(element))).collect();
    for batch in changes.chunks(BATCH) {
        embedded.services.records.commit(batch.to_vec()).await?;
    }
    embedded.catch_up().await?;
    let mut rows = Vec::new();
    for (name, methods) in [("keyword", vec![Method::Keyword]), ("semantic", vec![Method::Semantic]), ("fused", Vec::new())] {
        rows.push(measure_methods(&embedded, &collection, name, methods).await?);
    }
    Ok(Report { documents: collection.documents.len(), queries: collection.queries.len(), rows })
}

async fn measure_methods(
    embedded: &Embedded,
    collection: &beir::Collection,
    name: &'static str,
    methods: Vec<Method>,
) -> Result<Row> {
    let mut sums = [0.0; 4];
    let started = Instant::now();
    for (id, text) in &collection.queries {
        let query = SearchQuery { q: text.clone(), methods: methods.clone(), ..SearchQuery::default() };
        let found = find_candidates(&embedded.services, &query, 0).await?;
        let ranked: Vec<String> = found.fused.into_iter().map(|fused| fused.id.0).collect();
        let judged = collection.judgements.get(id).context("a query without judgements")?;
        let values = [
            metrics::ndcg(&ranked, judged, 10),
            metrics::reciprocal_rank(&ranked, judged, 10),
            metrics::recall(&ranked, judged, 10),
            metrics::recall(&ranked, judged, 100),
        ];
        for (sum, value) in sums.iter_mut().zip(values) {
            *sum += value;
        }
    }
    let count = collection.queries.len() as f64;
    let [ndcg_10, mrr_10, recall_10, recall_100] = sums.map(|sum| sum / count);
    Ok(Row { name, ndcg_10, mrr_10, recall_10, recall_100, ms_per_query: started.elapsed().as_secs_f64() * 1_000.0 / count })
}

impl Report {
    pub fn render(&self, as_json: bool) -> Result<String> {
        if as_json {
            let mut object: Map<String, Value> = Map::new();
            for row in &self.rows {
                object.insert(row.name.to_owned(), serde_json::to_value(row)?);
            }
            object.insert("documents".to_owned(), json!(self.documents));
            object.insert("queries".to_owned(), json!(self.queries));
            return Ok(Value::Object(object).to_string());
        }
        let rows: Vec<Vec<String>> = self
            .rows
            .iter()
            .map(|row| {
                let values = [row.ndcg_10, row.mrr_10, row.recall_10, row.recall_100].map(|value| format!("{value:.4}"));
                [vec![row.name.to_owned()], values.to_vec(), vec![format!("{:.2}", row.ms_per_query)]].concat()
            })
            .collect();
        let head = ["method", "nDCG@10", "MRR@10", "R@10", "R@100", "ms/query"];
        Ok(format!("{} documents, {} queries\n\n{}", self.documents, self.queries, table::render(&head, &rows)))
    }
}
