//! Whether a row was answered right.

use std::collections::HashMap;

use pipeline::model::element::{Element, ElementId};

use super::rows::Row;
use crate::{asked::Asked, invention::Ruler};

/// Cards a person sees first.
const SEEN: usize = 10;

/// What is not measured by a row is absent: bait has nothing to recall, a refusal cites nothing.
#[derive(Debug)]
pub struct Verdict {
    pub recall: Option<f64>,
    /// Every citation resolves and quotes word for word, and one is of an expected element.
    pub citations: Option<bool>,
    /// Every number, date and DOI stands in what is cited.
    pub numbers: Option<bool>,
    /// Bait is refused, all else is answered.
    pub refusal: bool,
    /// Every expected fact stands in the answer.
    pub facts: Option<bool>,
    /// No trap stands before the first expected element.
    pub untrapped: Option<bool>,
    /// In words; empty where all is right.
    pub faults: Vec<String>,
}

pub fn judge(row: &Row, asked: &Asked, elements: &HashMap<ElementId, Element>, ruler: &Ruler) -> Verdict {
    let mut faults = Vec::new();
    if let Some(error) = &asked.error {
        faults.push(format!("ended in an error: {} {}", error.title, error.detail));
    }
    let seen: Vec<&ElementId> = asked.references.iter().take(SEEN).map(|card| &card.id).collect();
    let missing: Vec<&str> = row.expected.iter().filter(|id| !seen.contains(id)).map(|id| id.0.as_str()).collect();
    if !missing.is_empty() {
        faults.push(format!("not among the first {SEEN}: {}", missing.join(", ")));
    }
    let share_found = |all: usize| (all - missing.len()) as f64 / all as f64;

    let place = |id: &ElementId| seen.iter().position(|seen| *seen == id).unwrap_or(usize::MAX);
    let first_expected = row.expected.iter().map(place).min().unwrap_or(usize::MAX);
    let trapping: Vec<&str> =
        row.clicks.keys().map(String::as_str).filter(|id| place(&ElementId::from(*id)) < first_expected).collect();
    if !trapping.is_empty() {
        faults.push(format!("the popular {} stands first", trapping.join(", ")));
    }

    let refusal = if row.answerable { asked.told().is_some() } else { asked.refused() };
    if !refusal {
        faults.push(if row.answerable {
            "not answered".to_owned()
        } else {
            format!("not refused, though nothing is told of {}", row.bait())
        });
    }
    let mut verdict = Verdict {
        recall: row.answerable.then(|| share_found(row.expected.len())),
        citations: None,
        numbers: None,
        refusal,
        facts: None,
        untrapped: (!row.clicks.is_empty()).then_some(trapping.is_empty()),
        faults,
    };
    judge_text(row, asked, elements, ruler, &mut verdict);
    verdict
}

fn judge_text(row: &Row, asked: &Asked, elements: &HashMap<ElementId, Element>, ruler: &Ruler, verdict: &mut Verdict) {
    let told = asked.told();
    if !row.facts.is_empty() {
        let text = told.map_or("", |answer| answer.text.as_str());
        let untold: Vec<&str> = row.facts.iter().filter(|fact| !fact.stands_in(text)).map(|fact| fact.0.as_str()).collect();
        verdict.facts = Some(untold.is_empty());
        if !untold.is_empty() && told.is_some() {
            verdict.faults.push(format!("not told: {}", untold.join("; ")));
        }
    }
    let Some(answer) = told else { return };
    let mut wrong = ruler.citations(answer, &asked.references, elements);
    if row.answerable && !answer.citations.iter().any(|citation| row.expected.contains(&citation.id)) {
        wrong.push("cites none of the expected".to_owned());
    }
    verdict.citations = Some(wrong.is_empty());
    verdict.faults.append(&mut wrong);
    let invented = ruler.numbers(answer, elements);
    verdict.numbers = Some(invented.is_empty());
    if !invented.is_empty() {
        verdict.faults.push(format!("does not stand in what is cited: {}", invented.join(", ")));
    }
}

#[cfg(test)]
mod tests {
    use pipeline::model::{
        element::Kind,
        round::{Answer, AnswerKind, Citation, RoundError},
    };
    use serde_json::json;

    use super::*;

    fn row(extra: serde_json::Value) -> Row {
        let mut row = json!({ "id": "x", "kind": "keyword", "question": "Ice?", "expected": ["a", "b"], "facts": ["1979"], "answerable": true, "why": "" });
        row.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        serde_json::from_value(row).unwrap()
    }

    fn bait() -> Row {
        row(json!({ "expected": [], "facts": [], "answerable": false }))
    }

    fn asked(cards: &[&str], kind: AnswerKind, text: &str, cited: &[(u32, &str)]) -> Asked {
        let card = |id: &&str| {
            serde_json::from_value(json!({ "id": id, "kind": "dataset", "title": "", "ranks": {}, "position": 1,
                "title_marked": [], "excerpt": [], "click_count": 0 }))
        };
        let citation = |(n, id): &(u32, &str)| Citation { n: *n, id: ElementId::from(*id), quote: "From 1979.".to_owned() };
        let citations = cited.iter().map(citation).collect();
        Asked {
            answer: Some(Answer { text: text.to_owned(), citations, kind, follow_ups: Vec::new() }),
            references: cards.iter().map(card).collect::<Result<_, _>>().unwrap(),
            ..Asked::default()
        }
    }

    fn judged(row: &Row, asked: &Asked) -> Verdict {
        let elements = ["a", "b", "c"].map(|id| {
            let mut element = Element::new(id, Kind::Dataset, id);
            element.description = "From 1979.".to_owned();
            (ElementId::from(id), element)
        });
        judge(row, asked, &elements.into(), &Ruler::new().unwrap())
    }

    #[test]
    fn a_right_answer_is_right_in_all() {
        let right = asked(&["a", "c", "b"], AnswerKind::Answer, "Since 1979 [1].", &[(1, "a")]);
        let verdict = judged(&row(json!({ "clicks": { "c": 9 } })), &right);
        assert_eq!(verdict.faults, [] as [String; 0]);
        assert_eq!((verdict.recall, verdict.citations, verdict.numbers), (Some(1.0), Some(true), Some(true)));
        assert_eq!((verdict.refusal, verdict.facts, verdict.untrapped), (true, Some(true), Some(true)));
    }

    #[test]
    fn every_fault_is_told() {
        let wrong = asked(&["c", "b"], AnswerKind::Answer, "Since 1980 [1].", &[(1, "c")]);
        let verdict = judged(&row(json!({ "clicks": { "c": 9 } })), &wrong);
        assert_eq!((verdict.recall, verdict.citations, verdict.numbers), (Some(0.5), Some(false), Some(false)));
        assert_eq!((verdict.refusal, verdict.facts, verdict.untrapped), (true, Some(false), Some(false)));
        assert_eq!(verdict.faults.len(), 5, "{:?}", verdict.faults);
    }

    #[test]
    fn only_the_first_ten_are_seen() {
        let ids = ["c"; 9].into_iter().chain(["a", "b"]).collect::<Vec<_>>();
        assert_eq!(judged(&row(json!({})), &asked(&ids, AnswerKind::Answer, "", &[])).recall, Some(0.5));
    }

    #[test]
    fn bait_must_be_refused_and_nothing_else() {
        let refused = asked(&[], AnswerKind::InsufficientInformation, "Searched 3.", &[]);
        let answered = asked(&["a"], AnswerKind::Extractive, "From 1979. [1]", &[(1, "a")]);
        let failed = Asked {
            error: Some(RoundError { title: String::new(), detail: String::new(), what_to_do: String::new(), stopped: false }),
            ..Asked::default()
        };
        for (row, asked, right) in [
            (bait(), &refused, true),
            (bait(), &answered, false),
            (bait(), &failed, false),
            (row(json!({})), &refused, false),
            (row(json!({})), &answered, true),
            (row(json!({})), &failed, false),
        ] {
            let verdict = judged(&row, asked);
            assert_eq!(verdict.refusal, right, "{row:?} {asked:?}");
            assert_eq!(verdict.recall.is_some(), row.answerable);
            assert_eq!(verdict.citations.is_some(), asked.told().is_some());
        }
        assert_eq!(judged(&row(json!({})), &refused).facts, Some(false), "a refusal tells no fact");
    }
}
