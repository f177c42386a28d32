//! A question, answered. Each stage is a file and knows no other stage; this file alone knows their order:
//! memory → augmentation → reasoning ⟲ (routing → retrieval → fusion) → generation → validation → memory update.
//! Without a language model rules read the question and the answer is extracted: sentences of elements, each cited.

pub mod access;
mod asker;
pub mod augmentation;
mod calls;
mod claims;
pub mod evidence;
pub mod export;
mod follow_ups;
pub mod fusion;
pub mod generation;
pub mod history;
mod memory;
mod plan;
mod prompts;
mod reasoning;
pub mod retrieval;
pub mod rounds;
pub mod routing;
pub mod summary;
mod trace;
pub mod validation;

use std::{collections::HashSet, time::Duration};

use futures::future::join;
use serde_json::json;

pub use asker::{Asker, Stopping};

use crate::{
    model::{
        element::ElementId,
        query::{Method, SearchQuery},
        round::{Answer, AnswerKind, ModelCall, Outcome, Part, PathChoice, References, Stage, StageStatus},
    },
    ports::PortResult,
    search::{Candidates, candidates_of, find_candidates, items},
    services::Services,
    text::fold::fold,
};
use calls::Calls;
use evidence::Evidence;
use generation::Draft;
use memory::Contextualised;
use plan::{Plan, PlannedPath};
use reasoning::ActionName;
use rounds::RoundLog;
use validation::{Checked, Finding};

/// Model calls a round may take, grading aside.
const CALLS: usize = 12;
/// An answer and its two checks.
const CALLS_AN_ATTEMPT: usize = 3;
/// Drafts after the first one that was not accepted.
const REGENERATIONS: u32 = 3;
/// Calls for grades, apart from the others: one a candidate and a repair each.
const GRADED: usize = 16;
/// Left of the deadline when the model must have ended: to extract an answer and to write it down.
const RESERVE: Duration = Duration::from_secs(2);
/// New elements are looked for among the first of a search.
const NOTICED: usize = 8;
/// Cards beside the answer.
const REFERENCES: usize = 10;

/// A question with what it is asked under.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The question in `q`, beside it the filters it was asked under.
    pub query: SearchQuery,
    /// What was said before in the conversation, oldest first.
    pub history: Vec<Turn>,
    pub path: PathChoice,
    /// Take the question as it was typed: a rewrite was undone.
    pub own_words: bool,
    /// What is switched off.
    pub without: Vec<Part>,
    /// The round ends by then, with what there is.
    pub deadline: Duration,
}

impl Default for Request {
    /// A minute; grading is off.
    fn default() -> Self {
        Self {
            query: SearchQuery::default(),
            history: Vec::new(),
            path: PathChoice::Auto,
            own_words: false,
            without: vec![Part::Grading],
            deadline: Duration::from_secs(60),
        }
    }
}

impl Request {
    fn has(&self, part: Part) -> bool {
        !self.without.contains(&part)
    }

    /// The search for `text` under the request's filters by the methods that are on.
    fn search_for(&self, text: &str) -> SearchQuery {
        let mut query = SearchQuery { q: text.to_owned(), ..self.query.clone() };
        let parts = [Part::Keyword, Part::Semantic, Part::Spatial, Part::Graph];
        if parts.iter().any(|part| self.without.contains(part)) {
            let on = Method::ALL.into_iter().zip(parts).filter(|(method, part)| self.has(*part) && query.wants(*method));
            query.methods = on.map(|(method, _)| method).collect();
        }
        query
    }
}

impl From<SearchQuery> for Request {
    fn from(query: SearchQuery) -> Self {
        Self { query, ..Self::default() }
    }
}

/// One earlier question of a conversation with its answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// As it was answered, after its own rewrite.
    pub question: String,
    /// Absent for a refusal or a failure: those are no facts.
    pub answer: Option<Answer>,
    /// What the answer cited: id and title.
    pub cited: Vec<(ElementId, String)>,
}

/// All stages in their order; every event is in the log before the next stage begins.
async fn run(services: &Services, request: &Request, log: &mut RoundLog) -> PortResult<()> {
    let ends = log.started() + request.deadline.saturating_sub(RESERVE);
    let calls = services.language.as_deref().map(|model| Calls::new(model, ends, CALLS));
    let mut read = remember(services, request).await;
    log.append(Stage::Memory, StageStatus::Finished, &read).await?;

    // what the words alone trigger is searched while the model still reads the question
    let query = request.search_for(read.text());
    let searching = async {
        let candidates = find_candidates(services, &query, 0).await?;
        trace::search(&candidates, log).await?;
        PortResult::Ok(candidates)
    };
    let (candidates, planned) = join(searching, make_plan(request, calls.as_ref())).await;
    let mut candidates = candidates?;
    if let (Some(calls), Some((plan, made))) = (&calls, planned) {
        let plan = follow_plan(services, request, plan, made, &mut read, &mut candidates, log).await?;
        let multi_hop = match request.path {
            PathChoice::Auto => plan.path == PlannedPath::MultiHop,
            PathChoice::Standard => false,
            PathChoice::MultiHop => true,
        };
        if multi_hop && request.has(Part::Reasoning) {
            reason(services, request, calls, &read, plan.sub_questions, &mut candidates, log).await?;
        }
    }

    if let Some(model) = services.language.as_deref().filter(|_| request.has(Part::Grading)) {
        grade(services, &Calls::new(model, ends, GRADED), &read, &mut candidates, log).await?;
    }
    let evidence = evidence::collect(services, &candidates).await?;
    let written = match &calls {
        Some(calls) if !evidence.is_empty() => write_answer(request, calls, &read, &candidates, &evidence, log).await?,
        _ => None,
    };
    let mut answer = match written {
        Some(answer) => answer,
        None => extract_answer(services, request, &candidates, &evidence, log).await?,
    };
    answer.follow_ups = follow_ups::suggest(services, &answer, &evidence).await;
    conclude(services, &read, &candidates, &evidence, &answer, log).await
}

/// The question by itself, as rules read it.
async fn remember(services: &Services, request: &Request) -> Contextualised {
    let question = request.query.q.as_str();
    if request.own_words {
        return Contextualised::own_words(question, "your own words were asked for");
    }
    if !request.has(Part::Memory) {
        return Contextualised::own_words(question, "memory is switched off");
    }
    let mut places = Vec::new();
    if let Some(before) = request.history.last() {
        for text in [question, &before.question] {
            // without a geocoder no place is exchanged
            places.extend(services.geocoder.mentions(text).await.unwrap_or_default().into_iter().map(|mention| mention.name));
        }
    }
    memory::by_rules(question, &request.history, |text| places.iter().find(|place| text.contains(place.as_str())).cloned())
}

type Planned = Option<(Option<Plan>, Vec<ModelCall>)>;

async fn make_plan(request: &Request, calls: Option<&Calls<'_>>) -> Planned {
    let calls = calls?;
    if !request.has(Part::Plan) {
        return Some((None, Vec::new()));
    }
    let history: &[Turn] = if request.own_words || !request.has(Part::Memory) { &[] } else { &request.history };
    Some(plan::plan(calls, &request.query.q, history).await)
}

/// Reads the question as planned and searches again where that changes anything.
async fn follow_plan(
    services: &Services,
    request: &Request,
    plan: Option<Plan>,
    made: Vec<ModelCall>,
    read: &mut Contextualised,
    candidates: &mut Candidates,
    log: &mut RoundLog,
) -> PortResult<Plan> {
    let Some(plan) = plan else {
        let (status, because) = match made.is_empty() {
            true => (StageStatus::Finished, "planning is switched off; rules decide"),
            false => (StageStatus::Degraded, "the model gave no plan; rules decide"),
        };
        let data = json!({ "action": "plan", "path": PathChoice::Standard, "because": because, "calls": made });
        log.append(Stage::Reasoning, status, &data).await?;
        return Ok(Plan::default());
    };
    if plan.follow_up && fold(&plan.question) != fold(read.text()) {
        read.rewritten = Some(plan.question.clone()).filter(|question| *question != read.question);
        "the model reads it as a follow-up".clone_into(&mut read.because);
        log.append(Stage::Memory, StageStatus::Finished, &read).await?;
    }
    let path = if plan.path == PlannedPath::MultiHop { PathChoice::MultiHop } else { PathChoice::Standard };
    let because = if request.path == PathChoice::Auto { "the question's intent" } else { "the path was chosen" };
    let data = json!({ "action": "plan", "path": if request.path == PathChoice::Auto { path } else { request.path },
        "sub_questions": plan.sub_questions, "because": because, "calls": made });
    log.append(Stage::Reasoning, StageStatus::Finished, &data).await?;

    let query = request.search_for(read.text());
    let question = augmentation::with_plan(services, &query, &candidates.question, &plan).await;
    let mut routes = routing::route(&query, &question);
    routing::add_planned(&mut routes, &query, &question, &plan.methods);
    if question != candidates.question || routing::adds(&routes, &candidates.routes) {
        *candidates = candidates_of(services, &query, question, routes, 0).await?;
        trace::search(candidates, log).await?;
    }
    Ok(plan)
}

/// The bounded loop: searches what is planned, then what the model still misses; ends when a round brings nothing new.
async fn reason(
    services: &Services,
    request: &Request,
    calls: &Calls<'_>,
    read: &Contextualised,
    planned: Vec<String>,
    candidates: &mut Candidates,
    log: &mut RoundLog,
) -> PortResult<()> {
    let mut searched = vec![read.text().to_owned()];
    let mut to_search = planned;
    for iteration in 2..=reasoning::MOST_ROUNDS {
        log.iterate(iteration);
        if to_search.is_empty() {
            // an answer and its checks must still be possible
            if calls.left() <= CALLS_AN_ATTEMPT {
                break;
            }
            let evidence = evidence::collect(services, candidates).await?;
            let (action, made) = reasoning::next_action(calls, read.text(), &searched, &numbered(&evidence)).await;
            let Some(action) = action else {
                let data = json!({ "action": ActionName::Answer, "because": "the model gave no action", "calls": made });
                log.append(Stage::Reasoning, StageStatus::Degraded, &data).await?;
                break;
            };
            let data =
                json!({ "action": action.action, "sub_question": action.sub_question, "because": action.because, "calls": made });
            log.append(Stage::Reasoning, StageStatus::Finished, &data).await?;
            if action.action == ActionName::Answer {
                break;
            }
            to_search.push(action.sub_question);
        }
        to_search.retain(|next| !searched.iter().any(|before| fold(before) == fold(next)));
        if !search_more(services, request, &mut to_search, &mut searched, candidates, log).await? {
            let data = json!({ "action": ActionName::Answer, "because": "nothing new was found" });
            log.append(Stage::Reasoning, StageStatus::Finished, &data).await?;
            break;
        }
    }
    Ok(())
}

/// Searches each sub-question and joins what is found; whether any of it is new.
async fn search_more(
    services: &Services,
    request: &Request,
    to_search: &mut Vec<String>,
    searched: &mut Vec<String>,
    candidates: &mut Candidates,
    log: &mut RoundLog,
) -> PortResult<bool> {
    let first = |candidates: &Candidates| -> Vec<ElementId> {
        candidates.fused.iter().take(NOTICED).map(|fused| fused.id.clone()).collect()
    };
    let known: HashSet<ElementId> = first(candidates).into_iter().collect();
    let mut found_new = false;
    for sub_question in std::mem::take(to_search) {
        let found = find_candidates(services, &request.search_for(&sub_question), 0).await?;
        trace::search(&found, log).await?;
        found_new |= first(&found).iter().any(|id| !known.contains(id));
        candidates.absorb(found);
        searched.push(sub_question);
    }
    if found_new {
        trace::fusion(candidates, log).await?;
    }
    Ok(found_new)
}

/// Lets the model's grades of the first candidates speak in their order.
async fn grade(
    services: &Services,
    calls: &Calls<'_>,
    read: &Contextualised,
    candidates: &mut Candidates,
    log: &mut RoundLog,
) -> PortResult<()> {
    let evidence = evidence::collect(services, candidates).await?;
    let (grades, made) = fusion::grade(calls, read.text(), &numbered(&evidence)).await;
    // the evidence leaves out what was withdrawn meanwhile: grades go by id
    let by_place: Vec<_> = (candidates.fused.iter())
        .map(|fused| {
            evidence.iter().position(|evidence| evidence.element.id == fused.id).and_then(|at| grades.get(at).copied().flatten())
        })
        .collect();
    fusion::add_grades(&mut candidates.fused, &by_place);
    let status = if grades.iter().all(Option::is_some) { StageStatus::Finished } else { StageStatus::Degraded };
    trace::graded(candidates, &made, status, log).await
}

/// Drafts and checks until a draft is accepted. `None` when the model gave nothing to check: the answer is extracted then.
async fn write_answer(
    request: &Request,
    calls: &Calls<'_>,
    read: &Contextualised,
    candidates: &Candidates,
    evidence: &[Evidence],
    log: &mut RoundLog,
) -> PortResult<Option<Answer>> {
    let documents = numbered(evidence);
    let mut rejected: Option<(Answer, Vec<Finding>)> = None;
    for attempt in 1..=1 + REGENERATIONS {
        if attempt > 1 && calls.left() < CALLS_AN_ATTEMPT {
            break;
        }
        let before = rejected.as_ref().map(|(answer, findings)| (answer, findings.as_slice()));
        match generation::write(calls, read.text(), &documents, before, attempt, log).await? {
            Draft::Declined => return Ok(Some(generation::insufficient(candidates))),
            // asked once more, unless it would only wait again
            Draft::Unusable(Outcome::Empty | Outcome::CutOff | Outcome::Refused) if attempt == 1 => {}
            Draft::Unusable(_) => return Ok(None),
            Draft::Written(answer) => {
                let findings = check(request, calls, read, &answer, evidence, attempt, log).await?;
                if findings.is_empty() {
                    return Ok(Some(answer));
                }
                rejected = Some((answer, findings));
            }
        }
    }
    Ok(Some(generation::insufficient(candidates)))
}

/// The scan first; the model is asked only about a draft that passes it.
async fn check(
    request: &Request,
    calls: &Calls<'_>,
    read: &Contextualised,
    answer: &Answer,
    evidence: &[Evidence],
    attempt: u32,
    log: &mut RoundLog,
) -> PortResult<Vec<Finding>> {
    if request.has(Part::Scan) {
        let scanned = Checked::scanned(validation::scan(answer, evidence), attempt);
        log.append(Stage::Validation, scanned.status(), &scanned).await?;
        if !scanned.findings.is_empty() {
            return Ok(scanned.findings);
        }
    }
    let documents = numbered(evidence);
    let supported = async {
        if request.has(Part::Support) { Some(validation::support(calls, answer, &documents, attempt).await) } else { None }
    };
    let relevant = async {
        if request.has(Part::Relevance) { Some(validation::relevance(calls, read.text(), answer, attempt).await) } else { None }
    };
    let (supported, relevant) = join(supported, relevant).await;
    let mut findings = Vec::new();
    for checked in supported.into_iter().chain(relevant) {
        log.append(Stage::Validation, checked.status(), &checked).await?;
        findings.extend(checked.findings);
    }
    Ok(findings)
}

/// Sentences of the evidence; they too must pass the scan.
async fn extract_answer(
    services: &Services,
    request: &Request,
    candidates: &Candidates,
    evidence: &[Evidence],
    log: &mut RoundLog,
) -> PortResult<Answer> {
    log.append(Stage::Generation, StageStatus::Started, &json!({ "attempt": 1, "documents": evidence.len() })).await?;
    let answer = generation::extract(services, candidates, evidence).await;
    log.append(Stage::Generation, StageStatus::Finished, &json!({ "text": answer.text, "attempt": 1 })).await?;
    if !request.has(Part::Scan) || answer.kind == AnswerKind::InsufficientInformation {
        return Ok(answer);
    }
    let scanned = Checked::scanned(validation::scan(&answer, evidence), 1);
    log.append(Stage::Validation, scanned.status(), &scanned).await?;
    Ok(if scanned.findings.is_empty() { answer } else { generation::insufficient(candidates) })
}

/// What is remembered, the answer and its cards.
async fn conclude(
    services: &Services,
    read: &Contextualised,
    candidates: &Candidates,
    evidence: &[Evidence],
    answer: &Answer,
    log: &mut RoundLog,
) -> PortResult<()> {
    let refused = answer.kind == AnswerKind::InsufficientInformation;
    let mut cited: Vec<&ElementId> = answer.citations.iter().map(|citation| &citation.id).collect();
    cited.dedup();
    let remembered = if refused {
        json!({ "because": "a refusal is not remembered as a fact" })
    } else {
        json!({ "question": read.text(), "cited": cited })
    };
    log.append(Stage::MemoryUpdate, StageStatus::Finished, &remembered).await?;

    let in_evidence = |id: &ElementId| evidence.iter().any(|evidence| evidence.element.id == *id);
    // the n-th element of the evidence is the n-th card
    let mut shown: Vec<&fusion::Fused> = candidates.fused.iter().filter(|fused| in_evidence(&fused.id)).collect();
    let further = candidates.fused.iter().filter(|fused| !in_evidence(&fused.id));
    shown.extend(further.take(REFERENCES.saturating_sub(shown.len())));
    let references = References { items: items(services, candidates, &shown, 0).await? };
    let status = if refused { StageStatus::Degraded } else { StageStatus::Finished };
    log.append(Stage::Answer, status, answer).await?;
    log.finish(Stage::References, StageStatus::Finished, &references).await
}

fn numbered(evidence: &[Evidence]) -> Vec<(u32, &Evidence)> {
    (1..).zip(evidence).collect()
}

#[cfg(all(test, feature = "embedded"))]
mod tests;
