//! How single values are written: addresses, ORCIDs, languages, licences.

/// http or https with a host and without spaces, quotes or control characters.
pub fn is_http_address(text: &str) -> bool {
    let scheme = text.split_once("://").map(|(scheme, _)| scheme);
    let Some(scheme) = scheme.filter(|scheme| scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https")) else {
        return false;
    };
    let rest = text.get(scheme.len() + 3..).unwrap_or_default();
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let unwanted = |letter: char| letter.is_whitespace() || letter.is_control() || matches!(letter, '"' | '<' | '>' | '\\' | '`');
    host.contains(char::is_alphanumeric) && !text.contains(unwanted)
}

/// `0000-0002-1825-0097` from that or from its address, when the check digit is right (ISO 7064 MOD 11-2, as
/// <https://support.orcid.org/hc/en-us/articles/360006897674> has it).
pub fn normalise_orcid(text: &str) -> Option<String> {
    let bare = text.rsplit('/').next().unwrap_or(text).to_ascii_uppercase();
    let is_address = text.contains('/');
    if is_address && !text.contains("orcid.org/") {
        return None;
    }
    let groups: Vec<&str> = bare.split('-').collect();
    if groups.len() != 4 || groups.iter().any(|group| group.len() != 4) {
        return None;
    }
    let digits = groups.concat();
    let (base, check) = digits.split_at_checked(15)?;
    let mut total = 0;
    for digit in base.chars() {
        total = (total + digit.to_digit(10)?) * 2;
    }
    let expected = (12 - total % 11) % 11;
    let given = if check == "X" { 10 } else { check.parse().ok()? };
    (expected == given).then_some(bare)
}

/// The shape of a BCP 47 tag.
pub fn is_language(text: &str) -> bool {
    let mut parts = text.split('-');
    let alphanumeric = |part: &str| (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let first =
        parts.next().is_some_and(|part| (2..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphabetic()));
    first && parts.all(alphanumeric)
}

/// The shape of an SPDX identifier or expression: `CC-BY-4.0`, `Apache-2.0 OR MIT`, `LicenseRef-x`, `other`.
pub fn is_license(text: &str) -> bool {
    let is_identifier = |word: &str| {
        word.starts_with(|letter: char| letter.is_ascii_alphanumeric())
            && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'+' | b':'))
    };
    let words: Vec<&str> = text.split_whitespace().map(|word| word.trim_matches(['(', ')'])).collect();
    let is_operator = |word: &str| matches!(word, "AND" | "OR" | "WITH");
    words.len() % 2 == 1
        && words.iter().enumerate().all(|(at, word)| if at % 2 == 1 { is_operator(word) } else { is_identifier(word) })
}
