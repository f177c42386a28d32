//! An answer as claims: its sentences, each with the numbers it cites.

use crate::text::sentences::sentences;

/// One sentence of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Without its marks.
    pub text: String,
    /// Its `[n]`, in order, each once.
    pub cites: Vec<u32>,
}

/// The claims of a text. Marks may stand within a sentence, at its end or after its full stop: `Ice melts [1].`, `Ice melts. [1]`.
/// Sentences of a line without marks share those of the next one that has some.
pub fn claims(text: &str) -> Vec<Claim> {
    let mut claims: Vec<Claim> = Vec::new();
    for line in text.lines() {
        let line_starts = claims.len();
        let mut first_of_line = true;
        for sentence in sentences(line) {
            let (leading, rest) = leading_marks(sentence);
            // marks that follow a full stop belong to what stands before them
            match claims.last_mut() {
                Some(before) if !first_of_line => cite(before, &leading),
                _ => {}
            }
            let (words, mut cites) = split_marks(rest);
            if first_of_line {
                cites.splice(0..0, leading);
            }
            if words.chars().any(char::is_alphanumeric) {
                let mut claim = Claim { text: words, cites: Vec::new() };
                cite(&mut claim, &cites);
                claims.push(claim);
                first_of_line = false;
            } else if let Some(before) = claims.last_mut() {
                cite(before, &cites);
            }
        }
        let mut shared: Vec<u32> = Vec::new();
        for claim in claims.iter_mut().skip(line_starts).rev() {
            if claim.cites.is_empty() {
                claim.cites.clone_from(&shared);
            } else {
                shared.clone_from(&claim.cites);
            }
        }
    }
    claims
}

fn cite(claim: &mut Claim, numbers: &[u32]) {
    for n in numbers {
        if !claim.cites.contains(n) {
            claim.cites.push(*n);
        }
    }
}

/// The marks a text begins with, and what follows them.
fn leading_marks(text: &str) -> (Vec<u32>, &str) {
    let mut marks = Vec::new();
    let mut rest = text.trim_start();
    while let Some((numbers, after)) = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')).and_then(read_mark) {
        marks.extend(numbers);
        rest = after.trim_start();
    }
    (marks, rest)
}

/// The text without its marks, and the marks.
fn split_marks(text: &str) -> (String, Vec<u32>) {
    let mut words = String::with_capacity(text.len());
    let mut marks = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('[') {
        words.push_str(before);
        match after.split_once(']').and_then(read_mark) {
            Some((numbers, after)) => {
                marks.extend(numbers);
                words.truncate(words.trim_end().len());
                rest = after;
            }
            None => {
                words.push('[');
                rest = after;
            }
        }
    }
    words.push_str(rest);
    (words.trim().to_owned(), marks)
}

/// Text of the catalogue whose own `[12]` would read as a citation of the answer: `(12)`.
pub fn without_marks(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('[') {
        plain.push_str(before);
        match after.split_once(']').filter(|parts| read_mark(*parts).is_some()) {
            Some((inside, after)) => {
                plain.extend(["(", inside, ")"]);
                rest = after;
            }
            None => {
                plain.push('[');
                rest = after;
            }
        }
    }
    plain.push_str(rest);
    plain
}

/// `1` and `1, 3` between brackets are marks; anything else is text.
fn read_mark<'a>((inside, after): (&str, &'a str)) -> Option<(Vec<u32>, &'a str)> {
    let numbers: Option<Vec<u32>> = inside.split(',').map(|number| number.trim().parse().ok()).collect();
    Some((numbers?, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(&str, &[u32])]) {
        let found = claims(text);
        let found: Vec<(&str, &[u32])> = found.iter().map(|claim| (claim.text.as_str(), claim.cites.as_slice())).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn marks_belong_to_the_sentence_they_close() {
        check("Ice melts [1]. Snow falls [2][1].", &[("Ice melts.", &[1]), ("Snow falls.", &[2, 1])]);
        check("Ice melts. [1] Snow falls. [2]", &[("Ice melts.", &[1]), ("Snow falls.", &[2])]);
        check("Ice melts. [1][3]\nSnow falls. [2]", &[("Ice melts.", &[1, 3]), ("Snow falls.", &[2])]);
        check("Ice [1] melts [2, 3].", &[("Ice melts.", &[1, 2, 3])]);
        check("- Ice melts [1]\n- Snow falls", &[("- Ice melts", &[1]), ("- Snow falls", &[])]);
        check("Ice melts. Snow falls [2]. Rain.", &[("Ice melts.", &[2]), ("Snow falls.", &[2]), ("Rain.", &[])]);
    }

    #[test]
    fn marks_of_the_catalogue_are_no_citations() {
        assert_eq!(without_marks("See [12] and [1, 3], [a](b) and [x"), "See (12) and (1, 3), [a](b) and [x");
    }

    #[test]
    fn other_brackets_are_text() {
        check("The [northern] ice [a].", &[("The [northern] ice [a].", &[])]);
        check("", &[]);
        check("[1]", &[]);
        check("[1] Ice melts.", &[("Ice melts.", &[1])]);
        check("a [2", &[("a [2", &[])]);
    }
}
