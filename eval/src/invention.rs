//! What an answer says that its catalogue does not: a ruler of its own, so that the pipeline's scan is measured and not asked.

use std::collections::{BTreeSet, HashMap};

use pipeline::{
    model::{
        element::{Element, ElementId},
        results::ResultItem,
        round::Answer,
    },
    text::markdown::to_plain_text,
};
use regex::Regex;

pub struct Ruler {
    mark: Regex,
    number: Regex,
    doi: Regex,
}

impl Ruler {
    /// # Errors
    /// Never: the patterns are constants.
    pub fn new() -> Result<Self, regex::Error> {
        Ok(Self {
            mark: Regex::new(r"\[\s*\d+(?:\s*,\s*\d+)*\s*\]")?,
            number: Regex::new(r"\d+(?:,\d{3})*(?:\.\d+)?|\.\d+")?,
            doi: Regex::new(r"(?i)10\.\d{4,9}/[^\s\]\)\}<>,;“”]+")?,
        })
    }

    /// Marks without a citation, citations that are not the card they name, quotes that do not stand in their element word for word.
    pub fn citations(&self, answer: &Answer, cards: &[ResultItem], elements: &HashMap<ElementId, Element>) -> Vec<String> {
        let mut faults = Vec::new();
        if answer.citations.is_empty() {
            faults.push("the answer cites nothing".to_owned());
        }
        for mark in self.mark.find_iter(&answer.text) {
            let numbers = mark.as_str().trim_matches(['[', ']']).split(',').filter_map(|n| n.trim().parse::<u32>().ok());
            for n in numbers.filter(|n| answer.citations.iter().all(|citation| citation.n != *n)) {
                faults.push(format!("[{n}] stands for no citation"));
            }
        }
        for citation in &answer.citations {
            let card = (citation.n as usize).checked_sub(1).and_then(|at| cards.get(at));
            if card.is_none_or(|card| card.id != citation.id) {
                faults.push(format!("[{}] is not the card of {}", citation.n, citation.id));
            }
            if !elements.get(&citation.id).is_some_and(|element| stands_in(&citation.quote, element)) {
                faults.push(format!("“{}” does not stand in {}", citation.quote, citation.id));
            }
        }
        faults
    }

    /// Numbers, dates and DOIs of the answer that stand in none of the elements it cites.
    pub fn numbers(&self, answer: &Answer, elements: &HashMap<ElementId, Element>) -> Vec<String> {
        let cited = answer.citations.iter().filter_map(|citation| elements.get(&citation.id));
        let cited: String = cited.map(written).collect::<Vec<_>>().join("\n");
        let said = self.mark.replace_all(&answer.text, " ");
        let known = self.dois_in(&cited);
        let mut invented: Vec<String> = self.dois_in(&said).into_iter().filter(|doi| !known.contains(doi)).collect();
        let known = self.numbers_in(&cited);
        invented.extend(self.numbers_in(&said).into_iter().filter(|number| !known.contains(number)));
        invented
    }

    fn dois_in(&self, text: &str) -> BTreeSet<String> {
        self.doi.find_iter(text).map(|doi| doi.as_str().trim_end_matches(['.', ':', '"', '\\']).to_lowercase()).collect()
    }

    /// `1,250`, `02` and `2.50` as `1250`, `2` and `2.5`.
    fn numbers_in(&self, text: &str) -> BTreeSet<String> {
        let one_way = |number: &str| {
            let number = number.replace(',', "");
            let (whole, fraction) = number.split_once('.').unwrap_or((&number, ""));
            let (whole, fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
            let whole = if whole.is_empty() { "0" } else { whole };
            if fraction.is_empty() { whole.to_owned() } else { format!("{whole}.{fraction}") }
        };
        self.number.find_iter(text).map(|number| one_way(number.as_str())).collect()
    }
}

fn stands_in(quote: &str, element: &Element) -> bool {
    let squeeze = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let quote = squeeze(quote);
    !quote.is_empty()
        && [element.title.clone(), to_plain_text(&element.description)].iter().any(|text| squeeze(text).contains(&quote))
}

/// Everything that stands in an element.
pub fn written(element: &Element) -> String {
    serde_json::to_string(element).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use pipeline::model::{
        element::Kind,
        round::{AnswerKind, Citation},
    };

    use super::*;

    fn elements() -> HashMap<ElementId, Element> {
        let mut element = Element::new("a", Kind::Dataset, "Sea ice 2.0");
        element.description = "It covers *1979* to 2020. Some 1,250 scenes at 0.05 degrees.".to_owned();
        element.doi = Some("10.5067/modis/x1".to_owned());
        HashMap::from([(element.id.clone(), element)])
    }

    fn answer(text: &str, quotes: &[(u32, &str, &str)]) -> Answer {
        let citation =
            |(n, id, quote): &(u32, &str, &str)| Citation { n: *n, id: ElementId::from(*id), quote: (*quote).to_owned() };
        Answer {
            text: text.to_owned(),
            citations: quotes.iter().map(citation).collect(),
            kind: AnswerKind::Answer,
            follow_ups: Vec::new(),
        }
    }

    fn cards(ids: &[&str]) -> Vec<ResultItem> {
        let card = |id: &&str| {
            serde_json::from_value(serde_json::json!({ "id": id, "kind": "dataset", "title": "", "ranks": {}, "position": 1,
                "title_marked": [], "excerpt": [], "click_count": 0 }))
        };
        ids.iter().map(card).collect::<Result<_, _>>().unwrap()
    }

    #[test]
    fn numbers_and_dois_must_stand_in_what_is_cited() {
        let ruler = Ruler::new().unwrap();
        for (text, expected) in [
            ("From 1979, 1250 scenes at .05 or 0.050 degrees [1].", vec![]),
            ("From 1979, 1250 scenes at .5 degrees, in 2020 [1].", vec!["0.5"]),
            ("Sea ice 2, doi:10.5067/MODIS/X1. [1]", vec![]),
            ("Sea ice, 10.5067/modis/y1 [1] [12]", vec!["10.5067/modis/y1"]),
            ("It covers 1978 to 202 [1].", vec!["1978", "202"]),
            ("Some ice [1].", vec![]),
        ] {
            assert_eq!(ruler.numbers(&answer(text, &[(1, "a", "")]), &elements()), expected, "{text}");
        }
        assert_eq!(ruler.numbers(&answer("1979", &[]), &elements()), ["1979"], "nothing is cited");
    }

    #[test]
    fn a_citation_is_its_card_and_quotes_its_element() {
        let ruler = Ruler::new().unwrap();
        for (text, quotes, cards_shown, faults) in [
            ("Ice [1].", vec![(1, "a", "It covers 1979 to 2020.")], vec!["a"], 0),
            ("Ice [1].", vec![(1, "a", "Sea ice 2.0")], vec!["a"], 0),
            ("Ice [1, 2].", vec![(1, "a", "Sea ice 2.0")], vec!["a"], 1),
            ("Ice [2].", vec![(2, "a", "Sea ice 2.0")], vec!["a"], 1),
            ("Ice [0].", vec![(0, "a", "Sea ice 2.0")], vec!["a"], 1),
            ("Ice [1].", vec![(1, "a", "Sea ice 2.0")], vec!["b", "a"], 1),
            ("Ice [1].", vec![(1, "a", "It covers 1979 to 2021.")], vec!["a"], 1),
            ("Ice [1].", vec![(1, "a", " ")], vec!["a"], 1),
            ("Ice [1].", vec![(1, "b", "Sea ice 2.0")], vec!["b"], 1),
            ("Ice.", vec![], vec!["a"], 1),
        ] {
            let found = ruler.citations(&answer(text, &quotes), &cards(&cards_shown), &elements());
            assert_eq!(found.len(), faults, "{text} {quotes:?} {cards_shown:?}: {found:?}");
        }
    }
}
