//! What was done for an answer, in the order of time.

use std::collections::BTreeMap;

use pipeline::model::{
    element::ElementId,
    round::{ModelCall, Stage, StageStatus, TraceEvent},
};
use serde::Deserialize;
use serde_json::Value;

use super::{Attempt, attempts, is_delta, notes, read};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    pub stages: Vec<StageLine>,
    pub methods: Vec<MethodLine>,
    /// The list that was joined last.
    pub fusion: Vec<FusionLine>,
    pub calls: Vec<CallLine>,
    pub attempts: Vec<Attempt>,
    /// Until the last event.
    pub elapsed_ms: f64,
}

/// One stage of one iteration.
#[derive(Clone, Debug, PartialEq)]
pub struct StageLine {
    pub stage: Stage,
    pub iteration: u32,
    pub status: StageStatus,
    pub began_ms: f64,
    pub ended_ms: f64,
    /// Sentences that say what it did.
    pub notes: Vec<String>,
}

/// What one method brought.
#[derive(Clone, Debug, PartialEq)]
pub struct MethodLine {
    pub name: String,
    pub iteration: u32,
    pub query: String,
    pub hits: Vec<(ElementId, u32)>,
    pub total: u64,
    pub elapsed_ms: Option<f64>,
    /// Why it failed or was not asked.
    pub reason: Option<String>,
    pub failed: bool,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct FusionLine {
    pub position: u32,
    pub id: ElementId,
    #[serde(default)]
    pub ranks: BTreeMap<String, u32>,
}

/// One call of a language model.
#[derive(Clone, Debug, PartialEq)]
pub struct CallLine {
    pub stage: Stage,
    pub iteration: u32,
    pub call: ModelCall,
}

impl Trace {
    pub fn take(&mut self, event: &TraceEvent) {
        if is_delta(event) {
            return;
        }
        self.elapsed_ms = self.elapsed_ms.max(event.elapsed_ms);
        if let Some(calls) = event.data.get("calls").and_then(read::<Vec<ModelCall>>) {
            let line = |call| CallLine { stage: event.stage, iteration: event.iteration, call };
            self.calls.extend(calls.into_iter().map(line));
        }
        match event.stage {
            Stage::Retrieval => self.methods.extend(method_line(event)),
            Stage::Fusion => {
                if let Some(FusionData { items }) = read(&event.data) {
                    self.fusion = items;
                }
            }
            _ => {}
        }
        attempts::take(&mut self.attempts, event);
        self.add_to_stage(event);
    }

    fn add_to_stage(&mut self, event: &TraceEvent) {
        // an event that finishes its stage alone has taken the time since the one before
        let before_ms = self.stages.iter().map(|line| line.ended_ms).fold(0.0, f64::max);
        let same = self.stages.iter_mut().find(|line| line.stage == event.stage && line.iteration == event.iteration);
        let notes = notes::notes(event.stage, &event.data);
        match same {
            Some(line) => {
                line.ended_ms = event.elapsed_ms;
                line.status = worst(line.status, event.status);
                line.notes.extend(notes);
            }
            None => self.stages.push(StageLine {
                stage: event.stage,
                iteration: event.iteration,
                status: event.status,
                began_ms: if event.status == StageStatus::Started { event.elapsed_ms } else { before_ms },
                ended_ms: event.elapsed_ms,
                notes,
            }),
        }
    }
}

/// A stage that once was degraded or failed stays so.
fn worst(before: StageStatus, now: StageStatus) -> StageStatus {
    match before {
        StageStatus::Degraded if now != StageStatus::Failed => before,
        StageStatus::Failed => before,
        _ => now,
    }
}

#[derive(Deserialize)]
struct FusionData {
    items: Vec<FusionLine>,
}

#[derive(Deserialize)]
struct RetrievalData {
    method: String,
    #[serde(default)]
    query: Value,
    #[serde(default)]
    hits: Vec<RetrievedHit>,
    #[serde(default)]
    total: u64,
    #[serde(default)]
    method_ms: Option<f64>,
    #[serde(default)]
    reason: Option<String>,
}

#[derive(Deserialize)]
struct RetrievedHit {
    id: ElementId,
    rank: u32,
}

fn method_line(event: &TraceEvent) -> Option<MethodLine> {
    let data: RetrievalData = read(&event.data)?;
    if event.status == StageStatus::Started {
        return None;
    }
    Some(MethodLine {
        name: data.method,
        iteration: event.iteration,
        query: notes::plain(&data.query),
        hits: data.hits.into_iter().map(|hit| (hit.id, hit.rank)).collect(),
        total: data.total,
        elapsed_ms: data.method_ms,
        reason: data.reason,
        failed: matches!(event.status, StageStatus::Degraded | StageStatus::Failed),
    })
}
