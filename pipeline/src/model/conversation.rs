//! Rounds of one visitor that follow each other: a question may lean on those before it.

use serde::{Deserialize, Serialize};

use super::round::{Answer, Round};

/// Who asks: a random name that a browser keeps. It is never shown to others.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct OwnerId(pub String);

/// In the order of time.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(transparent)]
pub struct ConversationId(pub String);

impl std::fmt::Display for ConversationId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Not for the wire: others who read one of its rounds do not learn whose it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conversation {
    pub id: ConversationId,
    /// Absent where rounds were asked before visitors were told apart.
    pub owner: Option<OwnerId>,
    /// RFC 3339.
    pub created: String,
}

/// One line of a visitor's history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ConversationSummary {
    pub id: ConversationId,
    /// RFC 3339.
    pub created: String,
    /// The first one asked.
    pub question: String,
    /// How many were asked.
    pub rounds: u64,
}

/// A part of a visitor's history, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ConversationPage {
    pub items: Vec<ConversationSummary>,
    /// Where the older ones begin; absent at the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<ConversationId>,
}

/// A conversation with what was asked and answered in it, oldest first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ConversationLog {
    pub id: ConversationId,
    /// RFC 3339.
    pub created: String,
    pub rounds: Vec<ToldRound>,
}

/// A round in short.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ToldRound {
    pub round: Round,
    /// How the question was read, where that is not as it was typed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rewritten: Option<String>,
    /// Absent while it is being answered, and where it failed or was stopped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Answer>,
}
