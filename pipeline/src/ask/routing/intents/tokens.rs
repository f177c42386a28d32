//! A question as its words, with quoted titles and names of people as one token each.

use crate::text::words::words;

/// Longer runs are no title that somebody types; quoted ones may be of any length.
const ELEMENT_WORDS: usize = 16;
/// A question of more tokens is read no further: it is a text.
const TOKENS: usize = 60;
/// How an element that is meant begins: never by a word that connects.
const NO_BEGINNING: [&str; 22] = [
    "to", "for", "in", "of", "by", "with", "on", "at", "from", "and", "or", "as", "it", "this", "that", "these", "those", "them",
    "i", "we", "you", "most",
];

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    start: usize,
    end: usize,
    what: What,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum What {
    /// Folded.
    Word(String),
    /// A title between quotation marks.
    Quoted,
    /// As the catalogue writes the name.
    Person(String),
}

impl Token {
    pub fn word(&self) -> Option<&str> {
        if let What::Word(word) = &self.what { Some(word) } else { None }
    }

    pub fn person(&self) -> Option<&str> {
        if let What::Person(name) = &self.what { Some(name) } else { None }
    }
}

/// Tokens from `start` to before `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub start: usize,
    pub end: usize,
}

impl Span {
    pub fn contains(self, at: usize) -> bool {
        (self.start..self.end).contains(&at)
    }
}

pub(super) fn tokens(text: &str, people: &[String]) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = 0;
    while let Some((open, close)) = next_quote(text, rest) {
        push_words(text, rest, open, &mut tokens);
        tokens.push(Token { start: open, end: close, what: What::Quoted });
        rest = close;
    }
    push_words(text, rest, text.len(), &mut tokens);
    for name in people {
        join_name(&mut tokens, name);
    }
    tokens.truncate(TOKENS);
    tokens
}

fn push_words(text: &str, from: usize, to: usize, tokens: &mut Vec<Token>) {
    let part = text.get(from..to).unwrap_or_default();
    tokens.extend(words(part).into_iter().map(|word| Token {
        start: from + word.start,
        end: from + word.end,
        what: What::Word(word.folded),
    }));
}

/// The next pair of quotation marks with something between them: where it opens, and where it has closed.
fn next_quote(text: &str, from: usize) -> Option<(usize, usize)> {
    let rest = text.get(from..)?;
    for (at, opening) in rest.char_indices() {
        let closing = match opening {
            '“' => '”',
            '«' => '»',
            '"' => '"',
            _ => continue,
        };
        let inside = at + opening.len_utf8();
        let length = rest.get(inside..).and_then(|inside| inside.find(closing));
        if let Some(length) =
            length.filter(|length| rest.get(inside..inside + length).is_some_and(|quoted| !quoted.trim().is_empty()))
        {
            return Some((from + at, from + inside + length + closing.len_utf8()));
        }
    }
    None
}

/// Makes one token of the first run of words that are those of the name in any order.
fn join_name(tokens: &mut Vec<Token>, name: &str) {
    let mut wanted: Vec<String> = words(name).into_iter().map(|word| word.folded).collect();
    wanted.sort();
    if wanted.is_empty() {
        return;
    }
    let is_name = |run: &[Token]| {
        let mut run: Vec<&str> = run.iter().filter_map(Token::word).collect();
        run.sort_unstable();
        run == wanted
    };
    let Some(at) = tokens.windows(wanted.len()).position(is_name) else { return };
    let run: Vec<Token> = tokens.drain(at..at + wanted.len()).collect();
    if let (Some(first), Some(last)) = (run.first(), run.last()) {
        tokens.insert(at, Token { start: first.start, end: last.end, what: What::Person(name.to_owned()) });
    }
}

/// Whether the tokens could name an element: one quoted title, or a few words that do not begin with one that connects.
pub(super) fn may_name_an_element(tokens: &[Token], span: Span) -> bool {
    let Some(run) = tokens.get(span.start..span.end) else { return false };
    let run = without_article(run);
    match run {
        [] => false,
        [Token { what: What::Quoted, .. }] => true,
        // a noun after a quoted title, such as `the “Sea Ice Index” dataset`
        [Token { what: What::Quoted, .. }, Token { what: What::Word(noun), .. }] => {
            crate::ask::augmentation::kind_named(noun).is_some()
        }
        [first, ..] => {
            run.len() <= ELEMENT_WORDS
                && run.iter().all(|token| token.what != What::Quoted)
                && first.word().is_none_or(|word| !NO_BEGINNING.contains(&word))
        }
    }
}

fn without_article(run: &[Token]) -> &[Token] {
    match run {
        [first, rest @ ..] if matches!(first.word(), Some("the" | "a" | "an")) => rest,
        run => run,
    }
}

/// The tokens as they were written, without quotation marks and a leading article.
pub(super) fn written(text: &str, tokens: &[Token], span: Span) -> String {
    let run = without_article(tokens.get(span.start..span.end).unwrap_or_default());
    let quoted = run.iter().find(|token| token.what == What::Quoted);
    let (first, last) = match (quoted, run.first(), run.last()) {
        (Some(quoted), ..) => (quoted, quoted),
        (None, Some(first), Some(last)) => (first, last),
        _ => return String::new(),
    };
    let written = text.get(first.start..last.end).unwrap_or_default();
    written.trim_matches(['“', '”', '«', '»', '"', ' ']).to_owned()
}
