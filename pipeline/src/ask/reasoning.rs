//! One step of the bounded loop: what is still missing, or that it is enough.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    calls::{Calls, Structured},
    evidence::Evidence,
    prompts::{DATA_ONLY, documents, escape, question, system, user},
};
use crate::{model::round::ModelCall, ports::language_model::Task};

/// Rounds of searching a question may take, the first included.
pub const MOST_ROUNDS: u32 = 4;
/// Room for the rules, the question and the searches so far.
const FRAME_TOKENS: usize = 400;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ActionName {
    Search,
    Answer,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Action {
    pub action: ActionName,
    /// For `search`: what to look for, in a few words; otherwise empty.
    pub sub_question: String,
    /// In a few words.
    pub because: String,
}

/// The next action; none when the model does not give one, and what is there must do.
pub async fn next_action(
    calls: &Calls<'_>,
    asked: &str,
    searched: &[String],
    evidence: &[(u32, &Evidence)],
) -> (Option<Action>, Vec<ModelCall>) {
    let rules = format!(
        "You decide whether the documents found so far are enough to answer a question. Reply with one JSON object: action \"answer\" if they are, or if another \
         search would hardly help; action \"search\" with a sub_question of a few words for what is missing, different from the searches before. {DATA_ONLY}"
    );
    let budget = calls.budget(Task::Reason).prompt_tokens.saturating_sub(FRAME_TOKENS);
    let before: String = searched.iter().map(|search| format!("- {}\n", escape(search))).collect();
    let prompt = format!("{}\n<searches>\n{before}</searches>\n{}", documents(evidence, budget), question(asked));
    let Structured { value, calls } = calls.structured::<Action>(Task::Reason, vec![system(rules), user(prompt)]).await;
    (value.filter(|action| action.action == ActionName::Answer || !action.sub_question.trim().is_empty()), calls)
}
