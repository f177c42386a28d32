//! Letters without case and accents, the same for index, query, highlight and names.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// Lower case, compatibility forms unified, accents removed; letters that do not decompose are spelled out
/// (ø → o, ł → l, ß → ss, æ → ae, œ → oe, đ and ð → d, þ → th, ı → i, ħ → h).
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut folded = String::with_capacity(text.len());
    for letter in text.nfkd().filter(|letter| !is_combining_mark(*letter)).flat_map(char::to_lowercase) {
        match letter {
            'ø' => folded.push('o'),
            'ł' => folded.push('l'),
            'ß' => folded.push_str("ss"),
            'æ' => folded.push_str("ae"),
            'œ' => folded.push_str("oe"),
            'đ' | 'ð' => folded.push('d'),
            'þ' => folded.push_str("th"),
            'ı' => folded.push('i'),
            'ħ' => folded.push('h'),
            other if is_combining_mark(other) => {}
            other => folded.push(other),
        }
    }
    folded
}
