//! What a gazetteer knows of imported elements: places named in those without a footprint, places that disagree with one.

use super::report::PlaceSuggestion;
use crate::{
    catalog::fault::{Fault, FaultKind},
    model::{
        bbox::BBox,
        element::{Element, ElementId},
    },
    ports::{Geocoder, PortResult, Records, geocoder::PlaceContext},
};

const BATCH: usize = 200;
/// Places named this far into a description are seldom what the element is about.
const TEXT_BYTES: usize = 1_500;
const MOST_PLACES: usize = 5;
/// Meanings of a place name that are compared with a footprint.
const MEANINGS: usize = 10;
/// A gazetteer knows many places as points: a footprint this near is not elsewhere.
const NEAR_DEGREES: f64 = 2.0;

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

/// The faults of elements (with the record each came from) whose declared places lie outside their footprint in every meaning of the
/// name. Two exchanged coordinates show themselves so.
pub(super) async fn elsewhere(
    records: &dyn Records,
    geocoder: &dyn Geocoder,
    placed: &[(u64, ElementId)],
) -> PortResult<Vec<(u64, ElementId, Fault)>> {
    let mut faults = Vec::new();
    for chunk in placed.chunks(BATCH) {
        let ids: Vec<ElementId> = chunk.iter().map(|(_, id)| id.clone()).collect();
        let elements = records.elements(&ids).await?;
        for (record, element) in
            chunk.iter().filter_map(|(record, id)| Some((*record, elements.iter().find(|element| element.id == *id)?)))
        {
            for fault in places_outside(geocoder, element).await? {
                faults.push((record, element.id.clone(), fault));
            }
        }
    }
    Ok(faults)
}

async fn places_outside(geocoder: &dyn Geocoder, element: &Element) -> PortResult<Vec<Fault>> {
    let (Some(spatial), Some(footprint)) = (&element.spatial, element.bbox()) else { return Ok(Vec::new()) };
    let around = widened(&footprint);
    let mut faults = Vec::new();
    for place in spatial.places.iter().take(MOST_PLACES) {
        let meanings = geocoder.candidates(place, &PlaceContext::default(), MEANINGS).await?;
        if !meanings.is_empty() && !meanings.iter().any(|meaning| meaning.bbox.intersects(&around)) {
            let message = format!("`{place}` lies outside the footprint {footprint}; were coordinates exchanged?");
            faults.push(Fault::new(FaultKind::PlaceElsewhere, "spatial.places", message));
        }
    }
    Ok(faults)
}

fn widened(bbox: &BBox) -> BBox {
    let (south, north) = ((bbox.south() - NEAR_DEGREES).max(-90.0), (bbox.north() + NEAR_DEGREES).min(90.0));
    let east = if bbox.crosses_antimeridian() { bbox.east() + 360.0 } else { bbox.east() };
    BBox::new(bbox.west() - NEAR_DEGREES, south, east + NEAR_DEGREES, north).unwrap_or(*bbox)
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
