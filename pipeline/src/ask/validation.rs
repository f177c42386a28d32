//! Whether an answer may be shown: first a deterministic scan, then two opinions of a language model, side by side.

mod opinions;
mod scan;

use serde::Serialize;

pub use opinions::{relevance, support};
pub(in crate::ask) use scan::missing_in;
pub use scan::scan;

use crate::model::round::{ModelCall, StageStatus};

/// What is wrong with a sentence of an answer, or with the whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    pub sentence: String,
    pub problem: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    Supported,
    Unsupported,
    /// The check did not run: neither a finding nor an approval.
    CouldNotCheck,
}

/// One check of one attempt; `data` of a `validation` event.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Checked {
    pub check: &'static str,
    pub verdict: Verdict,
    pub findings: Vec<Finding>,
    pub attempt: u32,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<ModelCall>,
}

impl Checked {
    fn new(check: &'static str, findings: Vec<Finding>, attempt: u32, calls: Vec<ModelCall>) -> Self {
        let verdict = if findings.is_empty() { Verdict::Supported } else { Verdict::Unsupported };
        Self { check, verdict, findings, attempt, calls }
    }

    pub fn status(&self) -> StageStatus {
        if self.verdict == Verdict::Supported { StageStatus::Finished } else { StageStatus::Degraded }
    }

    /// The scan of an attempt.
    pub fn scanned(findings: Vec<Finding>, attempt: u32) -> Self {
        Self::new("scan", findings, attempt, Vec::new())
    }
}
