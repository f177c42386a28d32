//! Each method's own ranked list, side by side; an engine that fails degrades its method and no other.

mod admits;
mod graph;
mod phrase;
mod resolve;

use std::{collections::HashMap, time::Instant};

pub use admits::admits;
pub use resolve::resolve;

use super::{augmentation::Augmented, routing::Route};
use crate::{
    model::{
        element::ElementId,
        query::{Filter, Method},
        results::{MethodReport, MethodStatus},
    },
    ports::{
        ErrorKind, PortError, PortResult,
        search_index::{Hit, RankList},
    },
    services::Services,
};

/// Candidates a method. The window matters more than the model: retrieve widely, show narrowly.
pub const DEPTH: usize = 100;

/// What one method brought.
#[derive(Clone, Debug)]
pub struct Retrieved {
    pub report: MethodReport,
    pub hits: Vec<Hit>,
    /// Matches in all, where the method knows.
    pub total: u64,
    pub introduces: bool,
    /// What explains a hit of the graph, such as `written by Ana Costa`.
    pub because: HashMap<ElementId, String>,
}

/// Runs every method that takes part, at once. One entry per route, in its order.
pub async fn retrieve(
    services: &Services,
    question: &Augmented,
    filter: &Filter,
    routes: &[Route],
    depth: usize,
) -> Vec<Retrieved> {
    futures::future::join_all(routes.iter().map(|route| run(services, question, filter, route, depth))).await
}

async fn run(services: &Services, question: &Augmented, filter: &Filter, route: &Route, depth: usize) -> Retrieved {
    let report = |status, count, elapsed_ms, reason| MethodReport { name: route.name, status, count, elapsed_ms, reason };
    if !route.takes_part {
        let report = report(MethodStatus::Skipped, 0, 0.0, Some(route.why.clone()));
        return Retrieved { report, hits: Vec::new(), total: 0, introduces: false, because: HashMap::new() };
    }
    let started = Instant::now();
    let mut because = HashMap::new();
    let found = match route.name {
        Method::Keyword => services.index.keyword(&question.text, filter, depth).await,
        Method::Semantic => semantic(services, &question.text, filter, depth).await,
        Method::Spatial => spatial(services, question, filter, depth).await,
        Method::Graph => graph::answer(services, &question.intents, filter, depth, &mut because).await,
    };
    let elapsed_ms = started.elapsed().as_secs_f64() * 1_000.0;
    match found {
        Ok(list) => {
            let report = report(MethodStatus::Ok, list.hits.len() as u64, elapsed_ms, None);
            Retrieved { report, hits: list.hits, total: list.total, introduces: route.introduces, because }
        }
        Err(error) => {
            tracing::warn!(method = route.name.name(), kind = ?error.kind, error = %error, cause = %error.source, "a retrieval method failed");
            let report = report(MethodStatus::Degraded, 0, elapsed_ms, Some(reason_for_people(&error)));
            Retrieved { report, hits: Vec::new(), total: 0, introduces: false, because }
        }
    }
}

fn reason_for_people(error: &PortError) -> String {
    match error.kind {
        ErrorKind::TimedOut => "it did not answer in time".to_owned(),
        ErrorKind::Unavailable => format!("it is not available: {}", error.source),
        ErrorKind::Incompatible => error.source.to_string(),
        ErrorKind::Invalid | ErrorKind::NotFound | ErrorKind::Internal => "it failed; the operator's log says why".to_owned(),
    }
}

async fn semantic(services: &Services, text: &str, filter: &Filter, depth: usize) -> PortResult<RankList> {
    let embedder = match &services.embedder {
        Ok(embedder) => embedder,
        Err(reason) => return Err(PortError::new(ErrorKind::Unavailable, "embedder", reason.to_string())),
    };
    let vector = embedder.embed_query(text).await?;
    services.index.semantic(&vector, filter, depth).await
}

async fn spatial(services: &Services, question: &Augmented, filter: &Filter, depth: usize) -> PortResult<RankList> {
    match &question.area {
        Some(area) => services.index.spatial(area, filter, depth).await,
        None => Ok(RankList::default()),
    }
}
