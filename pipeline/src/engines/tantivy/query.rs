//! What a person typed as a query of the text index.

use std::collections::HashSet;

use tantivy::{
    Searcher, Term,
    query::{BooleanQuery, BoostQuery, ConstScoreQuery, EmptyQuery, Occur, PhraseQuery, Query, TermQuery},
    schema::{Field, IndexRecordOption},
    tokenizer::{TextAnalyzer, TokenStream as _},
};

use super::{
    analyzer::{accented_prefix, accented_term, word_analyzer},
    schema::Fields,
    stop_words::is_stop_word,
};
use crate::text::{
    identifiers::{find_dois, identifiers, normalise_doi, normalise_identifier},
    typed_query::TypedQuery,
    words::{Word, words},
};

/// Words beyond this many different ones are not looked for.
const MOST_WORDS: usize = 64;

// Measured on SciFact and the real collections; see the evaluation.
const TITLE_BOOST: f32 = 0.3;
/// The element that is called by a code comes before those that mention it, however often.
const OWN_CODE_BOOST: f32 = 12.0;
const MENTIONED_CODE_BOOST: f32 = 1.5;
/// Above any sum of the other scores: the text is the DOI or the code that the element is called by.
const CALLED_SCORE: f32 = 1_000.0;

type Clause = (Occur, Box<dyn Query>);

/// Never an error: what has no words, finds nothing.
pub fn build(text: &str, fields: &Fields, searcher: &Searcher) -> tantivy::Result<Box<dyn Query>> {
    let mut typed = TypedQuery::parse(text);
    // a DOI in quotes is a DOI
    let (dois, phrases): (Vec<String>, Vec<String>) = typed.phrases.drain(..).partition(|phrase| normalise_doi(phrase).is_some());
    for doi in dois {
        typed.free.push(' ');
        typed.free.push_str(&doi);
    }
    let mut builder = Builder { fields, searcher, analyzer: word_analyzer() };
    let mut wanted = Vec::new();
    for phrase in &phrases {
        builder.codes(phrase, phrase, &mut wanted);
    }
    let phrases: Vec<Box<dyn Query>> = phrases.iter().filter_map(|phrase| builder.phrase(phrase)).collect();
    builder.dois(&mut typed.free, &mut wanted);
    builder.codes(text, &typed.free, &mut wanted);
    builder.words(&typed.free, &mut wanted)?;
    if wanted.is_empty() && phrases.is_empty() {
        return Ok(Box::new(EmptyQuery));
    }
    let mut clauses: Vec<Clause> = Vec::new();
    if phrases.is_empty() {
        clauses.push((Occur::Must, Box::new(BooleanQuery::new(wanted))));
    } else {
        clauses.extend(phrases.into_iter().map(|phrase| (Occur::Must, phrase)));
        clauses.extend(wanted);
    }
    clauses
        .extend(typed.excluded.iter().filter_map(|excluded| builder.phrase(excluded)).map(|excluded| (Occur::MustNot, excluded)));
    match clauses.as_mut_slice() {
        [_] => Ok(clauses.remove(0).1),
        _ => Ok(Box::new(BooleanQuery::new(clauses))),
    }
}

struct Builder<'a> {
    fields: &'a Fields,
    searcher: &'a Searcher,
    analyzer: TextAnalyzer,
}

impl Builder<'_> {
    /// Takes the DOIs out of the text, dress and label included: they are looked for as such, not by their parts.
    fn dois(&self, text: &mut String, clauses: &mut Vec<Clause>) {
        let mut rest: Vec<&str> = Vec::new();
        let mut any = false;
        for run in text.split_whitespace() {
            let found = find_dois(run);
            if found.is_empty() {
                rest.push(run);
            }
            for found in found {
                any = true;
                let own = Box::new(ConstScoreQuery::new(term(self.fields.doi, &found.doi), CALLED_SCORE));
                clauses.push((Occur::Should, own));
                self.code(&normalise_identifier(&found.doi), clauses);
            }
        }
        if any {
            rest.retain(|run| !run.trim_matches(|letter: char| !letter.is_alphanumeric()).eq_ignore_ascii_case("doi"));
            *text = rest.join(" ");
        }
    }

    /// Codes, the whole text as one, and neighbours that become one when a digit is among them (`MOD13Q1 061`, `landsat 8`).
    fn codes(&self, whole: &str, free: &str, clauses: &mut Vec<Clause>) {
        let mut codes: Vec<String> = identifiers(free).into_iter().map(|code| code.normalised).collect();
        let words = words(free);
        for pair in words.windows(2).take(MOST_WORDS) {
            let joined: String = pair.iter().map(|word| word.folded.as_str()).collect();
            if joined.contains(|letter: char| letter.is_ascii_digit()) && joined.contains(char::is_alphabetic) {
                codes.push(joined);
            }
        }
        if words.len() > 1 && whole.len() <= 200 {
            codes.push(normalise_identifier(whole));
        }
        let mut seen = HashSet::new();
        codes.retain(|code| !code.is_empty() && seen.insert(code.clone()));
        codes.truncate(MOST_WORDS);
        let whole = normalise_identifier(whole);
        for code in codes {
            if code == whole {
                let called = Box::new(ConstScoreQuery::new(term(self.fields.own, &code), CALLED_SCORE));
                clauses.push((Occur::Should, called));
            }
            self.code(&code, clauses);
        }
    }

    fn code(&self, code: &str, clauses: &mut Vec<Clause>) {
        for (field, boost) in [(self.fields.own, OWN_CODE_BOOST), (self.fields.mentioned, MENTIONED_CODE_BOOST)] {
            let term = Term::from_field_text(field, code);
            // most words are no code of any element: a clause less to walk through
            if self.searcher.doc_freq(&term).unwrap_or(1) > 0 {
                let query = Box::new(TermQuery::new(term, IndexRecordOption::Basic));
                clauses.push((Occur::Should, Box::new(BoostQuery::new(query, boost))));
            }
        }
    }

    fn words(&mut self, text: &str, clauses: &mut Vec<Clause>) -> tantivy::Result<()> {
        let mut words = words(text);
        if words.iter().any(|word| !is_stop_word(&word.folded)) {
            words.retain(|word| !is_stop_word(&word.folded));
        }
        let mut seen = HashSet::new();
        for word in &words {
            let written = text.get(word.start..word.end).unwrap_or_default();
            let Some(stem) = self.terms(written).pop() else { continue };
            if seen.len() >= MOST_WORDS || !seen.insert(stem.clone()) {
                continue;
            }
            let in_title = TermQuery::new(Term::from_field_text(self.fields.title, &stem), IndexRecordOption::WithFreqs);
            clauses.push((
                Occur::Should,
                Box::new(TermQuery::new(Term::from_field_text(self.fields.text, &stem), IndexRecordOption::WithFreqs)),
            ));
            clauses.push((Occur::Should, Box::new(BoostQuery::new(Box::new(in_title), TITLE_BOOST))));
            clauses.extend(self.as_written(word, written, &stem)?.map(|query| (Occur::Should, query)));
        }
        Ok(())
    }

    /// Lifts elements that write a word as it was asked for: with these accents, or without where others have some.
    fn as_written(&self, word: &Word, written: &str, stem: &str) -> tantivy::Result<Option<Box<dyn Query>>> {
        if !written.is_ascii() {
            return Ok(Some(term(self.fields.accented, &accented_term(&word.folded, written))));
        }
        let accented = self.accented_ways(&word.folded)?;
        if accented.is_empty() {
            return Ok(None);
        }
        let mut clauses: Vec<Clause> = vec![(Occur::Must, term(self.fields.text, stem))];
        clauses.extend(accented.iter().map(|way| (Occur::MustNot, term(self.fields.accented, way))));
        Ok(Some(Box::new(BooleanQuery::new(clauses))))
    }

    /// The terms of all accented ways in which the index writes a word.
    fn accented_ways(&self, folded: &str) -> tantivy::Result<Vec<String>> {
        let prefix = accented_prefix(folded);
        let mut ways = Vec::new();
        for segment in self.searcher.segment_readers() {
            let index = segment.inverted_index(self.fields.accented)?;
            let mut terms = index.terms().range().ge(&prefix).lt(format!("{folded}\u{1}")).into_stream()?;
            while terms.advance() {
                ways.extend(std::str::from_utf8(terms.key()).map(str::to_owned));
            }
        }
        ways.sort_unstable();
        ways.dedup();
        Ok(ways)
    }

    /// Consecutive words; `None` without any.
    fn phrase(&mut self, text: &str) -> Option<Box<dyn Query>> {
        let mut terms = Vec::new();
        for word in words(text).iter().take(MOST_WORDS) {
            let stem = self.terms(text.get(word.start..word.end).unwrap_or_default()).pop();
            terms.extend(stem.map(|stem| Term::from_field_text(self.fields.text, &stem)));
        }
        match terms.len() {
            0 => None,
            1 => Some(Box::new(TermQuery::new(terms.remove(0), IndexRecordOption::WithFreqs))),
            _ => Some(Box::new(PhraseQuery::new(terms))),
        }
    }

    /// The last one is that of the whole word, those before it are its letters where it has no spaces around it.
    fn terms(&mut self, written: &str) -> Vec<String> {
        let mut stream = self.analyzer.token_stream(written);
        let mut terms = Vec::new();
        while stream.advance() {
            terms.push(stream.token().text.clone());
        }
        terms.retain(|term| !term.is_empty());
        terms
    }
}

fn term(field: Field, text: &str) -> Box<dyn Query> {
    Box::new(TermQuery::new(Term::from_field_text(field, text), IndexRecordOption::Basic))
}
