//! A round: one question and the append-only log of what was done for it.

use serde::{Deserialize, Serialize};

use super::{conversation::ConversationId, element::ElementId, feedback::Feedback, problem::Problem, results::ResultItem};

/// In the order of time.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(transparent)]
pub struct RoundId(pub String);

impl std::fmt::Display for RoundId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Round {
    pub id: RoundId,
    pub conversation: ConversationId,
    pub question: String,
    /// The query string of the search the question was asked from: area, filters.
    #[serde(default)]
    pub search: String,
    /// RFC 3339.
    pub created: String,
    /// No event follows once it is finished.
    pub finished: bool,
}

/// What somebody may do with a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Access {
    /// Read it, stop it, rate it.
    Own,
    /// Read it, by the link that was shared.
    Read,
}

/// A round with its log as far as it has come, as one reader finds it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RoundView {
    pub round: Round,
    pub events: Vec<TraceEvent>,
    pub access: Access,
    /// As `?key=` it opens the round for reading: what a shared link carries.
    pub share_key: String,
    /// What its owner makes of it, for the owner alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feedback: Option<Feedback>,
}

/// One line of a round's log; the same object is what SSE sends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TraceEvent {
    /// 1, 2, 3, … without gaps within a round.
    pub seq: u64,
    pub round: RoundId,
    pub stage: Stage,
    pub status: StageStatus,
    /// Since the round began.
    pub elapsed_ms: f64,
    #[serde(default = "first_iteration")]
    pub iteration: u32,
    /// By stage: see `pipeline::ask` and the wire formats.
    pub data: serde_json::Value,
}

fn first_iteration() -> u32 {
    1
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    Memory,
    Augmentation,
    Reasoning,
    Routing,
    Retrieval,
    Fusion,
    Generation,
    Validation,
    MemoryUpdate,
    Answer,
    References,
    Error,
}

impl Stage {
    pub fn name(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Augmentation => "augmentation",
            Self::Reasoning => "reasoning",
            Self::Routing => "routing",
            Self::Retrieval => "retrieval",
            Self::Fusion => "fusion",
            Self::Generation => "generation",
            Self::Validation => "validation",
            Self::MemoryUpdate => "memory-update",
            Self::Answer => "answer",
            Self::References => "references",
            Self::Error => "error",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum StageStatus {
    Started,
    Progress,
    Finished,
    Degraded,
    Failed,
}

/// Which way a question is answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PathChoice {
    /// By the question's intent.
    #[default]
    Auto,
    /// One search.
    Standard,
    /// The reasoning loop.
    MultiHop,
}

/// What can be switched off by name: for ablations, and where an operator wants to do without.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// Reading a question with what was said before.
    Memory,
    /// The model's plan; rules plan then.
    Plan,
    /// The reasoning loop; every question takes the standard path then.
    Reasoning,
    Keyword,
    Semantic,
    Spatial,
    Graph,
    /// The popularity in fusion.
    Popularity,
    /// The model's grades as a voice of fusion.
    Grading,
    /// The deterministic scan.
    Scan,
    /// Whether every claim is supported, by the model.
    Support,
    /// Whether the answer addresses the question, by the model.
    Relevance,
}

impl Part {
    pub const ALL: [Self; 12] = [
        Self::Memory,
        Self::Plan,
        Self::Reasoning,
        Self::Keyword,
        Self::Semantic,
        Self::Spatial,
        Self::Graph,
        Self::Popularity,
        Self::Grading,
        Self::Scan,
        Self::Support,
        Self::Relevance,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Plan => "plan",
            Self::Reasoning => "reasoning",
            Self::Keyword => "keyword",
            Self::Semantic => "semantic",
            Self::Spatial => "spatial",
            Self::Graph => "graph",
            Self::Popularity => "popularity",
            Self::Grading => "grading",
            Self::Scan => "scan",
            Self::Support => "support",
            Self::Relevance => "relevance",
        }
    }
}

impl std::str::FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names = || Self::ALL.map(Self::name).join(", ");
        Self::ALL.into_iter().find(|part| part.name() == text).ok_or_else(|| format!("`{text}` is none of {}", names()))
    }
}

/// One call of a language model; `calls` in the `data` of the stage that made it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ModelCall {
    pub model: String,
    /// 0 where the server does not tell.
    pub prompt_tokens: u32,
    pub completion_tokens: u32,
    pub elapsed_ms: f64,
    /// Until the first piece of a streamed text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_token_ms: Option<f64>,
    pub outcome: Outcome,
}

/// How a call of a language model ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    Text,
    Empty,
    /// The token budget ended before the text did.
    CutOff,
    /// Not of the schema that was asked for.
    Invalid,
    /// The model or its server declined.
    Refused,
    TimedOut,
    /// The server was not reached, or failed.
    Failed,
}

/// `data` of the `answer` event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Answer {
    /// Plain text with `[n]` marks.
    pub text: String,
    pub citations: Vec<Citation>,
    pub kind: AnswerKind,
    /// Questions that go on from here and that the catalogue can answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub follow_ups: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Citation {
    /// The element's place in the evidence and among the references, from 1.
    pub n: u32,
    pub id: ElementId,
    /// The sentence of the element that the claim rests on, word for word.
    pub quote: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum AnswerKind {
    Answer,
    /// Sentences taken from elements, no language model.
    Extractive,
    InsufficientInformation,
}

/// `data` of the `references` event: the card that `[n]` cites is the n-th.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct References {
    pub items: Vec<ResultItem>,
}

/// `data` of the `error` event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RoundError {
    pub title: String,
    pub detail: String,
    pub what_to_do: String,
    /// Whoever asked did not want to wait for the end: nothing failed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stopped: bool,
}

impl From<Problem> for RoundError {
    fn from(problem: Problem) -> Self {
        Self {
            title: problem.title,
            detail: problem.detail.clone(),
            what_to_do: "Ask again; if it fails again, tell the operator.".to_owned(),
            stopped: false,
        }
    }
}
