//! Names as they are asked: folding, other spellings, qualifiers.

use crate::text::fold::fold;

/// What a name is looked up by: without case, accents, dots and apostrophes, other punctuation a space.
/// `scripts/gazetteer.py` does the same.
pub(super) fn key(name: &str) -> String {
    let mut key = String::with_capacity(name.len());
    for letter in fold(name).chars() {
        match letter {
            '.' | '\'' | '’' | '‘' | 'ʻ' | 'ʼ' | '`' | '´' => {}
            letter if letter.is_alphanumeric() => key.push(letter),
            _ if key.ends_with(' ') || key.is_empty() => {}
            _ => key.push(' '),
        }
    }
    key.truncate(key.trim_end().len());
    key
}

/// One way to read what was asked: a name, and what is said about which of its meanings is meant.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Reading {
    pub key: String,
    /// From the nearest outwards, folded: `ontario`, `canada`, or a kind such as `country`.
    pub qualifiers: Vec<String>,
}

/// The readings of a name, the most literal first.
pub(super) fn readings(name: &str) -> Vec<Reading> {
    let name = name.trim().trim_end_matches(['?', '!', ';', ':', ',']);
    let mut readings = Vec::new();
    let mut push = |key: String, qualifiers: Vec<String>| {
        let reading = Reading { key, qualifiers };
        if !reading.key.is_empty() && !readings.contains(&reading) {
            readings.push(reading);
        }
    };
    let (plain, bracketed) = match name.strip_suffix(')').and_then(|rest| rest.rsplit_once('(')) {
        Some((plain, inside)) => (plain.trim(), Some(key(inside))),
        None => (name, None),
    };
    let mut parts = plain.split(',').map(str::trim).filter(|part| !part.is_empty());
    let first = parts.next().unwrap_or_default();
    let mut qualifiers: Vec<String> = parts.map(key).collect();
    qualifiers.extend(bracketed);
    if qualifiers.is_empty() || plain.contains(',') {
        push(key(plain), Vec::new());
    }
    let first_key = key(first.strip_suffix("'s").or_else(|| first.strip_suffix("’s")).unwrap_or(first));
    for spelling in spellings(&first_key) {
        push(spelling, qualifiers.clone());
    }
    readings
}

/// Words that are written in two ways within names.
const PAIRS: &[(&str, &str)] = &[("saint", "st"), ("sainte", "ste"), ("mount", "mt"), ("fort", "ft"), ("point", "pt")];

/// Words before or after a name that say what it is without being part of it.
const LEADING: &[&str] = &[
    "the ",
    "city of ",
    "town of ",
    "village of ",
    "state of ",
    "province of ",
    "republic of ",
    "kingdom of ",
    "commonwealth of ",
    "country of ",
    "county of ",
    "region of ",
];
const TRAILING: &[&str] = &[
    " city",
    " state",
    " province",
    " region",
    " area",
    " country",
    " town",
    " village",
    " metropolitan area",
    " prefecture",
    " governorate",
    " oblast",
];

/// The key itself, then with other spellings of its words, then without words of kind.
fn spellings(key: &str) -> Vec<String> {
    let mut found = vec![key.to_owned()];
    for (long, short) in PAIRS {
        for (from, to) in [(long, short), (short, long)] {
            if key.split(' ').any(|word| word == *from) && key != *from {
                found.push(key.split(' ').map(|word| if word == *from { *to } else { word }).collect::<Vec<_>>().join(" "));
            }
        }
    }
    let mut rest = key;
    while let Some(shorter) = LEADING.iter().find_map(|words| rest.strip_prefix(words)) {
        found.push(shorter.to_owned());
        rest = shorter;
    }
    found.extend(TRAILING.iter().filter_map(|words| rest.strip_suffix(words)).map(str::to_owned));
    // Both orders of a lake's name are in use.
    if let Some(rest) = key.strip_prefix("lake ") {
        found.push(format!("{rest} lake"));
    } else if let Some(rest) = key.strip_suffix(" lake") {
        found.push(format!("lake {rest}"));
    }
    found
}

/// The kinds a qualifier such as `state` stands for.
pub(super) fn kinds_of(qualifier: &str) -> Option<&'static [&'static str]> {
    Some(match qualifier {
        "country" | "nation" | "republic" => &["country"],
        "state" | "region" | "province" | "us state" | "u s state" | "territory" | "prefecture" => &["region"],
        "district" => &["district", "region"],
        "county" | "parish" => &["county", "district"],
        "city" | "town" | "village" | "capital" => &["city"],
        "river" => &["river"],
        "lake" => &["lake"],
        "sea" => &["sea"],
        "ocean" => &["ocean"],
        "island" | "islands" | "archipelago" => &["island", "island group"],
        "mountain" | "mountains" | "range" => &["mountains"],
        "desert" => &["desert"],
        "basin" => &["basin"],
        "continent" => &["continent"],
        "gulf" | "bay" => &["gulf", "bay"],
        "peninsula" => &["peninsula"],
        _ => return None,
    })
}
