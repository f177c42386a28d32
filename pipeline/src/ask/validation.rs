//! The deterministic scan: every citation resolves, every quote stands in its element word for word, every number in the
//! answer stands in what it cites.

use serde::Serialize;

use super::evidence::Evidence;
use crate::model::round::Answer;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    pub sentence: String,
    pub problem: String,
}

/// What is wrong with an answer; empty when nothing is.
pub fn scan(answer: &Answer, evidence: &[Evidence]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for citation in &answer.citations {
        let cited = evidence.iter().find(|evidence| evidence.element.id == citation.id);
        let stands = cited
            .is_some_and(|evidence| evidence.sentences.contains(&citation.quote) || evidence.element.title == citation.quote);
        if !stands {
            let problem = format!("[{}] quotes what its element does not say", citation.n);
            findings.push(Finding { sentence: citation.quote.clone(), problem });
        }
    }
    for line in answer.text.lines() {
        let marks = citation_numbers(line);
        if let Some(unknown) = marks.iter().find(|n| !answer.citations.iter().any(|citation| citation.n == **n)) {
            findings
                .push(Finding { sentence: line.to_owned(), problem: format!("[{unknown}] is not a citation of this answer") });
        }
        let cited: Vec<&Evidence> = answer
            .citations
            .iter()
            .filter(|citation| marks.contains(&citation.n))
            .filter_map(|citation| evidence.iter().find(|evidence| evidence.element.id == citation.id))
            .collect();
        for number in numbers(line).into_iter().filter(|_| !cited.is_empty()) {
            let found = cited.iter().any(|evidence| {
                evidence.element.title.contains(&number) || evidence.sentences.iter().any(|sentence| sentence.contains(&number))
            });
            if !found {
                findings
                    .push(Finding { sentence: line.to_owned(), problem: format!("{number} does not stand in what is cited") });
            }
        }
    }
    findings
}

/// The n of each `[n]`.
fn citation_numbers(text: &str) -> Vec<u32> {
    text.split('[').skip(1).filter_map(|part| part.split_once(']')?.0.parse().ok()).collect()
}

/// Runs of digits with their decimal marks, citations aside.
fn numbers(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, piece) in text.split('[').enumerate() {
        let piece = match piece.split_once(']') {
            Some((inside, rest)) if at > 0 && inside.parse::<u32>().is_ok() => rest,
            _ => piece,
        };
        let is_number_part = |letter: char| letter.is_ascii_digit() || letter == '.' || letter == ',';
        found.extend(
            piece
                .split(|letter: char| !is_number_part(letter))
                .map(|number| number.trim_matches(['.', ',']))
                .filter(|number| number.chars().any(|letter| letter.is_ascii_digit()))
                .map(str::to_owned),
        );
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{
        element::{Element, ElementId, Kind},
        round::{AnswerKind, Citation},
    };

    fn evidence() -> Vec<Evidence> {
        vec![Evidence {
            element: Element::new("a", Kind::Dataset, "Sea ice 2.0"),
            sentences: vec!["It covers 1979 to 2020.".to_owned()],
        }]
    }

    fn answer(text: &str, id: &str, quote: &str) -> Answer {
        let citations = vec![Citation { n: 1, id: ElementId::from(id), quote: quote.to_owned() }];
        Answer { text: text.to_owned(), citations, kind: AnswerKind::Extractive }
    }

    #[test]
    fn a_true_quote_passes() {
        assert_eq!(scan(&answer("Sea ice 2.0: It covers 1979 to 2020. [1]", "a", "It covers 1979 to 2020."), &evidence()), []);
    }

    #[test]
    fn every_kind_of_invention_is_found() {
        for (text, id, quote) in [
            ("It covers 1979 to 2020. [1]", "b", "It covers 1979 to 2020."),
            ("It covers 1979 to 2021. [1]", "a", "It covers 1979 to 2020."),
            ("It covers 1979 to 2020. [2]", "a", "It covers 1979 to 2020."),
            ("It covers 1979 to 2020. [1]", "a", "It covers much."),
        ] {
            assert_eq!(scan(&answer(text, id, quote), &evidence()).len(), 1, "{text} {id} {quote}");
        }
    }
}
