//! A question, answered. Each stage is a file and knows no other stage; this file alone knows their order:
//! augmentation → routing → retrieval → fusion → generation → validation → answer, references.
//! Without a language model the answer is extracted: sentences of elements, each cited.

pub mod access;
mod asker;
pub mod augmentation;
pub mod evidence;
pub mod fusion;
pub mod generation;
pub mod history;
pub mod retrieval;
pub mod rounds;
pub mod routing;
pub mod validation;

use serde_json::json;

pub use asker::{Asker, Stopping};

use crate::{
    model::{
        element::ElementId,
        query::SearchQuery,
        results::MethodStatus,
        round::{Answer, AnswerKind, Part, PathChoice, References, Stage, StageStatus},
    },
    ports::PortResult,
    search::{Candidates, find_candidates, items},
    services::Services,
};
use rounds::RoundLog;

/// Cards beside the answer.
const REFERENCES: usize = 10;
/// Fused elements listed in the trace.
const TRACED: usize = 20;

/// A question with what it is asked under.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Request {
    /// The question in `q`, beside it the filters it was asked under.
    pub query: SearchQuery,
    /// What was said before in the conversation, oldest first.
    pub history: Vec<Turn>,
    pub path: PathChoice,
    /// Take the question as it was typed: a rewrite was undone.
    pub own_words: bool,
    /// What is switched off.
    pub without: Vec<Part>,
}

impl From<SearchQuery> for Request {
    fn from(query: SearchQuery) -> Self {
        Self { query, ..Self::default() }
    }
}

/// One earlier question of a conversation with its answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// As it was answered, after its own rewrite.
    pub question: String,
    /// Absent for a refusal or a failure: those are no facts.
    pub answer: Option<Answer>,
    /// What the answer cited: id and title.
    pub cited: Vec<(ElementId, String)>,
}

/// All stages in their order; every event is in the log before the next stage begins.
async fn run(services: &Services, request: &Request, log: &mut RoundLog) -> PortResult<()> {
    let candidates = find_candidates(services, &request.query, 0).await?;
    trace_candidates(&candidates, log).await?;

    log.append(Stage::Generation, StageStatus::Started, &json!({})).await?;
    let evidence = evidence::collect(services, &candidates).await?;
    let answer = generation::extract(services, &candidates, &evidence).await;
    log.append(Stage::Generation, StageStatus::Finished, &json!({ "text": answer.text })).await?;

    let findings = validation::scan(&answer, &evidence);
    let verdict = if findings.is_empty() { "supported" } else { "unsupported" };
    let data = json!({ "check": "citations", "verdict": verdict, "findings": findings });
    log.append(Stage::Validation, StageStatus::Finished, &data).await?;
    let answer = if findings.is_empty() { answer } else { generation::insufficient(&candidates) };

    let cited: Vec<_> = answer.citations.iter().map(|citation| citation.id.clone()).collect();
    let mut shown: Vec<&fusion::Fused> =
        cited.iter().filter_map(|id| candidates.fused.iter().find(|fused| fused.id == *id)).collect();
    shown.extend(candidates.fused.iter().filter(|fused| !cited.contains(&fused.id)).take(REFERENCES.saturating_sub(cited.len())));
    let references = References { items: items(services, &candidates, &shown, 0).await? };
    let status = if answer.kind == AnswerKind::InsufficientInformation { StageStatus::Degraded } else { StageStatus::Finished };
    log.append(Stage::Answer, status, &answer).await?;
    log.finish(Stage::References, StageStatus::Finished, &references).await
}

async fn trace_candidates(candidates: &Candidates, log: &mut RoundLog) -> PortResult<()> {
    let question = &candidates.question;
    let added = json!({ "place": question.place, "people": question.people, "kinds": question.kinds, "popular": question.popular, "topic": question.topic });
    log.append(Stage::Augmentation, StageStatus::Finished, &json!({ "question": question.text, "added": added })).await?;

    let methods: Vec<_> = candidates.routes.iter().filter(|route| route.takes_part).collect();
    log.append(Stage::Routing, StageStatus::Finished, &json!({ "methods": methods })).await?;

    for retrieved in candidates.retrieved.iter().filter(|retrieved| retrieved.report.status != MethodStatus::Skipped) {
        let hits: Vec<_> = (1_u32..)
            .zip(retrieved.hits.iter().take(TRACED))
            .map(|(rank, hit)| json!({ "id": hit.id, "rank": rank, "score": hit.score }))
            .collect();
        let report = &retrieved.report;
        let data = json!({ "method": report.name, "query": question.text, "filters": candidates.filter, "hits": hits, "count": report.count,
            "total": retrieved.total, "method_ms": report.elapsed_ms, "reason": report.reason });
        let status = if report.status == MethodStatus::Degraded { StageStatus::Degraded } else { StageStatus::Finished };
        log.append(Stage::Retrieval, status, &data).await?;
    }
    let items: Vec<_> = (1_u32..)
        .zip(candidates.fused.iter().take(TRACED))
        .map(|(position, fused)| json!({ "id": fused.id, "ranks": fused.ranks, "position": position }))
        .collect();
    log.append(Stage::Fusion, StageStatus::Finished, &json!({ "items": items, "total": candidates.total })).await
}
