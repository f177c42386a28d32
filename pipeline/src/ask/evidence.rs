//! What an answer may rest on: the top elements of the fused list with their sentences.

use std::collections::HashMap;

use crate::{
    model::{
        element::{Element, ElementId},
        period::Period,
    },
    ports::PortResult,
    search::Candidates,
    services::Services,
    text::{markdown::to_plain_text, sentences::sentences},
};

/// Elements an answer may cite.
const ELEMENTS: usize = 8;
/// Sentences read of each.
const SENTENCES: usize = 14;
/// Shorter ones, in bytes, say too little to stand alone; longer ones are no sentences but lists.
const SENTENCE_BYTES: std::ops::RangeInclusive<usize> = 25..=600;

/// One element with what may be said of it.
#[derive(Clone, Debug)]
pub struct Evidence {
    pub element: Element,
    /// May be quoted, word for word.
    pub sentences: Vec<String>,
    /// What links the element to the question, such as `used in the notebook “Flood maps”`.
    pub because: Vec<String>,
}

impl Evidence {
    pub fn new(element: Element, because: Vec<String>) -> Self {
        let plain = to_plain_text(&element.description);
        let mut quotable: Vec<String> = sentences(&plain)
            .into_iter()
            .filter(|sentence| SENTENCE_BYTES.contains(&sentence.len()))
            .take(SENTENCES)
            .map(str::to_owned)
            .collect();
        if quotable.is_empty() {
            quotable.push(element.title.clone());
        }
        Self { element, sentences: quotable, because }
    }

    /// What a language model is given of it: facts line by line, then the sentences.
    pub fn document(&self) -> String {
        let element = &self.element;
        let details = &element.details;
        let authors: Vec<&str> = element.authors.iter().map(|author| author.name.as_str()).collect();
        let bookmarks: Vec<&str> = element.bookmarked_by.iter().map(|person| person.name.as_str()).collect();
        let places = element.spatial.as_ref().map(|spatial| spatial.places.join(", ")).unwrap_or_default();
        let period = element.temporal.as_ref().map(period_in_words).unwrap_or_default();
        let clicks = if element.click_count > 0 { element.click_count.to_string() } else { String::new() };
        let text = self.sentences.join(" ");
        let lines = [
            ("Title", element.title.as_str()),
            ("Kind", element.kind.name()),
            ("Linked to the question", &self.because.join("; ")),
            ("Authors", &authors.join(", ")),
            ("Contributed by", element.contributor.as_ref().map_or("", |person| &person.name)),
            ("Bookmarked by", &bookmarks.join(", ")),
            ("Views", &clicks),
            ("Period", &period),
            ("Places", &places),
            ("Format", details.format.as_deref().unwrap_or_default()),
            ("Venue", details.venue.as_deref().unwrap_or_default()),
            ("Year", &details.year.map(|year| year.to_string()).unwrap_or_default()),
            ("Tasks", &details.tasks.join(", ")),
            ("Imports", &details.imports.join(", ")),
            ("Level", details.level.as_deref().unwrap_or_default()),
            ("Licence", element.license.as_deref().unwrap_or_default()),
            ("DOI", element.doi.as_deref().unwrap_or_default()),
            ("Tags", &element.tags.join(", ")),
            ("Text", &text),
        ]
        .map(|(name, value)| if value.is_empty() { String::new() } else { format!("{name}: {value}\n") });
        lines.concat().trim_end().to_owned()
    }

    /// All that stands in the element: what a claim that cites it may say.
    pub fn whole_text(&self) -> String {
        let links: Vec<&str> = self.element.links.iter().map(|link| link.href.as_str()).collect();
        let bbox = self.element.bbox().map(|bbox| bbox.to_string()).unwrap_or_default();
        format!("{}\n{}\n{}\n{bbox}", self.document(), self.element.description, links.join("\n"))
    }
}

fn period_in_words(period: &Period) -> String {
    if let Some(text) = &period.text {
        return text.clone();
    }
    match (period.start, period.end) {
        (Some(start), Some(end)) => format!("{start} to {end}"),
        (Some(start), None) => format!("from {start} on"),
        (None, Some(end)) => format!("up to {end}"),
        (None, None) => String::new(),
    }
}

/// # Errors
/// Records that cannot be read.
pub async fn collect(services: &Services, candidates: &Candidates) -> PortResult<Vec<Evidence>> {
    let ids: Vec<ElementId> = candidates.fused.iter().take(ELEMENTS).map(|fused| fused.id.clone()).collect();
    let mut elements: HashMap<ElementId, Element> =
        services.records.elements(&ids).await?.into_iter().map(|element| (element.id.clone(), element)).collect();
    let because = |id: &ElementId| {
        candidates.retrieved.iter().filter_map(|retrieved| retrieved.because.get(id).cloned()).collect::<Vec<_>>()
    };
    let public = ids.iter().filter_map(|id| elements.remove(id)).filter(Element::is_public);
    Ok(public.map(|element| (because(&element.id), element)).map(|(because, element)| Evidence::new(element, because)).collect())
}
