//! What a text as a whole says about where it is: its place names choose among each other's meanings.

use std::collections::HashSet;

use super::{
    data::{Data, PlaceIndex},
    meaning::{contains, distance_km, importance},
    ordinary::is_ordinary,
    scan::{Span, spans},
};

/// Names of a text that take part, and meanings of each: bounds the work on long texts.
const MOST_NAMES: usize = 48;
const MOST_MEANINGS: usize = 14;
/// Rounds in which the names choose among each other's meanings.
const ROUNDS: usize = 3;
/// How sharply importance turns into likelihood: a tenth as important is e^(1/0.55) ≈ 6 times less likely.
const SHARPNESS: f64 = 0.55;
/// What support weighs against importance.
const SUPPORT: f64 = 1.4;
/// Where closeness has fallen to a half.
const NEAR_KM: f64 = 75.0;
/// Where a name's pull has fallen to a half, in bytes of text.
const NEAR_BYTES: f64 = 600.0;

/// The names of a text with what each most likely means.
pub(super) struct Context {
    names: Vec<Name>,
}

struct Name {
    key: String,
    at: Vec<usize>,
    /// A region or country that follows it after a comma somewhere.
    qualifiers: Vec<String>,
    meanings: Vec<Meaning>,
}

#[derive(Clone, Copy)]
struct Meaning {
    place: PlaceIndex,
    importance: f64,
    likelihood: f64,
}

/// How much a text speaks for a meaning, and the place in it that does most.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Support {
    pub weight: f64,
    pub from: Option<PlaceIndex>,
}

impl Context {
    pub fn of(data: &Data, text: &str) -> Self {
        let mut names: Vec<Name> = Vec::new();
        // A word that is ordinary in the language or in this text says nothing about where the text is, even with a capital.
        let words: HashSet<&str> = text.split(|letter: char| !letter.is_alphanumeric()).collect();
        let telling = |span: &Span| {
            span.qualifier.is_some() || span.key.contains(' ') || !(is_ordinary(&span.key) || words.contains(span.key.as_str()))
        };
        for span in spans(data, text).into_iter().filter(telling) {
            if let Some(name) = names.iter_mut().find(|name| name.key == span.key) {
                name.at.push(span.start);
                name.qualifiers.extend(span.qualifier);
            } else if names.len() < MOST_NAMES {
                names.push(Name::new(data, span));
            }
        }
        for name in &mut names {
            name.heed_qualifiers(data);
        }
        let mut context = Self { names };
        context.settle(data);
        context
    }

    fn settle(&mut self, data: &Data) {
        self.names.iter_mut().for_each(Name::weigh_alone);
        for _ in 0..ROUNDS {
            let scores: Vec<Vec<f64>> = self
                .names
                .iter()
                .map(|name| {
                    let score = |meaning: &Meaning| {
                        meaning.importance + self.support(data, meaning.place, |key| key == name.key, &name.at).weight
                    };
                    name.meanings.iter().map(score).collect()
                })
                .collect();
            for (name, scores) in self.names.iter_mut().zip(scores) {
                name.weigh(&scores);
            }
        }
    }

    /// What the other names of the text say for this meaning of the name (whatever its spellings) at these offsets.
    pub fn support(&self, data: &Data, place: PlaceIndex, own_key: impl Fn(&str) -> bool, at: &[usize]) -> Support {
        let mut sum = 0.0;
        let mut strongest = (0.0, None);
        for other in self.names.iter().filter(|other| !own_key(&other.key)) {
            let pull = other.pull_on(at);
            for meaning in &other.meanings {
                if meaning.place == place || meaning.likelihood < 0.02 {
                    continue;
                }
                let weight = pull * meaning.likelihood * affinity(data, place, meaning.place);
                sum += weight;
                if weight > strongest.0 {
                    strongest = (weight, Some(meaning.place));
                }
            }
        }
        Support { weight: SUPPORT * (1.0 + 2.0 * sum).ln(), from: strongest.1.filter(|_| strongest.0 > 0.1) }
    }

    /// Where the text has the name.
    pub fn offsets(&self, key: &str) -> &[usize] {
        self.names.iter().find(|name| name.key == key).map_or(&[], |name| name.at.as_slice())
    }

    /// What the text itself adds to the name: `Ontario` to `London`.
    pub fn qualifiers(&self, key: &str) -> &[String] {
        self.names.iter().find(|name| name.key == key).map_or(&[], |name| name.qualifiers.as_slice())
    }
}

impl Name {
    fn new(data: &Data, span: Span) -> Self {
        let mut meanings: Vec<Meaning> = span
            .named
            .iter()
            .map(|named| Meaning { place: named.place, importance: importance(data, named.place, named.naming), likelihood: 0.0 })
            .collect();
        meanings.sort_by(|a, b| b.importance.total_cmp(&a.importance).then(a.place.cmp(&b.place)));
        if span.qualifier.is_none() {
            meanings.truncate(MOST_MEANINGS * 3);
        }
        Self { key: span.key, at: vec![span.start], qualifiers: span.qualifier.into_iter().collect(), meanings }
    }

    fn heed_qualifiers(&mut self, data: &Data) {
        let within = |place: PlaceIndex| {
            self.qualifiers.iter().any(|qualifier| data.named(qualifier).iter().any(|outer| contains(data, outer.place, place)))
        };
        let fitting: Vec<Meaning> = self.meanings.iter().copied().filter(|meaning| within(meaning.place)).collect();
        if !fitting.is_empty() {
            self.meanings = fitting;
        }
        self.meanings.truncate(MOST_MEANINGS);
    }

    fn weigh_alone(&mut self) {
        let scores: Vec<f64> = self.meanings.iter().map(|meaning| meaning.importance).collect();
        self.weigh(&scores);
    }

    /// Likelihoods that sum to less than one: a name nobody knows well may well not be a place at all.
    fn weigh(&mut self, scores: &[f64]) {
        /// Importance at which a name is as likely no place.
        const DOUBT: f64 = 3.0;
        let best = scores.iter().copied().fold(DOUBT, f64::max);
        let share = |score: f64| ((score - best) / SHARPNESS).exp();
        let sum: f64 = scores.iter().map(|score| share(*score)).sum::<f64>() + share(DOUBT);
        for (meaning, score) in self.meanings.iter_mut().zip(scores) {
            meaning.likelihood = share(*score) / sum;
        }
    }

    /// Frequent and close names pull more.
    fn pull_on(&self, at: &[usize]) -> f64 {
        let apart = self.at.iter().flat_map(|here| at.iter().map(|there| here.abs_diff(*there))).min();
        let closeness = apart.map_or(0.5, |apart| 0.3 + 0.7 / (1.0 + apart as f64 / NEAR_BYTES));
        closeness * (1.0 + (self.at.len() as f64).ln() * 0.5)
    }
}

/// How much one place speaks for another, 0 to about 1.
fn affinity(data: &Data, place: PlaceIndex, other: PlaceIndex) -> f64 {
    if contains(data, other, place) || contains(data, place, other) {
        let country = data.kind(other) == "country" || data.kind(place) == "country";
        return if country { 0.35 } else { 1.0 };
    }
    let points = |kind: &str| matches!(kind, "city" | "county");
    let mut affinity: f64 = 0.0;
    if !data.country(place).is_empty() && data.country(place) == data.country(other) {
        affinity = 0.12;
        if data.region(place).is_some() && data.region(place) == data.region(other) {
            affinity = 0.55;
        }
    }
    let apart = distance_km(data.at(place), data.at(other));
    let reach = if points(data.kind(place)) && points(data.kind(other)) { NEAR_KM } else { 4.0 * NEAR_KM };
    affinity.max(1.0 / (1.0 + (apart / reach).powi(2)))
}
