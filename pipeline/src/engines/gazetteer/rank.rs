//! The meanings of a name in order, each with its reason.

use super::{
    context::{Context, Support},
    data::{Data, Naming, PlaceIndex},
    meaning::{contains, importance, known_population, label},
    names::{Reading, kinds_of, spelled_alike},
};

pub(super) struct Candidate {
    pub place: PlaceIndex,
    pub because: String,
}

struct Scored {
    place: PlaceIndex,
    naming: Naming,
    score: f64,
    qualified_by: Option<String>,
    country_hinted: bool,
    support: Support,
}

/// What a qualifier that fits is worth: more than any difference in importance.
const QUALIFIED: f64 = 20.0;
/// What one the text has somewhere is worth: nearly as much.
const QUALIFIED_IN_TEXT: f64 = 5.0;
const COUNTRY_HINT: f64 = 1.5;
/// What a word of kind within the name is worth where the kind fits, as in `Mexico City`, which is a region too.
const NAMED_KIND: f64 = 2.0;
/// What each step away from the literal reading costs.
const LESS_LITERAL: f64 = 1.5;

/// Best first. A qualifier that no meaning fits is an unknown place, not another place of the name.
pub(super) fn ranked(data: &Data, readings: &[Reading], context: &Context, countries: &[String], limit: usize) -> Vec<Candidate> {
    let mut scored: Vec<Scored> = Vec::new();
    for (step, reading) in readings.iter().enumerate() {
        for candidate in scored_by(data, reading, readings, context, countries) {
            let literal = readings.first().is_some_and(|first| spelled_alike(&first.key, &reading.key));
            let score = candidate.score - if literal { 0.0 } else { LESS_LITERAL * step as f64 };
            match scored.iter_mut().find(|known| known.place == candidate.place) {
                Some(known) if known.score >= score => {}
                Some(known) => *known = Scored { score, ..candidate },
                None => scored.push(Scored { score, ..candidate }),
            }
        }
    }
    scored.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.place.cmp(&b.place)));
    let meanings = scored.len();
    let because =
        |(rank, scored): (usize, &Scored)| Candidate { place: scored.place, because: reason(data, scored, rank, meanings) };
    scored.iter().take(limit).enumerate().map(because).collect()
}

fn scored_by(data: &Data, reading: &Reading, readings: &[Reading], context: &Context, countries: &[String]) -> Vec<Scored> {
    let own_key = |key: &str| readings.iter().any(|reading| reading.key == key);
    let offsets = context.offsets(&reading.key);
    let in_text = context.qualifiers(&reading.key);
    let score = |named: super::data::Named| {
        let qualified_by = qualifier_of(data, named.place, &reading.qualifiers);
        let another_kind = reading.kind.and_then(kinds_of).is_some_and(|kinds| !kinds.contains(&data.kind(named.place)));
        if another_kind || (!reading.qualifiers.is_empty() && qualified_by.is_none()) {
            return None;
        }
        let said_in_text = in_text.iter().find(|qualifier| holds(data, qualifier, named.place));
        let support = context.support(data, named.place, own_key, offsets);
        let country_hinted = countries.iter().any(|iso| iso == data.country(named.place));
        let mut score = importance(data, named.place, named.naming) + support.weight;
        score += if qualified_by.is_some() { QUALIFIED } else { 0.0 };
        score += if said_in_text.is_some() { QUALIFIED_IN_TEXT } else { 0.0 };
        score += if country_hinted { COUNTRY_HINT } else { 0.0 };
        let last_word = reading.key.rsplit(' ').next().filter(|word| word.len() < reading.key.len());
        let named_kind = last_word.and_then(kinds_of).is_some_and(|kinds| kinds.contains(&data.kind(named.place)));
        score += if named_kind { NAMED_KIND } else { 0.0 };
        let qualified_by = qualified_by.or_else(|| said_in_text.and_then(|qualifier| shown(data, qualifier, named.place)));
        Some(Scored { place: named.place, naming: named.naming, score, qualified_by, country_hinted, support })
    };
    data.named(&reading.key).into_iter().filter_map(score).collect()
}

/// In words, when every qualifier fits: kinds, or regions and countries around the place.
fn qualifier_of(data: &Data, place: PlaceIndex, qualifiers: &[String]) -> Option<String> {
    let mut words = None;
    for qualifier in qualifiers {
        let is_kind = kinds_of(qualifier).is_some_and(|kinds| kinds.contains(&data.kind(place)));
        let around = shown(data, qualifier, place);
        if !is_kind && around.is_none() {
            return None;
        }
        words = words.or(around).or_else(|| is_kind.then(|| format!("the {qualifier}")));
    }
    words
}

fn holds(data: &Data, qualifier: &str, place: PlaceIndex) -> bool {
    data.named(qualifier).iter().any(|outer| contains(data, outer.place, place))
}

/// The name of the place around it that the qualifier means.
fn shown(data: &Data, qualifier: &str, place: PlaceIndex) -> Option<String> {
    let around = data.named(qualifier).into_iter().find(|outer| contains(data, outer.place, place))?;
    Some(data.name(around.place).to_owned())
}

fn reason(data: &Data, scored: &Scored, rank: usize, meanings: usize) -> String {
    let kind = data.kind(scored.place);
    let article = match kind {
        "mountains" => "",
        kind if kind.starts_with(['a', 'i', 'o']) => "an ",
        _ => "a ",
    };
    let people = known_population(data, scored.place).map(|people| format!(" of {}", people_in_words(people)));
    let mut parts = vec![format!("{article}{kind}{}", people.unwrap_or_default())];
    match scored.naming {
        Naming::Name | Naming::OtherName => {}
        Naming::ShortName => parts.push("by its short name".to_owned()),
        Naming::Demonym => parts.push("by what its people are called".to_owned()),
    }
    if let Some(qualifier) = &scored.qualified_by {
        parts.push(format!("named with {qualifier}"));
    }
    if let Some(from) = scored.support.from {
        parts.push(format!("fits {}, which the text names too", label(data, from)));
    }
    if scored.country_hinted {
        parts.push("in a country that was hinted at".to_owned());
    }
    if meanings == 1 {
        parts.push("the only place of this name known".to_owned());
    } else if rank == 0 {
        parts.push(format!("likeliest of {meanings}"));
    }
    parts.join("; ")
}

fn people_in_words(people: u32) -> String {
    match people {
        0..1_000 => format!("{people} people"),
        1_000..1_000_000 => format!("{} thousand people", people / 1_000),
        1_000_000..1_000_000_000 => format!("{:.1} million people", f64::from(people) / 1e6),
        _ => format!("{:.2} billion people", f64::from(people) / 1e9),
    }
}
