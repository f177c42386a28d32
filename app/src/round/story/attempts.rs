//! Drafts of the answer and what the checks said of each.

use pipeline::model::round::{Stage, StageStatus, TraceEvent};
use serde::Deserialize;
use serde_json::Value;

use super::{read, text};
use crate::round::sentences::sentences;

/// One draft.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Attempt {
    /// From 1.
    pub number: u64,
    pub text: String,
    /// Why nothing usable was written.
    pub reason: Option<String>,
    pub checks: Vec<Check>,
}

/// One check of a draft.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Check {
    #[serde(rename = "check")]
    pub name: String,
    #[serde(default)]
    pub verdict: String,
    #[serde(default)]
    pub findings: Vec<Finding>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Finding {
    /// As it stands in the draft; empty where it is about the whole.
    #[serde(default)]
    pub sentence: String,
    #[serde(default)]
    pub problem: String,
}

/// Adds what an event tells to the attempt it is about.
pub fn take(attempts: &mut Vec<Attempt>, event: &TraceEvent) {
    let number = event.data.get("attempt").and_then(Value::as_u64);
    if event.stage == Stage::Generation && event.status == StageStatus::Started {
        attempts.push(Attempt { number: number.unwrap_or(attempts.len() as u64 + 1), ..Attempt::default() });
        return;
    }
    let Some(attempt) = attempts.last_mut() else { return };
    match event.stage {
        Stage::Generation => {
            attempt.text = text(&event.data, "text").unwrap_or_default().to_owned();
            attempt.reason = text(&event.data, "reason").map(str::to_owned);
        }
        Stage::Validation => attempt.checks.extend(read::<Check>(&event.data)),
        _ => {}
    }
}

impl Attempt {
    /// The sentences of the draft, each with what was found wrong with it; last what is about no sentence of it.
    pub fn judged(&self) -> (Vec<(&str, Vec<&str>)>, Vec<&Finding>) {
        let mut sentences: Vec<(&str, Vec<&str>)> = sentences(&self.text)
            .into_iter()
            .map(str::trim)
            .filter(|sentence| !sentence.is_empty())
            .map(|sentence| (sentence, Vec::new()))
            .collect();
        let mut whole = Vec::new();
        for finding in self.checks.iter().flat_map(|check| &check.findings) {
            let about = finding.sentence.trim();
            let same = |sentence: &str| !about.is_empty() && (sentence.contains(about) || about.contains(sentence));
            match sentences.iter_mut().find(|(sentence, _)| same(sentence)) {
                Some((_, problems)) => problems.push(&finding.problem),
                None => whole.push(finding),
            }
        }
        (sentences, whole)
    }
}
