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
    /// A word beside the name that says what is meant, if it is not part of the name: `city` in `the city of Berlin`.
    pub kind: Option<&'static str>,
}

/// The readings of a name, the most literal first.
pub(super) fn readings(name: &str) -> Vec<Reading> {
    let name = name.trim().trim_end_matches(['?', '!', ';', ':', ',']);
    let mut readings = Vec::new();
    let mut push = |key: String, qualifiers: Vec<String>, kind: Option<&'static str>| {
        let reading = Reading { key, qualifiers, kind };
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
        push(key(plain), Vec::new(), None);
    }
    let first_key = key(first.strip_suffix("'s").or_else(|| first.strip_suffix("’s")).unwrap_or(first));
    for (spelling, kind) in spellings(&first_key) {
        if kind.is_some() {
            push(spelling.clone(), qualifiers.clone(), kind);
        }
        push(spelling, qualifiers.clone(), None);
    }
    readings
}

/// Words that are written in two ways within names.
const PAIRS: &[(&str, &str)] = &[("saint", "st"), ("sainte", "ste"), ("mount", "mt"), ("fort", "ft"), ("point", "pt")];

/// Whether two keys differ in nothing but words that are written in two ways.
pub(super) fn spelled_alike(a: &str, b: &str) -> bool {
    let short = |word| PAIRS.iter().find(|(long, _)| *long == word).map_or(word, |(_, short)| *short);
    a.split(' ').map(short).eq(b.split(' ').map(short))
}

/// Words that say what a place is without being part of its name, as in `city of Berlin` and `Gifu prefecture`.
const KINDS: &[&str] = &[
    "city",
    "town",
    "village",
    "state",
    "province",
    "prefecture",
    "governorate",
    "oblast",
    "republic",
    "kingdom",
    "country",
    "county",
    "region",
    "district",
    "area",
    "commonwealth",
];

/// The key itself, then with other spellings of its words, then without words of kind, which then say what kind is meant.
fn spellings(key: &str) -> Vec<(String, Option<&'static str>)> {
    let mut found = vec![(key.to_owned(), None)];
    for (long, short) in PAIRS {
        for (from, to) in [(long, short), (short, long)] {
            if key.split(' ').any(|word| word == *from) && key != *from {
                found.push((
                    key.split(' ').map(|word| if word == *from { *to } else { word }).collect::<Vec<_>>().join(" "),
                    None,
                ));
            }
        }
    }
    let bare = key.strip_prefix("the ").unwrap_or(key);
    if bare != key {
        found.push((bare.to_owned(), None));
    }
    for kind in KINDS {
        let before = bare.strip_prefix(kind).and_then(|rest| rest.strip_prefix(" of "));
        let after = bare.strip_suffix(kind).and_then(|rest| rest.strip_suffix(' '));
        found.extend(before.or(after).map(|name| (name.to_owned(), kinds_of(kind).map(|_| *kind))));
    }
    // Both orders of a lake's name are in use.
    if let Some(rest) = key.strip_prefix("lake ") {
        found.push((format!("{rest} lake"), None));
    } else if let Some(rest) = key.strip_suffix(" lake") {
        found.push((format!("lake {rest}"), None));
    }
    found
}

/// The kinds a qualifier such as `state` stands for.
pub(super) fn kinds_of(qualifier: &str) -> Option<&'static [&'static str]> {
    Some(match qualifier {
        "country" | "nation" | "republic" | "kingdom" => &["country"],
        "state" | "region" | "province" | "us state" | "u s state" | "territory" | "prefecture" | "governorate" | "oblast" => {
            &["region"]
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_folded() {
        let cases = [
            ("St. John's", "st johns"),
            ("  São  Paulo ", "sao paulo"),
            ("U.S.A.", "usa"),
            ("Haʻikū", "haiku"),
            ("Bosnia-Herzegovina", "bosnia herzegovina"),
            ("日本", "日本"),
            ("?!", ""),
        ];
        for (name, expected) in cases {
            assert_eq!(key(name), expected, "{name}");
        }
    }

    #[test]
    fn names_are_read_with_what_is_said_of_them() {
        let cases = [
            ("London, Ontario", ("london", vec!["ontario"])),
            ("London, ON, Canada", ("london", vec!["on", "canada"])),
            ("Georgia (country)", ("georgia", vec!["country"])),
            ("Florida's", ("florida", vec![])),
            ("Lake Victoria", ("victoria lake", vec![])),
            ("Saint Louis", ("st louis", vec![])),
        ];
        for (name, (key, qualifiers)) in cases {
            let readings = readings(name);
            assert!(
                readings.iter().any(|reading| reading.key == key && reading.qualifiers == qualifiers),
                "{name}: {readings:?}"
            );
        }
        assert_eq!(
            readings("Kansas City").first().map(|reading| reading.key.as_str()),
            Some("kansas city"),
            "the literal one first"
        );
    }
}
