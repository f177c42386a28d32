//! Elements that may be the same thing, by DOI, by address, by title and authors. A suggestion, never a merge.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use serde::{Deserialize, Serialize};

use super::validate::identity::own_addresses;
use crate::{
    model::element::{Element, ElementId, Visibility},
    ports::{PortResult, Records},
    text::fold::fold,
};

const PAGE: usize = 500;
/// An address that more elements share is that of a portal or a series, not of one of them.
const MOST_AT_AN_ADDRESS: usize = 3;
/// Shorter titles say too little, such as `Introduction`.
const LEAST_TITLE_BYTES: usize = 16;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DuplicateSuggestion {
    pub because: SameBy,
    /// The DOI, address or title they share.
    pub shared: String,
    /// Two or more, in order.
    pub ids: Vec<ElementId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SameBy {
    Doi,
    Address,
    TitleAndAuthors,
}

/// Groups of elements of the catalogue that look the same, of which at least one is among `new`; strongest reason first, and no
/// group again for a weaker one. Reads every element once.
///
/// # Errors
/// Records that cannot be read.
pub async fn suggest(records: &dyn Records, new: &[ElementId]) -> PortResult<Vec<DuplicateSuggestion>> {
    if new.is_empty() {
        return Ok(Vec::new());
    }
    let mut groups: BTreeMap<(SameBy, String), BTreeSet<ElementId>> = BTreeMap::new();
    let mut after: Option<ElementId> = None;
    loop {
        let page = records.page(after.as_ref(), PAGE).await?;
        let Some(last) = page.last() else { break };
        after = Some(last.id.clone());
        for element in page.iter().filter(|element| element.visibility != Visibility::Withdrawn) {
            for key in keys(element) {
                groups.entry(key).or_default().insert(element.id.clone());
            }
        }
    }
    let new: HashSet<&ElementId> = new.iter().collect();
    let mut told: HashSet<BTreeSet<ElementId>> = HashSet::new();
    let mut suggestions = Vec::new();
    for ((because, shared), ids) in groups {
        let is_portal = because == SameBy::Address && ids.len() > MOST_AT_AN_ADDRESS;
        if ids.len() < 2 || is_portal || !ids.iter().any(|id| new.contains(id)) || told.contains(&ids) {
            continue;
        }
        told.insert(ids.clone());
        suggestions.push(DuplicateSuggestion { because, shared, ids: ids.into_iter().collect() });
    }
    Ok(suggestions)
}

/// What an element can be the same by. Addresses and titles count within a kind: a notebook may be named after its publication.
fn keys(element: &Element) -> Vec<(SameBy, String)> {
    let kind = element.kind;
    let mut keys: Vec<(SameBy, String)> = element.doi.iter().map(|doi| (SameBy::Doi, doi.clone())).collect();
    keys.extend(own_addresses(&element.links).map(|address| (SameBy::Address, format!("{address} ({kind})"))));
    if element.title.len() >= LEAST_TITLE_BYTES {
        let mut authors: Vec<String> = element.authors.iter().map(|author| words_of(&author.name)).collect();
        authors.sort();
        keys.push((
            SameBy::TitleAndAuthors,
            format!("{} ({kind}) {}", words_of(&element.title), authors.join(", ")).trim_end().to_owned(),
        ));
    }
    keys
}

fn words_of(text: &str) -> String {
    let folded = fold(text);
    folded.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}
