//! Text to terms, the same for documents and queries.

use tantivy::tokenizer::{Language, Stemmer, TextAnalyzer, Token, TokenStream, Tokenizer, TokenizerManager};
use unicode_normalization::UnicodeNormalization;

use super::schema::{ACCENTED, WORDS};
use crate::text::{
    fold::fold,
    words::{Word, is_unspaced, words},
};

/// The analyzers of the index by name.
pub fn analyzers() -> TokenizerManager {
    let manager = TokenizerManager::default();
    manager.register(WORDS, word_analyzer());
    manager.register(ACCENTED, TextAnalyzer::from(AccentedTokenizer));
    manager
}

/// Folds and stems: English stemming lifts recall (SciFact: see the figures in the evaluation); words of other languages and codes
/// come out a little shorter at most, alike in documents and queries.
pub fn word_analyzer() -> TextAnalyzer {
    TextAnalyzer::builder(WordTokenizer).filter(Stemmer::new(Language::English)).build()
}

/// What stands between the folded and the written form of an accented word.
const AFTER_FOLDED: char = '\u{0}';

/// A word with accents as a term: the folded form first, so that all ways to write a word lie side by side.
pub fn accented_term(folded: &str, written: &str) -> String {
    let mut term = accented_prefix(folded);
    term.extend(written.nfc().flat_map(char::to_lowercase));
    term
}

/// What all accented ways to write a word begin with.
pub fn accented_prefix(folded: &str) -> String {
    format!("{folded}{AFTER_FOLDED}")
}

#[derive(Clone)]
struct WordTokenizer;

impl Tokenizer for WordTokenizer {
    type TokenStream<'a> = Tokens;

    fn token_stream(&mut self, text: &str) -> Tokens {
        let mut tokens = Vec::new();
        let mut previous_end = 0;
        for (position, word) in words(text).into_iter().enumerate() {
            let written = text.get(word.start..word.end).unwrap_or_default();
            let is_pair = written.starts_with(is_unspaced) && written.chars().nth(1).is_some();
            if is_pair {
                // a letter alone is asked for alone, so it is a term too, beside the pairs
                let from = if previous_end > word.start { written.chars().next().map_or(0, char::len_utf8) } else { 0 };
                let letters = written.get(from..).unwrap_or_default().chars();
                tokens.extend(
                    letters.map(|letter| fold(letter.encode_utf8(&mut [0; 4]))).filter(|letter| !letter.is_empty()).map(
                        |letter| Token {
                            offset_from: word.start,
                            offset_to: word.end,
                            position,
                            text: letter,
                            position_length: 1,
                        },
                    ),
                );
            }
            previous_end = word.end;
            tokens.push(token(position, word));
        }
        Tokens::new(tokens)
    }
}

#[derive(Clone)]
struct AccentedTokenizer;

impl Tokenizer for AccentedTokenizer {
    type TokenStream<'a> = Tokens;

    fn token_stream(&mut self, text: &str) -> Tokens {
        let mut tokens = Vec::new();
        if text.is_ascii() {
            return Tokens::new(tokens);
        }
        for (position, mut word) in words(text).into_iter().enumerate() {
            let written = text.get(word.start..word.end).unwrap_or_default();
            if !written.is_ascii() {
                word.folded = accented_term(&word.folded, written);
                tokens.push(token(position, word));
            }
        }
        Tokens::new(tokens)
    }
}

fn token(position: usize, word: Word) -> Token {
    Token { offset_from: word.start, offset_to: word.end, position, text: word.folded, position_length: 1 }
}

/// Tokens that are all there before the first is asked for.
pub struct Tokens {
    rest: std::vec::IntoIter<Token>,
    current: Token,
}

impl Tokens {
    fn new(tokens: Vec<Token>) -> Self {
        Self { rest: tokens.into_iter(), current: Token::default() }
    }
}

impl TokenStream for Tokens {
    fn advance(&mut self) -> bool {
        let Some(next) = self.rest.next() else { return false };
        self.current = next;
        true
    }

    fn token(&self) -> &Token {
        &self.current
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.current
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn terms(analyzer: &str, text: &str) -> Vec<(usize, String)> {
        let mut analyzer = analyzers().get(analyzer).unwrap();
        let mut stream = analyzer.token_stream(text);
        let mut terms = Vec::new();
        while stream.advance() {
            terms.push((stream.token().position, stream.token().text.clone()));
        }
        terms
    }

    #[rstest]
    #[case("Mapping glaciers", &[(0, "map"), (1, "glacier")])]
    #[case("MOD13Q1.061", &[(0, "mod13q1"), (1, "061")])]
    #[case("東京湾", &[(0, "東"), (0, "京"), (0, "東京"), (1, "湾"), (1, "京湾")])]
    #[case("湖", &[(0, "湖")])]
    fn words_are_folded_and_stemmed(#[case] text: &str, #[case] expected: &[(usize, &str)]) {
        assert_eq!(terms(WORDS, text), expected.iter().map(|(at, term)| (*at, (*term).to_owned())).collect::<Vec<_>>());
    }

    #[test]
    fn only_accented_words_are_kept_as_written() {
        assert_eq!(terms(ACCENTED, "Zürich and Zurich"), [(0, "zurich\0zürich".to_owned())]);
        assert_eq!(terms(ACCENTED, "Zu\u{308}rich"), [(0, "zurich\0zürich".to_owned())]);
    }
}
