//! The deterministic scan: every citation resolves, every quote stands in its element word for word, every claim cites, and
//! every number, date, DOI, code and address of a claim stands in what it cites.

use std::collections::HashSet;

use super::Finding;
use crate::{
    ask::{claims::claims, evidence::Evidence},
    model::round::Answer,
    text::identifiers::{find_dois, identifiers},
};

/// What is wrong with an answer; empty when nothing is.
pub fn scan(answer: &Answer, evidence: &[Evidence]) -> Vec<Finding> {
    let mut findings = wrong_quotes(answer, evidence);
    for claim in claims(&answer.text) {
        let mut found = |problem: String| findings.push(Finding { sentence: claim.text.clone(), problem });
        if claim.cites.is_empty() {
            found("it cites nothing".to_owned());
            continue;
        }
        let cited_by = |n: &u32| answer.citations.iter().find(|citation| citation.n == *n);
        if let Some(unknown) = claim.cites.iter().find(|n| cited_by(n).is_none()) {
            found(format!("[{unknown}] is not a citation of this answer"));
            continue;
        }
        let cited: Vec<String> = (claim.cites.iter().filter_map(cited_by))
            .filter_map(|citation| evidence.iter().find(|evidence| evidence.element.id == citation.id))
            .map(Evidence::whole_text)
            .collect();
        if cited.is_empty() {
            // its quotes were found wanting above
            continue;
        }
        for missing in missing_in(&claim.text, &cited.join("\n")) {
            found(format!("{missing} does not stand in what is cited"));
        }
    }
    findings
}

fn wrong_quotes(answer: &Answer, evidence: &[Evidence]) -> Vec<Finding> {
    let stands = |id: &_, quote: &String| {
        evidence.iter().any(|evidence| {
            evidence.element.id == *id && (evidence.sentences.contains(quote) || evidence.element.title == *quote)
        })
    };
    let wrong = answer.citations.iter().filter(|citation| !stands(&citation.id, &citation.quote));
    wrong
        .map(|citation| Finding {
            sentence: citation.quote.clone(),
            problem: format!("[{}] quotes what its element does not say", citation.n),
        })
        .collect()
}

/// Facts of the claim that the text does not hold: addresses, DOIs and codes, then numbers outside of those.
pub(in crate::ask) fn missing_in(claim: &str, text: &str) -> Vec<String> {
    let mut missing = Vec::new();
    let mut rest = claim.to_owned();
    let known_dois: HashSet<String> = find_dois(text).into_iter().map(|found| found.doi).collect();
    for found in find_dois(claim) {
        blank(&mut rest, found.start..found.end);
        if !known_dois.contains(&found.doi) {
            missing.push(found.doi);
        }
    }
    let lowered = text.to_lowercase();
    for address in addresses(&rest.clone()) {
        // what is left of a resolver's address says nothing beside its DOI
        if !address.trim_end_matches('/').ends_with("doi.org") && !lowered.contains(&address.to_lowercase()) {
            missing.push(address.to_owned());
        }
        rest = rest.replace(address, " ");
    }
    let squeezed = squeeze(text);
    for code in identifiers(&rest.clone()) {
        let written = rest.get(code.start..code.end).unwrap_or_default().to_owned();
        blank(&mut rest, code.start..code.end);
        if !squeezed.contains(&code.normalised) {
            missing.push(written);
        }
    }
    let known: HashSet<String> = numbers(text).into_iter().collect();
    missing.extend(numbers(&rest).into_iter().filter(|number| !known.contains(number)));
    missing
}

/// Spaces in place of a part, so that what follows keeps its position.
fn blank(text: &mut String, part: std::ops::Range<usize>) {
    let spaces = " ".repeat(part.len());
    text.replace_range(part, &spaces);
}

fn addresses(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace()
        .map(|word| word.trim_matches(|letter: char| "()[]<>\"'“”,;.".contains(letter)))
        .filter(|word| word.contains("://") || word.starts_with("www."))
}

/// Letters and digits only, as codes are compared.
fn squeeze(text: &str) -> String {
    crate::text::fold::fold(text).chars().filter(|letter| letter.is_alphanumeric()).collect()
}

/// Runs of digits with their decimal marks, written one way: `1,000` as `1000`, `02` as `2`, `2.50` as `2.5`.
fn numbers(text: &str) -> Vec<String> {
    let is_number_part = |letter: char| letter.is_ascii_digit() || letter == '.' || letter == ',';
    text.split(|letter: char| !is_number_part(letter))
        .map(|number| number.trim_end_matches(['.', ',']).trim_start_matches(','))
        .filter(|number| number.chars().any(|letter| letter.is_ascii_digit()))
        .flat_map(one_way)
        .collect()
}

/// A number without thousands' commas and empty zeros. A run that is no such number, as in a list or a version, is its parts.
fn one_way(run: &str) -> Vec<String> {
    let mut groups = run.split(',');
    let first = groups.next().unwrap_or_default();
    let is_grouped = first.len() <= 3
        && run.contains(',')
        && groups.all(|group| group.split('.').next().is_some_and(|whole| whole.len() == 3));
    let pieces: Vec<String> = if is_grouped { vec![run.replace(',', "")] } else { run.split(',').map(str::to_owned).collect() };
    pieces
        .iter()
        .flat_map(|piece| {
            if piece.trim_start_matches('.').matches('.').count() > 1 { piece.split('.').collect() } else { vec![piece.as_str()] }
        })
        .filter(|piece| !piece.is_empty())
        .map(plain_number)
        .collect()
}

fn plain_number(number: &str) -> String {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let whole = whole.trim_start_matches('0');
    let fraction = fraction.trim_end_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    if fraction.is_empty() { whole.to_owned() } else { format!("{whole}.{fraction}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{
        element::{Element, ElementId, Kind},
        round::{AnswerKind, Citation},
    };

    fn evidence() -> Vec<Evidence> {
        let mut element = Element::new("a", Kind::Dataset, "Sea ice 2.0");
        element.description = "The record covers 1979 to 2020. Some 1,250 scenes of MOD13Q1.061 at 0.05 degrees.".to_owned();
        element.doi = Some("10.5067/modis/x1".to_owned());
        vec![Evidence::new(element, Vec::new())]
    }

    fn answer(text: &str, id: &str, quote: &str) -> Answer {
        let citations = vec![Citation { n: 1, id: ElementId::from(id), quote: quote.to_owned() }];
        Answer { text: text.to_owned(), citations, kind: AnswerKind::Extractive, follow_ups: Vec::new() }
    }

    #[test]
    fn a_true_quote_passes() {
        assert_eq!(
            scan(
                &answer("Sea ice 2.0: The record covers 1979 to 2020. [1]", "a", "The record covers 1979 to 2020."),
                &evidence()
            ),
            []
        );
    }

    #[test]
    fn facts_in_another_dress_pass() {
        for text in [
            "From 1979 on, 1250 scenes [1].",
            "Scenes of MOD13Q1 (mod13q1-061) at .05 degrees [1]. Its DOI is doi:10.5067/MODIS/X1 [1].",
            "Sea ice 2 covers 1979–2020 [1].",
            "It is at https://doi.org/10.5067/MODIS/X1 [1].",
        ] {
            assert_eq!(scan(&answer(text, "a", "The record covers 1979 to 2020."), &evidence()), [], "{text}");
        }
    }

    #[test]
    fn numbers_are_compared_whole_and_one_way() {
        for (text, expected) in [
            ("1,000 km in 2000-02-18", vec!["1000", "2000", "2", "18"]),
            ("v2.50, 1979, 2020", vec!["2.5", "1979", "2020"]),
            ("1.2.3 and .05", vec!["1", "2", "3", "0.05"]),
            ("none", vec![]),
        ] {
            assert_eq!(numbers(text), expected, "{text}");
        }
    }

    #[test]
    fn every_kind_of_invention_is_found() {
        for (text, id, quote) in [
            ("The record covers 1979 to 2020. [1]", "b", "The record covers 1979 to 2020."),
            ("The record covers 1979 to 2021. [1]", "a", "The record covers 1979 to 2020."),
            ("The record covers 1979 to 2020. [2]", "a", "The record covers 1979 to 2020."),
            ("The record covers 1979 to 2020. [1]", "a", "It covers much."),
            ("The record covers 1979 to 202. [1]", "a", "The record covers 1979 to 2020."),
            ("The record covers 1979 to 2020.", "a", "The record covers 1979 to 2020."),
            ("It has MOD13Q2.061. [1]", "a", "The record covers 1979 to 2020."),
            ("It has 10.5067/modis/y2. [1]", "a", "The record covers 1979 to 2020."),
            ("See https://example.org/ice for more. [1]", "a", "The record covers 1979 to 2020."),
        ] {
            assert_eq!(scan(&answer(text, id, quote), &evidence()).len(), 1, "{text} {id} {quote}");
        }
    }
}
