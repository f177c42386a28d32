//! Place names in elements without a footprint.

use super::report::PlaceSuggestion;
use crate::{
    model::element::ElementId,
    ports::{Geocoder, PortResult, Records},
};

const BATCH: usize = 200;
/// Places named this far into a description are seldom what the element is about.
const TEXT_BYTES: usize = 1_500;
const MOST_PLACES: usize = 5;

/// The places named in title and description of each element, likeliest meaning first met, without repetitions.
pub(super) async fn places(
    records: &dyn Records,
    geocoder: &dyn Geocoder,
    ids: &[ElementId],
) -> PortResult<Vec<PlaceSuggestion>> {
    let mut suggestions = Vec::new();
    for chunk in ids.chunks(BATCH) {
        for element in records.elements(chunk).await? {
            let text = format!("{}. {}", element.title, beginning(&element.description));
            let mut places: Vec<String> = Vec::new();
            for mention in geocoder.mentions(&text).await? {
                let Some(likeliest) = mention.candidates.first() else { continue };
                if !places.contains(&likeliest.label) && places.len() < MOST_PLACES {
                    places.push(likeliest.label.clone());
                }
            }
            if !places.is_empty() {
                suggestions.push(PlaceSuggestion { id: element.id, title: element.title, places });
            }
        }
    }
    Ok(suggestions)
}

fn beginning(text: &str) -> &str {
    let mut end = text.len().min(TEXT_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_is_never_within_a_letter() {
        let text = "é".repeat(TEXT_BYTES);
        assert!(beginning(&text).len() <= TEXT_BYTES);
        assert_eq!(beginning("short"), "short");
    }
}
