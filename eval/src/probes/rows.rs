//! The frozen rows of `eval/probes`.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use pipeline::model::element::ElementId;
use serde::Deserialize;

/// One file a kind, in the order of the paper.
const FILES: [&str; 10] = [
    include_str!("../../probes/keyword.ndjson"),
    include_str!("../../probes/spatial.ndjson"),
    include_str!("../../probes/paraphrase.ndjson"),
    include_str!("../../probes/graph.ndjson"),
    include_str!("../../probes/kind-filter.ndjson"),
    include_str!("../../probes/popularity-trap.ndjson"),
    include_str!("../../probes/fusion.ndjson"),
    include_str!("../../probes/multi-hop.ndjson"),
    include_str!("../../probes/hallucination-bait.ndjson"),
    include_str!("../../probes/follow-up.ndjson"),
];

/// The fields are described in `eval/probes/README.md`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    pub id: String,
    pub kind: ProbeKind,
    pub question: String,
    #[serde(default)]
    pub filters: String,
    #[serde(default)]
    pub history: Vec<String>,
    pub expected: Vec<ElementId>,
    pub facts: Vec<Fact>,
    pub answerable: bool,
    #[serde(default)]
    pub absent: Vec<String>,
    #[serde(default)]
    pub untold: BTreeMap<ElementId, Vec<String>>,
    #[serde(default)]
    pub clicks: BTreeMap<String, u64>,
    pub why: String,
}

impl Row {
    /// What is asked for and is not there, in words.
    pub fn bait(&self) -> String {
        let of_elements = self.untold.iter().map(|(id, terms)| format!("{} in {id}", terms.join(", ")));
        self.absent.iter().cloned().chain(of_elements).collect::<Vec<_>>().join(", ")
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProbeKind {
    Keyword,
    Spatial,
    Paraphrase,
    Graph,
    KindFilter,
    PopularityTrap,
    Fusion,
    MultiHop,
    HallucinationBait,
    FollowUp,
}

impl ProbeKind {
    pub const ALL: [Self; 10] = [
        Self::Keyword,
        Self::Spatial,
        Self::Paraphrase,
        Self::Graph,
        Self::KindFilter,
        Self::PopularityTrap,
        Self::Fusion,
        Self::MultiHop,
        Self::HallucinationBait,
        Self::FollowUp,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Keyword => "keyword",
            Self::Spatial => "spatial",
            Self::Paraphrase => "paraphrase",
            Self::Graph => "graph",
            Self::KindFilter => "kind-filter",
            Self::PopularityTrap => "popularity-trap",
            Self::Fusion => "fusion",
            Self::MultiHop => "multi-hop",
            Self::HallucinationBait => "hallucination-bait",
            Self::FollowUp => "follow-up",
        }
    }
}

impl std::str::FromStr for ProbeKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names = || Self::ALL.map(Self::name).join(", ");
        Self::ALL.into_iter().find(|kind| kind.name() == text).ok_or_else(|| format!("`{text}` is none of {}", names()))
    }
}

/// Ways to write one fact, ` | ` between them.
#[derive(Clone, Debug, Deserialize)]
#[serde(transparent)]
pub struct Fact(pub String);

impl Fact {
    pub fn ways(&self) -> impl Iterator<Item = &str> {
        self.0.split(" | ")
    }

    pub fn stands_in(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        self.ways().any(|way| text.contains(&way.to_lowercase()))
    }
}

/// # Errors
/// A row that is none, with its text.
pub fn read() -> Result<Vec<Row>> {
    FILES.iter().flat_map(|file| file.lines()).map(|line| serde_json::from_str(line).with_context(|| line.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use pipeline::model::{element::Element, query::SearchQuery};

    use super::*;
    use crate::{demo, invention::written};

    fn elements() -> HashMap<ElementId, Element> {
        let read = |line| {
            let mut element = pipeline::catalog::validate(serde_json::from_str(line).unwrap()).unwrap().element;
            element.extra.clear();
            (element.id.clone(), element)
        };
        demo::ELEMENTS.lines().map(read).collect()
    }

    #[test]
    fn there_are_enough_of_each_kind_and_none_twice() {
        let rows = read().unwrap();
        assert!(rows.len() >= 60, "{}", rows.len());
        for kind in ProbeKind::ALL {
            assert!(rows.iter().filter(|row| row.kind == kind).count() >= 8, "few of {}", kind.name());
            assert_eq!(kind.name().parse(), Ok(kind));
        }
        for of in [|row: &Row| row.id.clone(), |row: &Row| format!("{} {} {:?}", row.question, row.filters, row.history)] {
            let seen: HashSet<String> = rows.iter().map(of).collect();
            assert_eq!(seen.len(), rows.len());
        }
        assert!(rows.iter().all(|row| row.why.len() > 20 && !row.question.trim().is_empty()));
    }

    #[test]
    fn what_is_expected_stands_in_the_catalogue() {
        let elements = elements();
        for row in read().unwrap() {
            let expected: HashSet<&ElementId> = row.expected.iter().collect();
            assert_eq!(expected.len(), row.expected.len(), "{}", row.id);
            assert!(expected.len() <= 10, "{}: no more than ten can be found among ten", row.id);
            assert_eq!(row.answerable, !expected.is_empty(), "{}", row.id);
            let texts: Vec<String> = row
                .expected
                .iter()
                .map(|id| written(elements.get(id).unwrap_or_else(|| panic!("{}: {id} is not there", row.id))).to_lowercase())
                .collect();
            for way in row.facts.iter().flat_map(Fact::ways) {
                assert!(texts.iter().any(|text| text.contains(&way.to_lowercase())), "{}: {way}", row.id);
            }
        }
    }

    #[test]
    fn bait_stands_nowhere() {
        let elements = elements();
        for row in read().unwrap() {
            let is_bait = row.kind == ProbeKind::HallucinationBait;
            assert_eq!(is_bait, !row.answerable, "{}", row.id);
            assert_eq!(is_bait, !(row.absent.is_empty() && row.untold.is_empty()), "{}: bait says what is not there", row.id);
            for element in elements.values() {
                let untold = row.untold.get(&element.id).into_iter().flatten();
                for term in row.absent.iter().chain(untold) {
                    assert!(
                        !written(element).to_lowercase().contains(&term.to_lowercase()),
                        "{}: {term} in {}",
                        row.id,
                        element.id
                    );
                }
            }
            assert!(row.untold.keys().all(|id| elements.contains_key(id)), "{}", row.id);
        }
    }

    #[test]
    fn rows_are_asked_as_they_say() {
        let elements = elements();
        let mut clicks: BTreeMap<String, u64> = BTreeMap::new();
        for row in read().unwrap() {
            assert!(SearchQuery::from_query_string(&row.filters).is_ok_and(|query| query.q.is_empty()), "{}", row.id);
            assert_eq!(row.kind == ProbeKind::FollowUp, !row.history.is_empty(), "{}", row.id);
            assert_eq!(row.kind == ProbeKind::PopularityTrap, !row.clicks.is_empty(), "{}", row.id);
            for (id, count) in row.clicks {
                let trap = ElementId(id.clone());
                assert!(elements.values().all(|element| element.click_count < count), "{}: the trap is not popular", row.id);
                assert!(elements.contains_key(&trap) && !row.expected.contains(&trap), "{}: {id}", row.id);
                assert_eq!(clicks.insert(id, count), None, "{}: its clicks are set twice", row.id);
            }
        }
    }

    #[test]
    fn a_fact_has_several_ways() {
        let fact = Fact("18 February 2000 | 2000-02-18".to_owned());
        assert!(fact.stands_in("It begins on 18 FEBRUARY 2000.") && fact.stands_in("2000-02-18"));
        assert!(!fact.stands_in("2000"));
    }
}
