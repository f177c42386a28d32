//! Sentences of a text, for excerpts and extracted answers.

use unicode_segmentation::UnicodeSegmentation;

/// Words after which a full stop does not end a sentence.
const ABBREVIATIONS: [&str; 21] = [
    "e.g", "i.e", "etc", "cf", "vs", "al", "fig", "eq", "no", "vol", "approx", "ca", "dr", "prof", "st", "mt", "u.s", "u.k",
    "ref", "ver", "v",
];

/// Sentences in order, trimmed; a line break ends one too. Every sentence is a slice of the text.
pub fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for line in text.lines() {
        let mut start = None;
        for (at, piece) in line.split_sentence_bound_indices() {
            let from = *start.get_or_insert(at);
            let end = at + piece.len();
            let Some(so_far) = line.get(from..end) else { continue };
            if continues(so_far, line.get(end..).unwrap_or_default()) {
                continue;
            }
            push_trimmed(&mut found, so_far);
            start = None;
        }
        if let Some(rest) = start.and_then(|from| line.get(from..)) {
            push_trimmed(&mut found, rest);
        }
    }
    found
}

fn push_trimmed<'a>(found: &mut Vec<&'a str>, sentence: &'a str) {
    let sentence = sentence.trim();
    if sentence.chars().any(char::is_alphanumeric) {
        found.push(sentence);
    }
}

/// Whether the full stop at the end belongs to an abbreviation or an initial rather than to the sentence.
fn continues(so_far: &str, rest: &str) -> bool {
    if rest.trim().is_empty() {
        return false;
    }
    let trimmed = so_far.trim_end();
    let Some(before) = trimmed.strip_suffix('.') else {
        // the segmenter never ends a sentence in the middle of a line without a mark
        return !trimmed.ends_with(['!', '?', '。', '！', '？', '"', ')', '”', '…']);
    };
    let last_word = before.rsplit([' ', '(', '\u{a0}']).next().unwrap_or_default();
    let initial = last_word.chars().count() == 1 && last_word.chars().all(char::is_uppercase);
    initial || ABBREVIATIONS.contains(&last_word.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("One. Two! Three?", &["One.", "Two!", "Three?"])]
    #[case("Lyu et al. (2024) map heat. It works.", &["Lyu et al. (2024) map heat.", "It works."])]
    #[case("Resolution is 0.25 degrees. Units are K.", &["Resolution is 0.25 degrees.", "Units are K."])]
    #[case("Written by J. R. Smith in 2001. See MOD13Q1.061 too.", &["Written by J. R. Smith in 2001.", "See MOD13Q1.061 too."])]
    #[case("first line\nsecond line", &["first line", "second line"])]
    #[case("氷河の地図。海氷の地図。", &["氷河の地図。", "海氷の地図。"])]
    #[case("", &[])]
    fn splits(#[case] text: &str, #[case] expected: &[&str]) {
        assert_eq!(sentences(text), expected);
    }
}
