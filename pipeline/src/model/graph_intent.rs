//! The ten intents of the knowledge graph: what can be asked of it, apart from how any engine answers.

use serde::{Deserialize, Serialize};

use super::{
    element::{ElementId, Kind},
    graph::{Direction, Edge},
    place::AreaFilter,
};

/// A question to the graph with its slots filled. Where `kinds` is empty, any kind is found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "name", rename_all = "kebab-case")]
pub enum GraphIntent {
    /// 1: what a person contributed.
    Contributed { person: String, kinds: Vec<Kind> },
    /// 2: what a person wrote.
    Authored { person: String, kinds: Vec<Kind> },
    /// 3: what uses an element, a dataset most often.
    Uses { element: ElementId, kinds: Vec<Kind> },
    /// 4: what is related to an element by one of `edges` (all four between elements when empty), whichever way they point
    /// where `direction` does not say.
    Related { element: ElementId, edges: Vec<Edge>, direction: Option<Direction>, kinds: Vec<Kind> },
    /// 5: publications linked to the notebooks that use an element.
    PublicationsThroughNotebooks { element: ElementId },
    /// 6: what is viewed most. A tag and an area are asked of the search index, since a graph holds neither.
    MostViewed { kinds: Vec<Kind>, tag: Option<String>, area: Option<AreaFilter> },
    /// 7: what is bookmarked most.
    MostBookmarked { kinds: Vec<Kind> },
    /// 7: what a person bookmarked.
    BookmarkedBy { person: String, kinds: Vec<Kind> },
    /// 7: what was bookmarked by those who bookmarked an element.
    SharesBookmarkers { element: ElementId, kinds: Vec<Kind> },
    /// 8: by `edges` (authored-by, contributed-by; both when empty), what a person made together with others, or what the
    /// people of an element made besides it.
    WorksWith { of: PersonOrElement, edges: Vec<Edge>, kinds: Vec<Kind> },
    /// 9: what an element was derived from (`Out`), what was derived from it (`In`), or both, over any number of steps.
    Lineage { element: ElementId, direction: Option<Direction>, kinds: Vec<Kind> },
    /// 10: the shortest path between two elements.
    Connection { from: ElementId, to: ElementId },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PersonOrElement {
    Person(String),
    Element(ElementId),
}

impl GraphIntent {
    pub fn name(&self) -> IntentName {
        match self {
            Self::Contributed { .. } => IntentName::Contributed,
            Self::Authored { .. } => IntentName::Authored,
            Self::Uses { .. } => IntentName::Uses,
            Self::Related { .. } => IntentName::Related,
            Self::PublicationsThroughNotebooks { .. } => IntentName::PublicationsThroughNotebooks,
            Self::MostViewed { .. } => IntentName::MostViewed,
            Self::MostBookmarked { .. } => IntentName::MostBookmarked,
            Self::BookmarkedBy { .. } => IntentName::BookmarkedBy,
            Self::SharesBookmarkers { .. } => IntentName::SharesBookmarkers,
            Self::WorksWith { .. } => IntentName::WorksWith,
            Self::Lineage { .. } => IntentName::Lineage,
            Self::Connection { .. } => IntentName::Connection,
        }
    }
}

/// The intents by name; the seventh has three.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ports", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum IntentName {
    Contributed,
    Authored,
    Uses,
    Related,
    PublicationsThroughNotebooks,
    MostViewed,
    MostBookmarked,
    BookmarkedBy,
    SharesBookmarkers,
    WorksWith,
    Lineage,
    Connection,
}

/// What an intent is asked with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Slot {
    Person,
    Element,
    OtherElement,
    /// A person, else an element.
    PersonOrElement,
    Kinds,
    Edges,
    Tag,
    /// Never in words: the area of the search, or the place the question names.
    Area,
}

/// An intent as it is described to whoever chooses one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct IntentEntry {
    pub name: IntentName,
    pub answers: &'static str,
    /// The first of them is needed, of [`IntentName::Connection`] both; kinds, edges, tag and area never are.
    pub slots: &'static [Slot],
    pub example: &'static str,
}

#[rustfmt::skip]
pub const INTENTS: [IntentEntry; 12] = [
    IntentEntry { name: IntentName::Contributed, answers: "what a person contributed to the catalogue",
        slots: &[Slot::Person, Slot::Kinds], example: "Which notebooks did Ana Costa contribute?" },
    IntentEntry { name: IntentName::Authored, answers: "what a person wrote",
        slots: &[Slot::Person, Slot::Kinds], example: "What has Ana Costa written?" },
    IntentEntry { name: IntentName::Uses, answers: "what uses a dataset or another element",
        slots: &[Slot::Element, Slot::Kinds], example: "Which notebooks use the Sea Ice Index?" },
    IntentEntry { name: IntentName::Related, answers: "what is related to an element, cites it, is cited by it, is derived from it or used in it",
        slots: &[Slot::Element, Slot::Edges, Slot::Kinds], example: "What is related to the Sea Ice Index?" },
    IntentEntry { name: IntentName::PublicationsThroughNotebooks, answers: "publications linked to the notebooks that use a dataset",
        slots: &[Slot::Element], example: "Which publications came out of notebooks that use the Sea Ice Index?" },
    IntentEntry { name: IntentName::MostViewed, answers: "what is viewed most",
        slots: &[Slot::Kinds, Slot::Tag, Slot::Area], example: "What are the most viewed maps?" },
    IntentEntry { name: IntentName::MostBookmarked, answers: "what is bookmarked most",
        slots: &[Slot::Kinds], example: "Which notebooks are bookmarked most?" },
    IntentEntry { name: IntentName::BookmarkedBy, answers: "what a person bookmarked",
        slots: &[Slot::Person, Slot::Kinds], example: "What has Ana Costa bookmarked?" },
    IntentEntry { name: IntentName::SharesBookmarkers, answers: "what was bookmarked by those who bookmarked an element",
        slots: &[Slot::Element, Slot::Kinds], example: "What did people bookmark who bookmarked the Sea Ice Index?" },
    IntentEntry { name: IntentName::WorksWith, answers: "with whom a person works, and what the people of an element made besides it",
        slots: &[Slot::PersonOrElement, Slot::Edges, Slot::Kinds], example: "Who are the co-authors of Ana Costa?" },
    IntentEntry { name: IntentName::Lineage, answers: "what an element was derived from and what was derived from it, over any number of steps",
        slots: &[Slot::Element, Slot::Kinds], example: "What is the lineage of the Sea Ice Index?" },
    IntentEntry { name: IntentName::Connection, answers: "how two elements are connected",
        slots: &[Slot::Element, Slot::OtherElement], example: "How are the Sea Ice Index and the Arctic Atlas connected?" },
];

/// An intent with its slots still in words, as read from a question. Empty text stands for none: small models fill every field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ports", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct IntentChoice {
    pub name: IntentName,
    /// The person's name, or empty.
    #[serde(default)]
    pub person: String,
    /// The title, DOI or product code of the element, or empty.
    #[serde(default)]
    pub element: String,
    /// For a connection: the title, DOI or product code of the other end, or empty.
    #[serde(default)]
    pub other_element: String,
    /// A tag that is asked for by name, or empty.
    #[serde(default)]
    pub tag: String,
    /// The kinds asked for; empty for any.
    #[serde(default)]
    pub kinds: Vec<Kind>,
    /// The edges asked for; empty for all.
    #[serde(default)]
    pub edges: Vec<Edge>,
    /// Seen from the element: `out` for what it cites, uses as a source or is used in, `in` for the other way round.
    #[serde(default)]
    pub direction: Option<Direction>,
}

impl IntentChoice {
    pub fn new(name: IntentName) -> Self {
        Self {
            name,
            person: String::new(),
            element: String::new(),
            other_element: String::new(),
            tag: String::new(),
            kinds: Vec::new(),
            edges: Vec::new(),
            direction: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_read_from_what_a_model_writes() {
        let choice: IntentChoice =
            serde_json::from_str(r#"{"name":"publications-through-notebooks","element":"Sea Ice Index"}"#).unwrap();
        let expected =
            IntentChoice { element: "Sea Ice Index".to_owned(), ..IntentChoice::new(IntentName::PublicationsThroughNotebooks) };
        assert_eq!(choice, expected);
        assert!(serde_json::from_str::<IntentChoice>(r#"{"name":"uses","query":"DROP TABLE nodes"}"#).is_err());
    }

    #[test]
    fn an_intent_is_the_same_after_a_journey() {
        let intent = GraphIntent::WorksWith {
            of: PersonOrElement::Person("Ana Costa".to_owned()),
            edges: vec![Edge::AuthoredBy],
            kinds: vec![Kind::Map],
        };
        let json = serde_json::to_string(&intent).unwrap();
        assert_eq!(json, r#"{"name":"works-with","of":{"person":"Ana Costa"},"edges":["authored-by"],"kinds":["map"]}"#);
        assert_eq!(serde_json::from_str::<GraphIntent>(&json).unwrap(), intent);
    }
}
