//! What a question says beyond its words: places, people, kinds, popularity. The user's words are kept.

mod place;

use super::{
    plan::Plan,
    retrieval::resolve,
    routing::intents::{self, Reading},
};
use crate::{
    model::{
        element::Kind,
        graph_intent::{GraphIntent, IntentChoice, IntentName},
        place::{AreaFilter, PlaceOutcome},
        query::{MAX_QUESTION_BYTES, SearchQuery},
    },
    services::Services,
    text::{
        identifiers::{identifiers, normalise_doi},
        words::words,
    },
};

/// A question with what was read from it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Augmented {
    /// The user's words, cut at [`MAX_QUESTION_BYTES`].
    pub text: String,
    /// Folded words that carry the topic: no question words, no words for kinds, no names of the place or the people.
    pub topic: Vec<String>,
    /// Kinds the words name, such as `notebooks`.
    pub kinds: Vec<Kind>,
    /// What came of the place, named by the text or by the query's own `place`.
    pub place: Option<PlaceOutcome>,
    /// The area the spatial method asks for: the filter's, else the place's.
    pub area: Option<AreaFilter>,
    /// People of the catalogue named in the text.
    pub people: Vec<String>,
    /// What the text asks of the graph, first what it asks for most plainly.
    pub intents: Vec<GraphIntent>,
    /// The text is nothing but a DOI or a product code.
    pub identifier: bool,
}

/// Words that ask or connect rather than name a topic.
#[rustfmt::skip]
const FUNCTION_WORDS: [&str; 97] = [
    "a", "about", "an", "and", "any", "are", "around", "as", "at", "available", "be", "been", "by", "can", "cover", "covering", "covers", "did", "do",
    "does", "find", "for", "from", "get", "give", "has", "have", "how", "i", "in", "into", "is", "it", "its", "list", "look", "looking", "many", "me",
    "more", "most", "much", "my", "near", "need", "not", "of", "off", "on", "or", "our", "over", "please", "provide", "provides", "show", "some",
    "than", "that", "the", "their", "them", "there", "these", "they", "this", "those", "to", "us", "use", "used", "uses", "using", "want", "was",
    "we", "were", "what", "when", "where", "which", "who", "whose", "why", "will", "with", "within", "would", "you", "your", "tell", "exist",
    "exists", "contain", "contains", "describe", "between",
];

/// Singular and plural of what people call each kind.
#[rustfmt::skip]
const KIND_WORDS: [(&str, Kind); 25] = [
    ("dataset", Kind::Dataset), ("datasets", Kind::Dataset), ("data", Kind::Dataset), ("collection", Kind::Dataset), ("collections", Kind::Dataset),
    ("notebook", Kind::Notebook), ("notebooks", Kind::Notebook), ("jupyter", Kind::Notebook),
    ("paper", Kind::Publication), ("papers", Kind::Publication), ("publication", Kind::Publication), ("publications", Kind::Publication),
    ("article", Kind::Publication), ("articles", Kind::Publication),
    ("map", Kind::Map), ("maps", Kind::Map), ("viewer", Kind::Map),
    ("code", Kind::Code), ("software", Kind::Code), ("library", Kind::Code), ("libraries", Kind::Code), ("package", Kind::Code), ("packages", Kind::Code),
    ("course", Kind::Oer), ("tutorial", Kind::Oer),
];

/// Reads a question. A geocoder or graph that fails leaves its part empty; the outcome of the place says so.
pub async fn augment(services: &Services, query: &SearchQuery) -> Augmented {
    let text = cut_at_word(&query.q, MAX_QUESTION_BYTES).to_owned();
    let identifier = is_identifier(&text);
    let place = place::read_place(services, query, &text, identifier).await;
    let people = if text.is_empty() { Vec::new() } else { services.graph.people_in(&text).await.unwrap_or_default() };
    let area = query.filter.area.clone().or_else(|| place.as_ref().and_then(|place| place.area(query.relation)));
    let (intents, asking) =
        if identifier { Default::default() } else { read_intents(services, &text, &people, area.as_ref()).await };

    let mut named: Vec<String> = people.iter().flat_map(|name| words(name)).map(|word| word.folded).collect();
    if let Some(place) = place.as_ref().filter(|place| place.in_text) {
        named.extend(words(&place.outcome.name).into_iter().map(|word| word.folded));
    }
    let mut topic = Vec::new();
    let mut kinds = Vec::new();
    for word in words(&text) {
        let word = word.folded;
        if let Some(kind) = kind_named(&word) {
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
            continue;
        }
        if !asking.contains(&word) && !FUNCTION_WORDS.contains(&word.as_str()) && !named.contains(&word) && !topic.contains(&word)
        {
            topic.push(word);
        }
    }
    Augmented { text, topic, kinds, place: place.map(|place| place.outcome), area, people, intents, identifier }
}

/// The kind a word names, in singular or plural.
pub fn kind_named(word: &str) -> Option<Kind> {
    KIND_WORDS.iter().find(|(name, _)| *name == word).map(|(_, kind)| *kind)
}

/// What the text asks of the graph, and the words that ask it.
async fn read_intents(
    services: &Services,
    text: &str,
    people: &[String],
    area: Option<&AreaFilter>,
) -> (Vec<GraphIntent>, Vec<String>) {
    let Reading { mut choices, words } = intents::read(text, people);
    // everybody named is looked up
    for person in people.iter().filter(|person| choices.iter().all(|choice| choice.person != **person)).collect::<Vec<_>>() {
        for name in [IntentName::Authored, IntentName::Contributed] {
            choices.push(IntentChoice { person: person.clone(), ..IntentChoice::new(name) });
        }
    }
    let mut resolved = Vec::new();
    for choice in &choices {
        resolved.extend(resolve(services, choice, area).await);
    }
    let asking = if resolved.is_empty() { Vec::new() } else { words };
    (resolved, asking)
}

/// The question as a plan reads it: its own words read again where the plan rewrote them, with the place and the kinds that the rules
/// did not see.
pub async fn with_plan(services: &Services, query: &SearchQuery, by_rules: &Augmented, plan: &Plan) -> Augmented {
    let mut question = if query.q == by_rules.text { by_rules.clone() } else { augment(services, query).await };
    let place_is_open = question.area.is_none() && question.place.is_none() && !question.identifier;
    if place_is_open
        && !plan.place.is_empty()
        && let Some(place) = place::read_named(services, &plan.place, &question.text).await
    {
        question.area = place.area(query.relation);
        question.place = Some(place.outcome);
    }
    if let Some(choice) = &plan.graph {
        let intent = resolve(services, choice, question.area.as_ref()).await;
        question.intents.extend(intent.filter(|intent| !question.intents.contains(intent)));
    }
    for kind in plan.kinds.iter().copied().map(Kind::from) {
        if !question.kinds.contains(&kind) {
            question.kinds.push(kind);
        }
    }
    question
}

/// Whether the text is one DOI, or one word that is a product code.
fn is_identifier(text: &str) -> bool {
    let text = text.trim();
    let one_word = !text.is_empty() && !text.contains(char::is_whitespace);
    normalise_doi(text).is_some() || (one_word && !identifiers(text).is_empty())
}

/// The longest beginning of the text of at most `limit` bytes that ends at a word, where it has one.
fn cut_at_word(text: &str, limit: usize) -> &str {
    if text.len() <= limit {
        return text;
    }
    let end = text.floor_char_boundary(limit);
    let cut = text.get(..end).unwrap_or_default();
    cut.rsplit_once(char::is_whitespace).map_or(cut, |(before, _)| before)
}
