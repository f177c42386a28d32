//! Place names within a text: the longest known runs of words.

use super::{
    data::{Data, Named, Naming},
    meaning::contains,
    names::key,
    ordinary::is_ordinary,
};

/// Words of the longest name that is looked for.
const MOST_WORDS: usize = 6;

/// A known name in a text.
#[derive(Clone, Debug)]
pub(super) struct Span {
    /// Byte offsets.
    pub start: usize,
    pub end: usize,
    pub key: String,
    pub named: Vec<Named>,
    /// The key of a region or country that follows after a comma and holds one of the meanings: `Ontario` in `London, Ontario`.
    pub qualifier: Option<String>,
    /// Where the qualifier ends; `end` without one.
    pub qualified_end: usize,
    pub written: Written,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    Capitalised,
    LowerCase,
    /// A script without capitals.
    Caseless,
}

struct Token<'a> {
    start: usize,
    end: usize,
    text: &'a str,
    key: String,
    /// Part of an identifier, a path or an address.
    in_identifier: bool,
}

impl Token<'_> {
    fn is_capitalised(&self) -> bool {
        self.text.chars().find(|letter| letter.is_alphabetic()).is_some_and(char::is_uppercase)
    }

    fn is_caseless(&self) -> bool {
        self.text.chars().all(|letter| !letter.is_uppercase() && !letter.is_lowercase())
    }

    /// All capitals, or letters with dots: `US`, `U.S`.
    fn is_acronym(&self) -> bool {
        self.text.chars().any(char::is_alphabetic) && !self.text.chars().any(char::is_lowercase)
    }
}

/// Words that belong to a name although they are written small: they join words, or say what kind of place it is.
const JOINING: &[&str] = &[
    "of",
    "the",
    "and",
    "de",
    "la",
    "del",
    "da",
    "do",
    "dos",
    "das",
    "du",
    "des",
    "di",
    "el",
    "al",
    "le",
    "les",
    "los",
    "las",
    "y",
    "e",
    "en",
    "sur",
    "am",
    "an",
    "der",
    "upon",
    "lake",
    "sea",
    "gulf",
    "bay",
    "river",
    "island",
    "islands",
    "basin",
    "desert",
    "mountains",
    "ocean",
    "county",
    "parish",
    "strait",
    "peninsula",
    "valley",
    "delta",
    "plateau",
    "coast",
    "range",
    "cape",
];

/// Known names in order, not overlapping, the longest from each place on.
pub(super) fn spans(data: &Data, text: &str) -> Vec<Span> {
    let tokens = tokens(text);
    let mut spans: Vec<Span> = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if token.is_caseless() && !token.in_identifier {
            spans.extend(caseless_spans(data, token));
            at += 1;
            continue;
        }
        let longest = MOST_WORDS.min(tokens.len() - at);
        let found = (1..=longest).rev().find_map(|words| {
            let run = tokens.get(at..at + words)?;
            span_of(data, text, run).map(|span| (words, span))
        });
        match found {
            Some((words, span)) => {
                spans.push(span);
                at += words;
            }
            None => at += 1,
        }
    }
    qualify(data, text, &mut spans);
    spans
}

fn span_of(data: &Data, text: &str, run: &[Token]) -> Option<Span> {
    let (first, last) = (run.first()?, run.last()?);
    if run.iter().any(|token| token.in_identifier || token.is_caseless()) || !joined(text, run) {
        return None;
    }
    let joins = |token: &Token| JOINING.contains(&token.key.as_str());
    let capitalised = run.iter().all(|token| token.is_capitalised() || joins(token))
        && run.iter().any(|token| token.is_capitalised() && !joins(token));
    let lower = run.iter().all(|token| !token.is_capitalised());
    if !capitalised && !lower {
        return None;
    }
    let joined_key = run.iter().map(|token| token.key.as_str()).collect::<Vec<_>>().join(" ");
    let (key, named) = look_up(data, joined_key)?;
    let short = key.len() <= 2 || named.iter().all(|named| named.naming == Naming::ShortName && abbreviates(data, *named, &key));
    if run.len() == 1 && short {
        let after_comma = text.get(..first.start).is_some_and(|before| before.ends_with(", "));
        let is_country = named.iter().any(|named| data.kind(named.place) == "country" && named.naming == Naming::OtherName);
        if !(first.is_acronym() && is_country && key != "in" || capitalised && after_comma) {
            return None;
        }
    }
    let written = if capitalised { Written::Capitalised } else { Written::LowerCase };
    // The last dot of `U.S.` is part of the name.
    let dot = usize::from(last.text.contains('.') && text.get(last.end..).is_some_and(|rest| rest.starts_with('.')));
    let end = last.end + dot;
    Some(Span { start: first.start, end, key, named, qualifier: None, qualified_end: end, written })
}

/// `St Louis` is also looked up as `Saint Louis`, and the other way round.
fn look_up(data: &Data, key: String) -> Option<(String, Vec<Named>)> {
    let named = data.named(&key);
    if !named.is_empty() {
        return Some((key, named));
    }
    let (first, rest) = key.split_once(' ')?;
    let other = match first {
        "st" => "saint",
        "saint" => "st",
        "mt" => "mount",
        "mount" => "mt",
        "ft" => "fort",
        "fort" => "ft",
        _ => return None,
    };
    let key = format!("{other} {rest}");
    let named = data.named(&key);
    (!named.is_empty()).then_some((key, named))
}

fn abbreviates(data: &Data, named: Named, key: &str) -> bool {
    matches!(data.kind(named.place), "region" | "country") && key.len() < 6 && key.len() < data.name(named.place).len()
}

/// Only a space or hyphen between the words, or a dot after an abbreviation such as `St.`
fn joined(text: &str, run: &[Token]) -> bool {
    run.windows(2).all(|pair| match pair {
        [a, b] => match text.get(a.end..b.start) {
            Some(" " | "-" | "–" | "\u{a0}") => true,
            Some(". ") => matches!(a.key.as_str(), "st" | "ste" | "mt" | "ft" | "pt" | "n" | "s" | "e" | "w"),
            _ => false,
        },
        _ => true,
    })
}

/// Longest names within a run of letters without case and spaces, such as Chinese or Japanese.
fn caseless_spans(data: &Data, token: &Token) -> Vec<Span> {
    let letters: Vec<(usize, char)> = token.text.char_indices().collect();
    let mut spans = Vec::new();
    let mut at = 0;
    while at < letters.len() {
        let longest = (letters.len() - at).min(16);
        let found = (2..=longest).rev().find_map(|length| {
            let start = letters.get(at)?.0;
            let end = letters.get(at + length).map_or(token.text.len(), |(end, _)| *end);
            let key = key(token.text.get(start..end)?);
            let named = data.named(&key);
            (!named.is_empty()).then_some((length, start, end, key, named))
        });
        match found {
            Some((length, start, end, key, named)) => {
                let (start, end) = (token.start + start, token.start + end);
                spans.push(Span { start, end, key, named, qualifier: None, qualified_end: end, written: Written::Caseless });
                at += length;
            }
            None => at += 1,
        }
    }
    spans
}

/// Joins `London` and `Ontario` in `London, Ontario` where the second holds a meaning of the first; both spans stay.
fn qualify(data: &Data, text: &str, spans: &mut [Span]) {
    for at in 1..spans.len() {
        let Some((before, [next, ..])) = spans.split_at_mut_checked(at) else { continue };
        let Some(span) = before.last_mut() else { continue };
        let gap = text.get(span.end..next.start);
        let fits = gap == Some(", ") || gap.is_some_and(|gap| gap == " (") || (gap == Some(" ") && next.key.len() == 2);
        // `Russia, US` is a list, although a village in Ohio is called Russia.
        let countries =
            |span: &Span| span.named.iter().any(|named| data.kind(named.place) == "country" && named.naming <= Naming::OtherName);
        if countries(span) && countries(next) {
            continue;
        }
        let holds =
            |span: &Span| span.named.iter().any(|inner| next.named.iter().any(|outer| contains(data, outer.place, inner.place)));
        if fits && span.key != next.key && holds(span) {
            span.qualifier = Some(next.key.clone());
            span.qualified_end = next.end;
        }
    }
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut start = None;
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let next = letters.peek().map(|(_, next)| *next);
        let part = is_letter(letter)
            || (start.is_some()
                && matches!(letter, '.' | '\'' | '’' | 'ʻ' | '_')
                && next.is_some_and(is_letter)
                && !possessive(text, at, letter));
        if part {
            start.get_or_insert(at);
        } else if let Some(start) = start.take() {
            push_token(&mut tokens, text, start, at);
        }
    }
    if let Some(start) = start {
        push_token(&mut tokens, text, start, text.len());
    }
    tokens
}

fn is_letter(letter: char) -> bool {
    letter.is_alphanumeric() || unicode_normalization::char::is_combining_mark(letter)
}

fn possessive(text: &str, at: usize, letter: char) -> bool {
    let after = text.get(at + letter.len_utf8()..).unwrap_or_default();
    letter != '.' && after.starts_with(['s', 'S']) && !after.chars().nth(1).is_some_and(is_letter)
}

fn push_token<'a>(tokens: &mut Vec<Token<'a>>, text: &'a str, start: usize, end: usize) {
    let Some(word) = text.get(start..end) else { return };
    let before = text.get(..start).and_then(|before| before.chars().next_back());
    let after = text.get(end..).and_then(|after| after.chars().next());
    let digits_in_word = word.chars().any(|letter| letter.is_ascii_digit());
    let file_or_address = word.contains('.') && word.split('.').any(|part| part.chars().count() > 2);
    let in_identifier = digits_in_word
        || word.contains('_')
        || file_or_address
        || before.is_some_and(|letter| matches!(letter, '/' | '_' | '@' | '#' | '\\' | ':' | '='))
        || after.is_some_and(|letter| matches!(letter, '/' | '_' | '@' | '\\' | '='));
    tokens.push(Token { start, end, text: word, key: key(word), in_identifier });
}

/// Whether a name stands for a place beyond doubt, so that a person need not be asked: what a text merely happens to contain, such
/// as a village called Most, does not.
pub(super) fn is_certain(data: &Data, span: &Span) -> bool {
    if span.qualifier.is_some() && span.written == Written::Capitalised {
        return true;
    }
    let several_words = span.key.contains(' ');
    if is_ordinary(&span.key) {
        return false;
    }
    span.named.iter().filter(|named| named.naming != Naming::Demonym).any(|named| {
        let population = data.population(named.place);
        let own_name = named.naming <= Naming::OtherName;
        match (data.kind(named.place), span.written) {
            ("country" | "continent" | "ocean", Written::LowerCase) => own_name && span.key.len() > 2,
            ("country" | "continent" | "ocean", _) => own_name,
            ("city", Written::LowerCase) => named.naming == Naming::Name && population >= 500_000 && span.key.len() > 3,
            ("city", _) => own_name && population >= if named.naming == Naming::Name { 15_000 } else { 100_000 },
            ("county", _) => own_name && several_words,
            ("region", Written::LowerCase) => named.naming == Naming::Name && population >= 1_000_000 && span.key.len() > 3,
            ("region" | "district", _) => own_name && population >= 50_000,
            (_, Written::LowerCase) => {
                own_name && (several_words || data.area_box(named.place).is_some_and(|bbox| bbox.area() > 0.005))
            }
            _ => own_name || several_words || data.area_box(named.place).is_some_and(|bbox| bbox.area() > 0.02),
        }
    })
}
