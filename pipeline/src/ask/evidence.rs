//! What an answer may rest on: the top elements of the fused list with their sentences.

use std::collections::HashMap;

use crate::{
    model::element::{Element, ElementId},
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

/// One element with the sentences that may be quoted, word for word.
#[derive(Clone, Debug)]
pub struct Evidence {
    pub element: Element,
    pub sentences: Vec<String>,
}

/// # Errors
/// Records that cannot be read.
pub async fn collect(services: &Services, candidates: &Candidates) -> PortResult<Vec<Evidence>> {
    let ids: Vec<ElementId> = candidates.fused.iter().take(ELEMENTS).map(|fused| fused.id.clone()).collect();
    let mut elements: HashMap<ElementId, Element> =
        services.records.elements(&ids).await?.into_iter().map(|element| (element.id.clone(), element)).collect();
    Ok(ids.iter().filter_map(|id| elements.remove(id)).filter(Element::is_public).map(evidence_of).collect())
}

fn evidence_of(element: Element) -> Evidence {
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
    Evidence { element, sentences: quotable }
}
