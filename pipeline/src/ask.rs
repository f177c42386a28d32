//! A question, answered. Each stage is a file and knows no other stage; this file alone knows their order:
//! augmentation → routing → retrieval → fusion → generation → validation → answer, references.
//! Without a language model the answer is extracted: sentences of elements, each cited.

pub mod augmentation;
pub mod evidence;
pub mod fusion;
pub mod generation;
pub mod retrieval;
pub mod rounds;
pub mod routing;
pub mod validation;

use std::time::Duration;

use futures::stream::BoxStream;
use serde_json::json;

use crate::{
    model::{
        query::SearchQuery,
        results::MethodStatus,
        round::{AnswerKind, References, Round, RoundError, RoundId, Stage, StageStatus, TraceEvent},
    },
    ports::{ErrorKind, PortError, PortResult},
    search::{Candidates, find_candidates, items},
    services::Services,
};
use rounds::{RoundLog, RoundRegistry};

/// A round that has not ended by then is closed with an error.
const ROUND_DEADLINE: Duration = Duration::from_secs(60);
/// Cards beside the answer.
const REFERENCES: usize = 10;
/// Fused elements listed in the trace.
const TRACED: usize = 20;

/// Starts rounds and follows them.
#[derive(Clone)]
pub struct Asker {
    services: Services,
    registry: RoundRegistry,
}

impl Asker {
    pub fn new(services: Services) -> Self {
        Self { services, registry: RoundRegistry::default() }
    }

    /// Creates a round and runs it in the background; `query` holds the question in `q` and the filters it was asked under.
    /// The round goes on when the caller goes away.
    ///
    /// # Errors
    /// An empty question (`Invalid`), or records that cannot be written.
    pub async fn start(&self, query: &SearchQuery) -> PortResult<RoundId> {
        if query.q.trim().is_empty() {
            return Err(PortError::new(ErrorKind::Invalid, "ask", "the question is empty; write what you want to know"));
        }
        let round = Round {
            id: RoundId(uuid::Uuid::now_v7().to_string()),
            question: query.q.clone(),
            search: query.to_query_string(),
            created: jiff::Timestamp::now().to_string(),
            finished: false,
        };
        self.services.rounds.create(&round).await?;
        let id = round.id.clone();
        let log = self.registry.open(self.services.rounds.clone(), id.clone());
        let (services, query) = (self.services.clone(), query.clone());
        tokio::spawn(async move {
            let mut log = log;
            let outcome = tokio::time::timeout(ROUND_DEADLINE, run(&services, &query, &mut log)).await;
            let failure = match outcome {
                Ok(Ok(())) => return,
                Ok(Err(error)) => {
                    tracing::error!(round = %log.round(), kind = ?error.kind, error = %error, cause = %error.source, "a round failed");
                    RoundError {
                        title: "The question could not be answered".to_owned(),
                        detail: "Something the answer needs did not work.".to_owned(),
                        what_to_do: "Ask again in a moment; the search itself may still work.".to_owned(),
                    }
                }
                Err(_) => RoundError {
                    title: "The question took too long".to_owned(),
                    detail: format!("No answer after {} seconds.", ROUND_DEADLINE.as_secs()),
                    what_to_do: "Ask again, or narrow the question by a place, a kind or a period.".to_owned(),
                },
            };
            if let Err(error) = log.finish(Stage::Error, StageStatus::Failed, &failure).await {
                tracing::error!(round = %log.round(), error = %error, cause = %error.source, "a failed round could not be closed");
            }
        });
        Ok(id)
    }

    /// The events after `after`: first those of the log, then those that still come; ends when the round is finished.
    ///
    /// # Errors
    /// `NotFound` for a round that does not exist.
    pub async fn follow(&self, round: &RoundId, after: u64) -> PortResult<BoxStream<'static, TraceEvent>> {
        self.registry.follow(self.services.rounds.clone(), round, after).await
    }
}

/// All stages in their order; every event is in the log before the next stage begins.
async fn run(services: &Services, query: &SearchQuery, log: &mut RoundLog) -> PortResult<()> {
    let candidates = find_candidates(services, query, 0).await?;
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
