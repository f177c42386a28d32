//! A language model's opinion of an answer: whether each claim is supported by what it cites, whether the question is answered.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Checked, Finding, Verdict};
use crate::{
    ask::{
        calls::{Calls, Structured},
        claims::claims,
        evidence::Evidence,
        prompts::{DATA_ONLY, documents, escape, question, system, user},
    },
    model::round::Answer,
    ports::language_model::{Message, Task},
};

/// Left of the budget for the instructions and the answer itself.
const DOCUMENTS_SHARE: usize = 2;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Support {
    /// One for each claim, in order.
    claims: Vec<ClaimSupport>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ClaimSupport {
    number: usize,
    supported: bool,
    /// In a few words; empty where the claim is supported.
    problem: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Relevance {
    answers_the_question: bool,
    /// In a few words; empty where the question is answered.
    missing: String,
}

/// Whether every claim is supported by the documents it cites.
pub async fn support(calls: &Calls<'_>, answer: &Answer, evidence: &[(u32, &Evidence)], attempt: u32) -> Checked {
    let claims = claims(&answer.text);
    let cited: Vec<(u32, &Evidence)> =
        evidence.iter().copied().filter(|(n, _)| claims.iter().any(|claim| claim.cites.contains(n))).collect();
    let listed: String =
        (1..).zip(&claims).map(|(number, claim)| format!("{number}. {} {:?}\n", escape(&claim.text), claim.cites)).collect();
    let budget = calls.budget(Task::Check).prompt_tokens / DOCUMENTS_SHARE;
    let prompt = format!("{}\n<claims>\n{listed}</claims>", documents(&cited, budget));
    let reply: Structured<Support> = calls.structured(Task::Check, support_messages(prompt)).await;
    let Some(opinion) = reply.value else { return could_not("support", attempt, reply.calls) };
    let findings = opinion.claims.into_iter().filter(|claim| !claim.supported).filter_map(|opinion| {
        let claim = claims.get(opinion.number.checked_sub(1)?)?;
        Some(Finding { sentence: claim.text.clone(), problem: or_else(opinion.problem, "it is not supported by what it cites") })
    });
    Checked::new("support", findings.collect(), attempt, reply.calls)
}

fn support_messages(prompt: String) -> Vec<Message> {
    let rules = format!(
        "You check claims against documents. A claim is supported when the documents with the numbers in its brackets say it, in whatever \
         words, also where the claim says less than they do. It is not supported when it adds or changes a fact. Give every claim of the list \
         one entry with its number. {DATA_ONLY}"
    );
    vec![system(rules), user(prompt)]
}

/// Whether the answer addresses the question.
pub async fn relevance(calls: &Calls<'_>, asked: &str, answer: &Answer, attempt: u32) -> Checked {
    let rules = "You judge whether an answer addresses a question. An answer that names fitting resources of a catalogue, or says what they hold, addresses a \
        question about them, also when more could be said. It does not address the question when it speaks of something else.";
    let prompt = format!("{}\n<answer>{}</answer>", question(asked), escape(&answer.text));
    let reply: Structured<Relevance> = calls.structured(Task::Check, vec![system(rules), user(prompt)]).await;
    let Some(opinion) = reply.value else { return could_not("relevance", attempt, reply.calls) };
    let finding = (!opinion.answers_the_question)
        .then(|| Finding { sentence: String::new(), problem: or_else(opinion.missing, "it does not address the question") });
    Checked::new("relevance", finding.into_iter().collect(), attempt, reply.calls)
}

fn could_not(check: &'static str, attempt: u32, calls: Vec<crate::model::round::ModelCall>) -> Checked {
    Checked { check, verdict: Verdict::CouldNotCheck, findings: Vec::new(), attempt, calls }
}

fn or_else(problem: String, default: &str) -> String {
    if problem.trim().is_empty() { default.to_owned() } else { problem }
}
