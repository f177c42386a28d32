//! An answer written by a language model, streamed as it comes.

use futures::future::join;
use serde_json::json;
use tokio::{
    sync::mpsc,
    time::{Duration, Instant, timeout_at},
};

use crate::{
    ask::{
        calls::Calls,
        claims::claims,
        evidence::Evidence,
        prompts::{DATA_ONLY, assistant, documents, question, system, user},
        rounds::RoundLog,
        validation::Finding,
    },
    model::round::{Answer, AnswerKind, Citation, Outcome, Stage, StageStatus},
    ports::{
        PortResult,
        language_model::{Message, Task},
    },
    text::{
        markdown::to_plain_text,
        words::{same_stem, words},
    },
};

/// What the model says when the documents do not answer.
const NOT_ENOUGH: &str = "NOT ENOUGH INFORMATION";
/// Pieces that come within this time are one event.
const DELTA_EVERY: Duration = Duration::from_millis(40);
/// Pieces that may wait to be written to the log.
const WAITING: usize = 256;

/// What became of one attempt.
pub enum Draft {
    Written(Answer),
    /// The model finds no answer in the documents.
    Declined,
    /// Empty, cut off, timed out or failed: not an answer.
    Unusable(Outcome),
}

/// Writes an answer to `asked` from the documents and streams it into the log. `before` is a draft that was not accepted, with what was
/// wrong with it.
///
/// # Errors
/// A log that cannot be written.
pub async fn write(
    calls: &Calls<'_>,
    asked: &str,
    evidence: &[(u32, &Evidence)],
    before: Option<(&Answer, &[Finding])>,
    attempt: u32,
    log: &mut RoundLog,
) -> PortResult<Draft> {
    log.append(Stage::Generation, StageStatus::Started, &json!({ "attempt": attempt, "documents": evidence.len() })).await?;
    let (sender, receiver) = mpsc::channel(WAITING);
    let messages = messages(calls, asked, evidence, before);
    let (completion, logged) = join(calls.text(Task::Write, messages, sender), log_deltas(receiver, attempt, log)).await;
    logged?;
    let status = if completion.text().is_some() { StageStatus::Finished } else { StageStatus::Degraded };
    let data = json!({ "attempt": attempt, "text": completion.text, "reason": problem(completion.call.outcome), "calls": [completion.call] });
    log.append(Stage::Generation, status, &data).await?;
    let Some(text) = completion.text() else { return Ok(Draft::Unusable(completion.call.outcome)) };
    let text = to_plain_text(text);
    if text.to_uppercase().contains(NOT_ENOUGH) {
        return Ok(Draft::Declined);
    }
    let citations = citations(&text, evidence);
    Ok(Draft::Written(Answer { text, citations, kind: AnswerKind::Answer, follow_ups: Vec::new() }))
}

fn problem(outcome: Outcome) -> Option<&'static str> {
    match outcome {
        Outcome::Text => None,
        Outcome::Empty => Some("the model's reply was empty"),
        Outcome::CutOff => Some("the model's reply was cut off by its token budget"),
        Outcome::Invalid => Some("the model's reply had another form than was asked for"),
        Outcome::Refused => Some("the model declined to reply"),
        Outcome::TimedOut => Some("the model did not reply in time"),
        Outcome::Failed => Some("the model server could not be reached, or failed"),
    }
}

fn messages(
    calls: &Calls<'_>,
    asked: &str,
    evidence: &[(u32, &Evidence)],
    before: Option<(&Answer, &[Finding])>,
) -> Vec<Message> {
    let rules = format!(
        "You answer questions about a catalogue of geospatial resources. Use only the documents below, nothing you know otherwise.\n\
         - End every sentence with the number of the document it rests on, in brackets, like [1] or [2][3].\n\
         - Be short: one to four plain sentences, no headings, no lists of more than four lines.\n\
         - Name resources by their titles. Copy numbers, dates, codes and names exactly as the documents have them.\n\
         - Leave out documents that do not fit the question.\n\
         - If the documents do not hold the answer, reply with exactly: {NOT_ENOUGH}\n\
         {DATA_ONLY}"
    );
    let budget = calls.budget(Task::Write).prompt_tokens.saturating_sub(FRAME_TOKENS);
    let mut messages = vec![system(rules), user(format!("{}\n{}", documents(evidence, budget), question(asked)))];
    if let Some((draft, findings)) = before {
        messages.push(assistant(draft.text.clone()));
        let problems: String = findings
            .iter()
            .map(|finding| match finding.sentence.as_str() {
                "" => format!("- {}\n", finding.problem),
                sentence => format!("- “{sentence}”: {}\n", finding.problem),
            })
            .collect();
        messages.push(user(format!(
            "That was wrong:\n{problems}Write the answer again without these faults, or reply with exactly: {NOT_ENOUGH}"
        )));
    }
    messages
}

/// Room for the rules, the question and what was wrong before.
const FRAME_TOKENS: usize = 500;

/// Writes pieces as they come, those close together as one event.
async fn log_deltas(mut pieces: mpsc::Receiver<String>, attempt: u32, log: &mut RoundLog) -> PortResult<()> {
    while let Some(mut text) = pieces.recv().await {
        let until = Instant::now() + DELTA_EVERY;
        while let Ok(Some(piece)) = timeout_at(until, pieces.recv()).await {
            text.push_str(&piece);
        }
        log.append(Stage::Generation, StageStatus::Progress, &json!({ "text": text, "attempt": attempt })).await?;
    }
    Ok(())
}

/// For each claim and each document it cites, the sentence of the document that is most like it.
fn citations(text: &str, evidence: &[(u32, &Evidence)]) -> Vec<Citation> {
    let mut citations: Vec<Citation> = Vec::new();
    for claim in claims(text) {
        for (n, evidence) in claim.cites.iter().filter_map(|n| evidence.iter().find(|(known, _)| known == n)) {
            let citation = Citation { n: *n, id: evidence.element.id.clone(), quote: nearest_sentence(&claim.text, evidence) };
            if !citations.contains(&citation) {
                citations.push(citation);
            }
        }
    }
    citations.sort_by_key(|citation| citation.n);
    citations
}

/// The sentence that shares most words with the claim; the title where none shares any.
fn nearest_sentence(claim: &str, evidence: &Evidence) -> String {
    let claimed = words(claim);
    let shared = |sentence: &str| {
        let own = words(sentence);
        let common = claimed.iter().filter(|word| own.iter().any(|other| same_stem(&word.folded, &other.folded))).count();
        // long sentences share words by their length alone
        (common * 1_000) / (own.len() + claimed.len()).max(1)
    };
    let best = evidence
        .sentences
        .iter()
        .map(|sentence| (shared(sentence), sentence))
        .reduce(|best, next| if next.0 > best.0 { next } else { best });
    match best {
        Some((score, sentence)) if score > 0 => sentence.clone(),
        _ => evidence.element.title.clone(),
    }
}
