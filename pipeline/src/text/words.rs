//! Words of a text with their places.

/// One word: folded, with its byte range in the text it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    pub start: usize,
    pub end: usize,
    pub folded: String,
}

/// Whether two folded words are the same but for their ending: one begins with the other, has at least four letters, and at
/// most three letters differ, as in `glacier` and `glaciers`. Numbers have no endings.
pub fn same_stem(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    short.len() >= 4
        && long.len() - short.len() <= 3
        && long.starts_with(short)
        && !short.ends_with(|last: char| last.is_ascii_digit())
}
