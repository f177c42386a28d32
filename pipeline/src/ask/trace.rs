//! What a search leaves in a round's log.

use serde_json::{Value, json};

use super::rounds::RoundLog;
use crate::{
    model::{
        results::MethodStatus,
        round::{ModelCall, Stage, StageStatus},
    },
    ports::PortResult,
    search::Candidates,
};

/// Fused elements listed.
const TRACED: usize = 20;

/// How a question was read, where it went, what each method brought and how the lists were joined.
pub async fn search(candidates: &Candidates, log: &mut RoundLog) -> PortResult<()> {
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
    fusion(candidates, log).await
}

/// The joined list alone.
pub async fn fusion(candidates: &Candidates, log: &mut RoundLog) -> PortResult<()> {
    let data = json!({ "items": fused(candidates), "total": candidates.total });
    log.append(Stage::Fusion, StageStatus::Finished, &data).await
}

/// The list after the model's grades.
pub async fn graded(candidates: &Candidates, calls: &[ModelCall], status: StageStatus, log: &mut RoundLog) -> PortResult<()> {
    let data = json!({ "items": fused(candidates), "total": candidates.total, "voice": "grading", "calls": calls });
    log.append(Stage::Fusion, status, &data).await
}

fn fused(candidates: &Candidates) -> Vec<Value> {
    (1_u32..)
        .zip(candidates.fused.iter().take(TRACED))
        .map(|(position, fused)| json!({ "id": fused.id, "ranks": fused.ranks, "position": position }))
        .collect()
}
