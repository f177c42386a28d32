//! Result cards: the element, its ranks, and the sentence that matched with the words marked.

use crate::{
    ask::fusion::Fused,
    model::{
        element::{Element, Link, LinkRel, Spatial},
        results::{Marked, MarkedPart, ResultItem},
    },
    text::{
        markdown::to_plain_text,
        sentences::sentences,
        words::{Word, same_stem, words},
    },
};

/// The longest excerpt in bytes; a longer sentence is cut at a word.
const EXCERPT_BYTES: usize = 280;
/// Descriptions are read this far for an excerpt, in bytes.
const READ_BYTES: usize = 6_000;
/// Geometries with more positions stay out of lists: the box is enough for a thumbnail.
const LISTED_POSITIONS: usize = 300;

/// Marks the words of a question in texts.
pub struct Highlighter {
    terms: Vec<String>,
}

impl Highlighter {
    pub fn new(question: &str) -> Self {
        let mut terms: Vec<String> = words(question)
            .into_iter()
            .map(|word| word.folded)
            .filter(|word| word.chars().count() > 2 || !word.is_ascii())
            .collect();
        terms.sort();
        terms.dedup();
        Self { terms }
    }

    /// Whether a word is one of the question's, endings aside.
    fn matches(&self, word: &Word) -> bool {
        self.terms.iter().any(|term| same_stem(term, &word.folded))
    }

    pub fn mark(&self, text: &str) -> Marked {
        let mut parts: Vec<MarkedPart> = Vec::new();
        let mut done = 0;
        for word in words(text) {
            // parts of one run of Chinese or of an identifier overlap
            if word.start < done || !self.matches(&word) {
                continue;
            }
            push(&mut parts, text.get(done..word.start), false);
            push(&mut parts, text.get(word.start..word.end), true);
            done = word.end;
        }
        push(&mut parts, text.get(done..), false);
        Marked(parts)
    }

    /// The sentence with the most different words of the question, the first of them; the first sentence when none has any.
    fn best_sentence<'a>(&self, text: &'a str) -> &'a str {
        let mut best = ("", 0);
        for sentence in sentences(text) {
            let words = words(sentence);
            let count = 1 + self.terms.iter().filter(|term| words.iter().any(|word| same_stem(term, &word.folded))).count();
            if count > best.1 {
                best = (sentence, count);
            }
        }
        best.0
    }
}

fn push(parts: &mut Vec<MarkedPart>, text: Option<&str>, marked: bool) {
    if let Some(text) = text.filter(|text| !text.is_empty()) {
        parts.push(MarkedPart { text: text.to_owned(), marked });
    }
}

pub fn card(element: Element, fused: &Fused, position: u32, because: Vec<String>, highlighter: &Highlighter) -> ResultItem {
    let read_to = element.description.floor_char_boundary(READ_BYTES);
    let plain = to_plain_text(element.description.get(..read_to).unwrap_or_default());
    let excerpt = highlighter.mark(&shorten(highlighter.best_sentence(&plain)));
    let title_marked = highlighter.mark(&element.title);
    let Spatial { geometry, bbox, places } = element.spatial.unwrap_or_default();
    let year = element.details.year.or_else(|| element.temporal.as_ref()?.start.map(|start| start.year()));
    ResultItem {
        id: element.id,
        kind: element.kind,
        title: element.title,
        ranks: fused.ranks.clone(),
        position,
        authors: element.authors,
        tags: element.tags,
        title_marked,
        excerpt,
        doi: element.doi,
        license: element.license,
        language: element.language,
        contributor: element.contributor.map(|person| person.name),
        bbox,
        geometry: geometry.filter(|geometry| positions(&geometry.value) <= LISTED_POSITIONS),
        places,
        temporal: element.temporal,
        year,
        link: main_link(element.links),
        click_count: element.click_count,
        because,
    }
}

/// Where "open" leads.
fn main_link(links: Vec<Link>) -> Option<Link> {
    let weight = |link: &Link| match link.rel {
        LinkRel::About => 0,
        LinkRel::Repository => 1,
        LinkRel::Service => 2,
        LinkRel::Download => 3,
        LinkRel::Preview | LinkRel::Related => 4,
    };
    links.into_iter().min_by_key(weight)
}

fn shorten(sentence: &str) -> String {
    if sentence.len() <= EXCERPT_BYTES {
        return sentence.to_owned();
    }
    let cut = sentence.get(..sentence.floor_char_boundary(EXCERPT_BYTES)).unwrap_or_default();
    let cut = cut.rsplit_once(' ').map_or(cut, |(before, _)| before);
    format!("{cut} …")
}

fn positions(value: &geojson::GeometryValue) -> usize {
    use geojson::GeometryValue::{GeometryCollection, LineString, MultiLineString, MultiPoint, MultiPolygon, Point, Polygon};
    match value {
        Point { .. } => 1,
        MultiPoint { coordinates } | LineString { coordinates } => coordinates.len(),
        MultiLineString { coordinates } | Polygon { coordinates } => coordinates.iter().map(Vec::len).sum(),
        MultiPolygon { coordinates } => coordinates.iter().flatten().map(Vec::len).sum(),
        GeometryCollection { geometries } => geometries.iter().map(|geometry| positions(&geometry.value)).sum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_words_whatever_their_ending_and_accents() {
        let marked = Highlighter::new("glacier São").mark("Glaciers near Sao Paulo");
        let marks: Vec<&str> = marked.0.iter().filter(|part| part.marked).map(|part| part.text.as_str()).collect();
        assert_eq!(marks, ["Glaciers", "Sao"]);
        let whole: String = marked.0.iter().map(|part| part.text.as_str()).collect();
        assert_eq!(whole, "Glaciers near Sao Paulo");
    }

    #[test]
    fn the_excerpt_is_the_sentence_that_says_most() {
        let highlighter = Highlighter::new("sea ice extent");
        assert_eq!(highlighter.best_sentence("It is about ice. Sea ice extent by day. Nothing else."), "Sea ice extent by day.");
        assert_eq!(highlighter.best_sentence("First one. Second."), "First one.");
    }
}
