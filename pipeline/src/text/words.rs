//! Words of a text with their places: the same cut for index, query, highlight and extraction.

use unicode_normalization::char::is_combining_mark;

use super::fold::fold;

/// One word: folded, with its byte range in the text it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    pub start: usize,
    pub end: usize,
    pub folded: String,
}

/// The words of a text in order. A word is a run of letters and digits; `Alzheimer's` is `alzheimer`, `don't` is `dont`,
/// `d'Ivoire` two words, `0.25` one. Runs of scripts written without spaces become overlapping pairs, so that any part of
/// them can be found; a letter of such a script that stands alone is a word.
pub fn words(text: &str) -> Vec<Word> {
    let mut words = Vec::with_capacity(text.len() / 6);
    let mut at = 0;
    while let Some(letter) = text.get(at..).and_then(|rest| rest.chars().next()) {
        if is_unspaced(letter) {
            at = push_pairs(text, at, &mut words);
        } else if letter.is_alphanumeric() {
            at = push_spaced(text, at, &mut words);
        } else {
            at += letter.len_utf8();
        }
    }
    words
}

/// Letters of scripts that put no spaces between words (Korean is among them: its words are searched for by parts too).
/// Source: Unicode Character Database, Blocks.txt.
pub fn is_unspaced(letter: char) -> bool {
    if letter < '\u{e00}' {
        return false;
    }
    match letter {
        '\u{30fb}' | '\u{ff5f}'..='\u{ff65}' => false,
        '\u{e01}'..='\u{e4e}' | '\u{e81}'..='\u{ecd}' | '\u{1000}'..='\u{103f}' | '\u{1780}'..='\u{17d3}' => letter != '\u{e3f}',
        '\u{1100}'..='\u{11ff}' | '\u{2e80}'..='\u{2fdf}' | '\u{3005}'..='\u{3007}' | '\u{3021}'..='\u{3029}' => true,
        '\u{3031}'..='\u{3035}' | '\u{3041}'..='\u{318e}' | '\u{31a0}'..='\u{31bf}' | '\u{31f0}'..='\u{31ff}' => true,
        '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{a960}'..='\u{a97f}' | '\u{ac00}'..='\u{d7ff}' => true,
        '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ffdc}' | '\u{20000}'..='\u{323af}' => true,
        _ => false,
    }
}

/// Whether two folded words are the same but for their ending: one begins with the other and has at least four letters of
/// which at most three differ, as in `glacier` and `glaciers`, or three and only an `s` differs. Numbers have no endings.
pub fn same_stem(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    let Some(ending) = long.strip_prefix(short) else { return false };
    let enough = (short.len() >= 4 && ending.len() <= 3) || (short.len() == 3 && ending == "s");
    enough && !short.ends_with(|last: char| last.is_ascii_digit())
}

/// Letters with the marks that belong to them, as byte ranges.
fn units(text: &str) -> Vec<(usize, usize)> {
    let mut units: Vec<(usize, usize)> = Vec::new();
    for (start, letter) in text.char_indices() {
        let end = start + letter.len_utf8();
        match units.last_mut() {
            Some(unit) if is_combining_mark(letter) => unit.1 = end,
            _ => units.push((start, end)),
        }
    }
    units
}

fn push_pairs(text: &str, start: usize, words: &mut Vec<Word>) -> usize {
    let rest = text.get(start..).unwrap_or_default();
    let length = rest.find(|letter: char| !is_unspaced(letter) && !is_combining_mark(letter)).unwrap_or(rest.len());
    let run = rest.get(..length).unwrap_or_default();
    let mut push = |from: usize, to: usize| {
        let folded = fold(run.get(from..to).unwrap_or_default());
        words.push(Word { start: start + from, end: start + to, folded });
    };
    let units = units(run);
    if let [(from, to)] = units.as_slice() {
        push(*from, *to);
    }
    for pair in units.windows(2) {
        if let [(from, _), (_, to)] = pair {
            push(*from, *to);
        }
    }
    start + length
}

fn push_spaced(text: &str, start: usize, words: &mut Vec<Word>) -> usize {
    let extent = spaced_word(text.get(start..).unwrap_or_default());
    let end = start + extent.word;
    let written = text.get(start..end).unwrap_or_default();
    let mut folded = fold(written);
    if extent.has_silent {
        folded.retain(|letter| !is_silent(letter) && !is_apostrophe(letter));
    }
    words.push(Word { start, end, folded });
    start + extent.consumed
}

struct Extent {
    /// Bytes of the word.
    word: usize,
    /// Bytes after which the next word may begin: more than the word where a possessive ending is dropped.
    consumed: usize,
    has_silent: bool,
}

/// `text` begins with a letter or a digit.
fn spaced_word(text: &str) -> Extent {
    let mut end = 0;
    let mut letters = 0;
    let mut only_digits = true;
    let mut has_silent = false;
    while let Some(letter) = text.get(end..).and_then(|rest| rest.chars().next()) {
        let after = end + letter.len_utf8();
        let rest = text.get(after..).unwrap_or_default();
        if is_silent(letter) {
            has_silent = true;
        } else if is_apostrophe(letter) {
            let tail = rest.find(|letter: char| !letter.is_alphanumeric()).map_or(rest, |at| rest.get(..at).unwrap_or_default());
            if tail.eq_ignore_ascii_case("s") {
                return Extent { word: end, consumed: after + tail.len(), has_silent };
            }
            // `don't`, `we've`, `Hawai'i` are one word, `d'Ivoire` and `l'eau` are two
            if letters < 2 || !(1..=2).contains(&tail.chars().count()) {
                break;
            }
            has_silent = true;
        } else if letter == '.' {
            if !only_digits || !rest.starts_with(|next: char| next.is_ascii_digit()) {
                break;
            }
        } else if (letter.is_alphanumeric() && !is_unspaced(letter)) || is_combining_mark(letter) {
            letters += 1;
            only_digits &= letter.is_ascii_digit();
        } else {
            break;
        }
        end = after;
    }
    Extent { word: end, consumed: end, has_silent }
}

fn is_apostrophe(letter: char) -> bool {
    matches!(letter, '\'' | '’' | '‘' | '＇')
}

/// Soft hyphens, joiners and modifier letters that are written inside of a word and not typed in a search.
fn is_silent(letter: char) -> bool {
    matches!(letter, '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' | 'ʻ' | 'ʼ' | 'ʹ')
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("Sea-level rise, 1993–2020!", &["sea", "level", "rise", "1993", "2020"])]
    #[case("Alzheimer's don’t we've Côte d'Ivoire L'eau", &["alzheimer", "dont", "weve", "cote", "d", "ivoire", "l", "eau"])]
    #[case("Hawaiʻi Hawai'i co\u{ad}operation", &["hawaii", "hawaii", "cooperation"])]
    #[case("MOD13Q1.061 S2_SR_HARMONIZED sentinel-2-l2a", &["mod13q1", "061", "s2", "sr", "harmonized", "sentinel", "2", "l2a"])]
    #[case("pH 7.4, v2.1. End.", &["ph", "7.4", "v2", "1", "end"])]
    #[case("Øresund Łódź Straße Ærø", &["oresund", "lodz", "strasse", "aero"])]
    #[case("cafe\u{301} café", &["cafe", "cafe"])]
    #[case("東京湾の水温", &["東京", "京湾", "湾の", "の水", "水温"])]
    #[case("東 NDVI湖", &["東", "ndvi", "湖"])]
    #[case("東京、大阪", &["東京", "大阪"])]
    #[case("", &[])]
    #[case("🌍 /\\*(\" -- '' ’s", &["s"])]
    #[case("'quoted' dogs'", &["quoted", "dogs"])]
    fn cuts(#[case] text: &str, #[case] expected: &[&str]) {
        let folded: Vec<String> = words(text).into_iter().map(|word| word.folded).collect();
        assert_eq!(folded, expected);
    }

    #[test]
    fn korean_and_thai_runs_are_searchable_by_parts() {
        let in_text: Vec<String> = words("서울특별시 แผนที่น้ำท่วม").into_iter().map(|word| word.folded).collect();
        for part in ["특별", "서울", "น้ำ"] {
            let asked: Vec<String> = words(part).into_iter().map(|word| word.folded).collect();
            assert!(asked.iter().all(|word| in_text.contains(word)), "{part}: {asked:?} in {in_text:?}");
        }
    }

    #[test]
    fn ranges_are_those_of_the_text() {
        let text = "Die Straße, Łódź’s 東京湾";
        let written: Vec<&str> = words(text).iter().map(|word| &text[word.start..word.end]).collect();
        assert_eq!(written, ["Die", "Straße", "Łódź", "東京", "京湾"]);
    }

    proptest::proptest! {
        #[test]
        fn any_text_has_words_in_order(text in "\\PC{0,60}|[a-z'’. \u{ad}東ก้]{0,40}") {
            let mut last_start = 0;
            for word in words(&text) {
                proptest::prop_assert!(word.start >= last_start && word.start < word.end);
                proptest::prop_assert!(text.get(word.start..word.end).is_some());
                last_start = word.start;
            }
        }
    }
}
