//! An answer without a language model: the sentences of the evidence that answer best, each cited.

use std::collections::HashSet;

use super::named_facts;
use crate::{
    ask::{claims::without_marks, evidence::Evidence},
    model::{
        results::MethodStatus,
        round::{Answer, AnswerKind, Citation},
    },
    search::Candidates,
    services::Services,
    text::words::{same_stem, words},
};

/// Sentences of an answer.
const QUOTES: usize = 3;
/// Sentences compared by meaning, best by words first: each costs an embedding.
const COMPARED: usize = 24;
/// A further sentence joins when its score is at least this share of the best one's.
const NEAR_BEST: f32 = 0.75;
/// Below this share of the topic's weight found in an element, its words alone do not answer.
const ENOUGH_WORDS: f32 = 0.6;
/// From this cosine on, a sentence answers by its meaning even where words are missing.
const ENOUGH_MEANING: f32 = 0.62;

struct Scored<'a> {
    evidence: usize,
    sentence: &'a str,
    /// Share of the topic's weight found in the sentence, its title counting half.
    words: f32,
    /// Cosine to the question, absent when no embedder answered.
    meaning: Option<f32>,
}

impl Scored<'_> {
    fn score(&self) -> f32 {
        self.meaning.map_or(self.words, |meaning| f32::midpoint(self.words, meaning.max(0.0)))
    }
}

/// Extracts an answer, or says that the evidence does not hold one.
pub async fn extract(services: &Services, candidates: &Candidates, evidence: &[Evidence]) -> Answer {
    let question = &candidates.question;
    let about: Vec<(usize, &Evidence)> =
        evidence.iter().enumerate().filter(|(_, evidence)| named_facts::stand_in(&question.text, evidence)).collect();
    if about.is_empty() {
        return insufficient(candidates);
    }
    let graph_answers = candidates.retrieved.iter().any(|retrieved| !retrieved.because.is_empty());
    if question.identifier || (question.topic.is_empty() && (graph_answers || question.area.is_some())) {
        return leading_sentences(candidates, evidence, about);
    }
    let weights = term_weights(&question.topic, evidence);
    let mut scored = score_by_words(&weights, &about);
    scored.sort_by(|a, b| b.words.total_cmp(&a.words));
    scored.truncate(COMPARED);
    add_meaning(services, &question.text, &mut scored).await;
    scored.sort_by(|a, b| b.score().total_cmp(&a.score()));

    let answers = |scored: &Scored<'_>| {
        let enough_words =
            evidence.get(scored.evidence).is_some_and(|evidence| share_in_element(&weights, evidence) >= ENOUGH_WORDS);
        enough_words || scored.meaning.is_some_and(|meaning| meaning >= ENOUGH_MEANING)
    };
    scored.retain(answers);
    let Some(best) = scored.first().map(Scored::score) else { return insufficient(candidates) };
    let mut chosen: Vec<&Scored<'_>> = Vec::new();
    for candidate in scored.iter().filter(|candidate| candidate.score() >= best * NEAR_BEST) {
        let of_same = chosen.iter().filter(|taken| taken.evidence == candidate.evidence).count();
        let repeated = chosen.iter().any(|taken| taken.sentence == candidate.sentence);
        if !repeated && of_same < 2 && chosen.len() < QUOTES {
            chosen.push(candidate);
        }
    }
    compose(evidence, chosen.into_iter().map(|scored| (scored.evidence, scored.sentence)))
}

/// For look-ups: what the first elements say of themselves.
fn leading_sentences(candidates: &Candidates, evidence: &[Evidence], wanted: Vec<(usize, &Evidence)>) -> Answer {
    let of_kind: Vec<(usize, &Evidence)> =
        wanted.iter().copied().filter(|(_, evidence)| candidates.question.kinds.contains(&evidence.element.kind)).collect();
    let listed = if of_kind.is_empty() { wanted } else { of_kind };
    let count = if candidates.question.identifier { 1 } else { QUOTES };
    compose(
        evidence,
        listed.into_iter().take(count).filter_map(|(at, evidence)| Some((at, evidence.sentences.first()?.as_str()))),
    )
}

/// One line a sentence, `Title: sentence [n]`; the n-th element of the evidence has the number n.
fn compose<'a>(evidence: &[Evidence], quotes: impl Iterator<Item = (usize, &'a str)>) -> Answer {
    let mut lines = Vec::new();
    let mut citations: Vec<Citation> = Vec::new();
    for (at, sentence) in quotes {
        let Some(cited) = evidence.get(at) else { continue };
        let n = at as u32 + 1;
        let said = without_marks(sentence);
        let line = if citations.iter().all(|citation| citation.n != n) && sentence != cited.element.title {
            format!("{}: {said} [{n}]", without_marks(&cited.element.title))
        } else {
            format!("{said} [{n}]")
        };
        lines.push(line);
        citations.push(Citation { n, id: cited.element.id.clone(), quote: sentence.to_owned() });
    }
    Answer { text: lines.join("\n"), citations, kind: AnswerKind::Extractive, follow_ups: Vec::new() }
}

/// The refusal, naming what was searched and how much each method brought.
pub fn insufficient(candidates: &Candidates) -> Answer {
    let searched: Vec<String> = candidates
        .retrieved
        .iter()
        .map(|retrieved| &retrieved.report)
        .filter(|report| report.status != MethodStatus::Skipped)
        .map(|report| match report.status {
            MethodStatus::Degraded => format!("{} (not available)", report.name),
            _ => format!("{} ({})", report.name, report.count),
        })
        .collect();
    let searched =
        if searched.is_empty() { "nothing could be searched".to_owned() } else { format!("searched by {}", searched.join(", ")) };
    let place =
        candidates.question.place.as_ref().map(|place| format!(" {}.", place.reason.trim_end_matches('.'))).unwrap_or_default();
    let text = format!(
        "The catalogue does not hold enough information to answer this: {searched}; no sentence answers the question.{place}"
    );
    Answer { text, citations: Vec::new(), kind: AnswerKind::InsufficientInformation, follow_ups: Vec::new() }
}

/// Each topic word with its inverse document frequency over the evidence; a word that stands nowhere weighs most.
fn term_weights(topic: &[String], evidence: &[Evidence]) -> Vec<(String, f32)> {
    let bags: Vec<HashSet<String>> = evidence.iter().map(bag).collect();
    topic
        .iter()
        .map(|term| {
            let holding = bags.iter().filter(|bag| bag.iter().any(|word| same_stem(term, word))).count() as f32;
            let weight = (1.0 + (bags.len() as f32 + 1.0) / (holding + 1.0)).ln();
            (term.clone(), weight)
        })
        .collect()
}

/// Everything an element says of itself, as words.
fn bag(evidence: &Evidence) -> HashSet<String> {
    let element = &evidence.element;
    let places = element.spatial.iter().flat_map(|spatial| &spatial.places);
    let people = element.authors.iter().map(|author| &author.name).chain(element.contributor.iter().map(|person| &person.name));
    let details = element.details.tasks.iter().chain(&element.details.imports).chain(&element.details.venue);
    let texts =
        [&element.title, &element.description].into_iter().chain(&element.tags).chain(places).chain(people).chain(details);
    texts.flat_map(|text| words(text)).map(|word| word.folded).collect()
}

fn share_in_element(weights: &[(String, f32)], evidence: &Evidence) -> f32 {
    let bag = bag(evidence);
    share(weights, |term| bag.iter().any(|word| same_stem(term, word)))
}

fn score_by_words<'a>(weights: &[(String, f32)], about: &[(usize, &'a Evidence)]) -> Vec<Scored<'a>> {
    let mut scored = Vec::new();
    for &(at, evidence) in about {
        let title: Vec<String> = words(&evidence.element.title).into_iter().map(|word| word.folded).collect();
        for sentence in &evidence.sentences {
            let own: Vec<String> = words(sentence).into_iter().map(|word| word.folded).collect();
            let in_sentence = share(weights, |term| own.iter().any(|word| same_stem(term, word)));
            let in_either = share(weights, |term| own.iter().chain(&title).any(|word| same_stem(term, word)));
            scored.push(Scored { evidence: at, sentence, words: f32::midpoint(in_sentence, in_either), meaning: None });
        }
    }
    scored
}

fn share(weights: &[(String, f32)], holds: impl Fn(&str) -> bool) -> f32 {
    let all: f32 = weights.iter().map(|(_, weight)| weight).sum();
    let held: f32 = weights.iter().filter(|(term, _)| holds(term)).map(|(_, weight)| weight).sum();
    if all > 0.0 { held / all } else { 0.0 }
}

/// Cosines of the sentences to the question; left out when the embedder fails, since words alone still answer.
async fn add_meaning(services: &Services, question: &str, scored: &mut [Scored<'_>]) {
    let Ok(embedder) = &services.embedder else { return };
    let texts: Vec<String> = scored.iter().map(|scored| scored.sentence.to_owned()).collect();
    if texts.is_empty() {
        return;
    }
    match futures::try_join!(embedder.embed_query(question), embedder.embed(&texts)) {
        Ok((asked, vectors)) => {
            for (scored, vector) in scored.iter_mut().zip(vectors) {
                scored.meaning = Some(asked.iter().zip(vector).map(|(a, b)| a * b).sum());
            }
        }
        Err(error) => tracing::warn!(error = %error, cause = %error.source, "sentences are compared by words only"),
    }
}
