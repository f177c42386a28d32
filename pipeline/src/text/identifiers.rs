//! DOIs and product codes in any dress.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use super::{fold::fold, words::is_unspaced};

/// A code found in a text, with its byte range: a product (`MOD13Q1.061`), a path (`MODIS/061/MOD13Q1`), a file name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identifier {
    pub start: usize,
    pub end: usize,
    /// See [`normalise_identifier`].
    pub normalised: String,
}

/// A DOI found in a text, with the byte range of what was written, resolver or `doi:` not included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundDoi {
    pub start: usize,
    pub end: usize,
    pub doi: String,
}

/// The longest thing that is still taken for a code.
const MAX_IDENTIFIER_BYTES: usize = 200;
/// Parts a run within a code has at most.
const MOST_PARTS: usize = 3;

/// The DOI a text consists of, whatever its dress: `doi:`, a resolver's address, percent encoding, quotes or brackets around
/// it, a dot or comma after it. Lower case, since DOIs are compared without case. `None` when the text is anything else.
pub fn normalise_doi(text: &str) -> Option<String> {
    let bare = text.trim().trim_start_matches(is_opening).trim_start();
    let decoded = decode(bare);
    let lower = decoded.to_lowercase();
    let start = prefix_start(&lower)?;
    let before = lower.get(..start)?;
    let is_address = before.starts_with("http://") || before.starts_with("https://") || before.contains("doi.org/");
    let is_label =
        ["", "doi", "urn:doi", "info:doi/", "info:doi", "doi.org/"].contains(&before.trim_end_matches([':', ' ', '=']));
    let is_resolver = is_address && (before.contains("doi") || before.ends_with('/'));
    if !is_label && (!is_resolver || before.contains(char::is_whitespace)) {
        return None;
    }
    let mut doi = lower.get(start..)?;
    if is_address {
        doi = doi.split(['?', '#']).next().unwrap_or(doi);
    }
    let doi = trim_end(doi);
    (!doi.contains(char::is_whitespace) && has_suffix(doi)).then(|| doi.to_owned())
}

/// All DOIs within a text, in order.
pub fn find_dois(text: &str) -> Vec<FoundDoi> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(rest) = text.get(from..) {
        let Some(offset) = prefix_start(rest) else { break };
        let start = from + offset;
        let written = text.get(start..).unwrap_or_default();
        let stop = |letter: char| {
            letter.is_whitespace() || matches!(letter, '"' | '<' | '>' | '“' | '”' | '«' | '»' | '{' | '}' | '|' | '`' | '\\')
        };
        let length = written.find(stop).unwrap_or(written.len());
        let mut run = written.get(..length).unwrap_or_default();
        if let Some(at) = run.find("](") {
            // [10.5067/x](https://doi.org/10.5067/x) in Markdown
            run = run.get(..at).unwrap_or_default();
        }
        let run = trim_end(run);
        let doi = decode(run).to_lowercase();
        if has_suffix(&doi) {
            found.push(FoundDoi { start, end: start + run.len(), doi });
        }
        from = start + run.len().max(3);
    }
    found
}

/// The codes within a text, in order: runs without spaces that mix letters and digits, or join parts by `_`, or look like a file
/// name. Plain words with hyphens are not codes, nor are numbers and dates.
pub fn identifiers(text: &str) -> Vec<Identifier> {
    let mut found = Vec::new();
    let mut run_start = None;
    let ends = text.char_indices().map(|(at, letter)| (at, Some(letter))).chain([(text.len(), None)]);
    for (at, letter) in ends {
        let continues = letter.is_some_and(|letter| (letter.is_alphanumeric() && !is_unspaced(letter)) || is_joint(letter));
        match run_start {
            None if continues => run_start = Some(at),
            Some(start) if !continues => {
                found.extend(identifier_in(text, start, at));
                run_start = None;
            }
            _ => {}
        }
    }
    found
}

/// A code without case, accents and punctuation, so that `MOD13Q1.061`, `mod13q1-061` and `MOD13Q1 061` are the same.
pub fn normalise_identifier(code: &str) -> String {
    let mut folded = fold(code);
    folded.retain(char::is_alphanumeric);
    folded
}

/// The codes within a code, normalised: what mixes letters and digits among its runs of up to three parts, such as
/// `mod13q1` in `MODIS/061/MOD13Q1` and `sentinel2` in `sentinel-2-l2a`. The whole is among them where it is short enough.
pub fn partial_codes(code: &str) -> Vec<String> {
    let parts: Vec<&str> = code.split(|letter: char| !letter.is_alphanumeric()).filter(|part| !part.is_empty()).collect();
    let runs = (1..=MOST_PARTS).flat_map(|length| parts.windows(length)).map(|run| fold(&run.concat()));
    runs.filter(|run| run.contains(char::is_alphabetic) && run.contains(|letter: char| letter.is_ascii_digit())).collect()
}

fn identifier_in(text: &str, start: usize, end: usize) -> Option<Identifier> {
    let run = text.get(start..end)?;
    let trimmed_start = run.trim_start_matches(|letter: char| !letter.is_alphanumeric());
    let start = start + run.len() - trimmed_start.len();
    let code = trimmed_start.trim_end_matches(|letter: char| !letter.is_alphanumeric());
    if code.len() > MAX_IDENTIFIER_BYTES || !looks_like_code(code) {
        return None;
    }
    Some(Identifier { start, end: start + code.len(), normalised: normalise_identifier(code) })
}

fn looks_like_code(code: &str) -> bool {
    let has_letter = code.chars().any(char::is_alphabetic);
    let has_digit = code.chars().any(|letter| letter.is_ascii_digit());
    if !has_letter {
        return false;
    }
    let is_file_name = code.contains('.') && code.split('.').all(|part| part.chars().count() >= 2);
    has_digit || code.contains('_') || is_file_name
}

fn is_joint(letter: char) -> bool {
    matches!(letter, '-' | '_' | '.' | '/' | ':' | '+' | '~' | '@' | '\u{2010}' | '\u{2011}')
}

/// Where `10.` with a registrant of four to nine digits and a slash begins.
fn prefix_start(text: &str) -> Option<usize> {
    text.match_indices("10.").map(|(at, _)| at).find(|at| {
        let before = text.get(..*at).and_then(|head| head.chars().next_back());
        if before.is_some_and(|letter| letter.is_alphanumeric() || letter == '.') {
            return false;
        }
        let registrant = text.get(at + 3..).unwrap_or_default();
        let digits = registrant.bytes().take_while(u8::is_ascii_digit).count();
        let rest = registrant.get(digits..).unwrap_or_default();
        let subdivision = rest.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'.').count();
        let separator = rest.get(subdivision..).unwrap_or_default();
        (4..=9).contains(&digits)
            && (separator.starts_with('/') || separator.get(..3).is_some_and(|code| code.eq_ignore_ascii_case("%2f")))
    })
}

fn decode(text: &str) -> Cow<'_, str> {
    if text.contains('%') { percent_decode_str(text).decode_utf8().unwrap_or(Cow::Borrowed(text)) } else { Cow::Borrowed(text) }
}

fn has_suffix(doi: &str) -> bool {
    doi.split_once('/').is_some_and(|(_, suffix)| suffix.contains(char::is_alphanumeric))
}

/// Without the punctuation of the sentence around it and without brackets that close nothing.
fn trim_end(doi: &str) -> &str {
    let mut doi = doi.trim_end();
    while let Some(last) = doi.chars().next_back() {
        let opening = match last {
            ')' => '(',
            ']' => '[',
            '}' => '{',
            '>' => '<',
            '.' | ',' | ';' | ':' | '!' | '?' | '"' | '\'' | '’' | '”' | '»' | '*' | '`' | '…' => {
                doi = without_last(doi, last);
                continue;
            }
            _ => break,
        };
        let count = |bracket: char| doi.chars().filter(|letter| *letter == bracket).count();
        if count(last) <= count(opening) {
            break;
        }
        doi = without_last(doi, last);
    }
    doi
}

fn without_last(text: &str, last: char) -> &str {
    text.get(..text.len() - last.len_utf8()).unwrap_or_default()
}

fn is_opening(letter: char) -> bool {
    matches!(letter, '(' | '[' | '{' | '<' | '"' | '\'' | '‘' | '“' | '«' | '`')
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    const BALANCED: &str = "10.1016/s0034-4257(01)00190-0";

    #[rstest]
    #[case("10.1016/S0034-4257(01)00190-0", Some(BALANCED))]
    #[case("doi:10.1016/S0034-4257(01)00190-0", Some(BALANCED))]
    #[case("DOI: 10.1016/S0034-4257(01)00190-0.", Some(BALANCED))]
    #[case("https://doi.org/10.1016/S0034-4257(01)00190-0", Some(BALANCED))]
    #[case("http://dx.doi.org/10.1016/S0034-4257(01)00190-0,", Some(BALANCED))]
    #[case("https://doi.org/10.1016%2FS0034-4257%2801%2900190-0", Some(BALANCED))]
    #[case("10.1016%2fs0034-4257(01)00190-0", Some(BALANCED))]
    #[case("(10.1016/S0034-4257(01)00190-0)", Some(BALANCED))]
    #[case("\"10.1016/S0034-4257(01)00190-0\"", Some(BALANCED))]
    #[case("<https://doi.org/10.5067/MODIS/MOD13Q1.061>", Some("10.5067/modis/mod13q1.061"))]
    #[case("doi.org/10.5067/MODIS/MOD13Q1.061", Some("10.5067/modis/mod13q1.061"))]
    #[case("urn:doi:10.5066/P9GBWSQP", Some("10.5066/p9gbwsqp"))]
    #[case("info:doi/10.5066/P9GBWSQP", Some("10.5066/p9gbwsqp"))]
    #[case("https://doi-org.proxy.example.edu/10.5066/P9GBWSQP?via=ihub", Some("10.5066/p9gbwsqp"))]
    #[case("https://onlinelibrary.example.com/doi/10.1029/2000JD000001", Some("10.1029/2000jd000001"))]
    #[case(
        "10.1002/(SICI)1096-8644(199601)99:1<1::AID-AJPA1>3.0.CO;2-1",
        Some("10.1002/(sici)1096-8644(199601)99:1<1::aid-ajpa1>3.0.co;2-1")
    )]
    #[case("10.1000.10/123456", Some("10.1000.10/123456"))]
    #[case("10.5067/", None)]
    #[case("10.50/abc", None)]
    #[case("210.5067/abc", None)]
    #[case("see 10.5067/abc", None)]
    #[case("10.5067/abc and more", None)]
    #[case("snow cover", None)]
    #[case("", None)]
    fn doi_in_every_dress(#[case] text: &str, #[case] expected: Option<&str>) {
        assert_eq!(normalise_doi(text).as_deref(), expected);
    }

    #[rstest]
    #[case("cf. (doi:10.1016/S0034-4257(01)00190-0), 10.5067/ABC.061.", &[BALANCED, "10.5067/abc.061"])]
    #[case("[10.5067/x1](https://doi.org/10.5067/x1) and <a href=\"https://doi.org/10.5067%2Fy2\">", &["10.5067/x1", "10.5067/x1", "10.5067/y2"])]
    #[case("10.5067 is a prefix, 10.5/x is not", &[])]
    fn dois_in_a_text(#[case] text: &str, #[case] expected: &[&str]) {
        let found: Vec<String> = find_dois(text).into_iter().map(|found| found.doi).collect();
        assert_eq!(found, expected);
    }

    #[rstest]
    #[case("The MOD13Q1.061 product (MODIS/061/MOD13Q1).", &["mod13q1061", "modis061mod13q1"])]
    #[case("S2_SR_HARMONIZED, `sentinel-2-l2a`", &["s2srharmonized", "sentinel2l2a"])]
    #[case("world_cities.csv and README.md", &["worldcitiescsv", "readmemd"])]
    #[case("well-known and/or e.g. U.S. 2001-02-03 10.5 3/4", &[])]
    #[case("CO2, Landsat-8: 湖MOD13Q1湖", &["co2", "landsat8", "mod13q1"])]
    fn codes_in_a_text(#[case] text: &str, #[case] expected: &[&str]) {
        let found: Vec<String> = identifiers(text).into_iter().map(|found| found.normalised).collect();
        assert_eq!(found, expected);
    }

    #[rstest]
    #[case("MODIS/061/MOD13Q1", &["mod13q1", "modis061", "061mod13q1", "modis061mod13q1"])]
    #[case("sentinel-2-l2a", &["l2a", "sentinel2", "2l2a", "sentinel2l2a"])]
    #[case("world_cities.csv", &[])]
    fn codes_in_a_code(#[case] code: &str, #[case] expected: &[&str]) {
        assert_eq!(partial_codes(code), expected);
    }

    #[test]
    fn punctuation_makes_no_difference() {
        for dress in ["MOD13Q1.061", "mod13q1-061", "MOD13Q1 061", "Mod13Q1_061"] {
            assert_eq!(normalise_identifier(dress), "mod13q1061");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read(text in "\\PC{0,60}|[10./5067abc()%2f <>]{0,40}") {
            for found in find_dois(&text) {
                proptest::prop_assert_eq!(normalise_doi(&found.doi), Some(found.doi.clone()));
                proptest::prop_assert!(text.get(found.start..found.end).is_some());
            }
            for found in identifiers(&text) {
                proptest::prop_assert!(text.get(found.start..found.end).is_some());
            }
        }
    }
}
