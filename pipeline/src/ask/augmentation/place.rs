//! The place a question is about, named by a filter or in the text.

use crate::{
    model::{
        place::{Area, AreaFilter, Place, PlaceOutcome, PlaceStatus, Relation},
        query::SearchQuery,
    },
    ports::geocoder::PlaceContext,
    services::Services,
    text::{fold::fold, words::words},
};

/// Other meanings shown beside the one taken.
const ALTERNATIVES: usize = 6;
/// Words after which a place is expected even when it is written small.
const CUES: [&str; 14] =
    ["in", "near", "around", "over", "across", "within", "from", "off", "along", "of", "for", "at", "covering", "covers"];
/// A place written small counts only where its name can hardly be anything else.
const WELL_KNOWN_POPULATION: u64 = 300_000;

pub struct ReadPlace {
    pub outcome: PlaceOutcome,
    /// Named in the text, so a voice among others; otherwise it was asked for as a filter.
    pub in_text: bool,
}

impl ReadPlace {
    pub fn area(&self, relation: Relation) -> Option<AreaFilter> {
        let place = self.outcome.chosen.as_ref()?;
        let relation = if self.in_text { Relation::Intersects } else { relation };
        Some(AreaFilter { area: area_of(place), relation })
    }
}

/// The area of a place: its outline where the gazetteer has one, else its box.
fn area_of(place: &Place) -> Area {
    let outlined = place.geometry.clone().filter(|geometry| {
        matches!(geometry.value, geojson::GeometryValue::Polygon { .. } | geojson::GeometryValue::MultiPolygon { .. })
    });
    outlined.map_or(Area::Box(place.bbox), Area::Geometry)
}

pub async fn read_place(services: &Services, query: &SearchQuery, text: &str, identifier: bool) -> Option<ReadPlace> {
    if let Some(name) = &query.place {
        let context = PlaceContext { text: text.to_owned(), countries: Vec::new() };
        let outcome = match services.geocoder.candidates(name, &context, ALTERNATIVES + 1).await {
            Ok(candidates) => choose(services, name, candidates, query.place_id.as_deref()).await,
            Err(error) => failed(name, &error),
        };
        return Some(ReadPlace { outcome, in_text: false });
    }
    if text.is_empty() || identifier || query.filter.area.is_some() {
        return None;
    }
    let (name, candidates) = match services.geocoder.mentions(text).await {
        Ok(mentions) => match mentions.into_iter().next() {
            Some(mention) => (mention.name, mention.candidates),
            None => written_small(services, text).await?,
        },
        Err(error) => return Some(ReadPlace { outcome: failed(text, &error), in_text: true }),
    };
    let outcome = choose(services, &name, candidates, query.place_id.as_deref()).await;
    Some(ReadPlace { outcome, in_text: true })
}

/// The place a model read in the text. A name the text does not hold is an invention, and one that is not known changes nothing.
pub async fn read_named(services: &Services, name: &str, text: &str) -> Option<ReadPlace> {
    if !fold(text).contains(&fold(name)) {
        return None;
    }
    let context = PlaceContext { text: text.to_owned(), countries: Vec::new() };
    let candidates = services.geocoder.candidates(name, &context, ALTERNATIVES + 1).await.ok()?;
    if candidates.is_empty() {
        return None;
    }
    Some(ReadPlace { outcome: choose(services, name, candidates, None).await, in_text: true })
}

/// `glaciers in alaska`: the longest name of up to three words after a cue.
async fn written_small(services: &Services, text: &str) -> Option<(String, Vec<Place>)> {
    let words = words(text);
    for (at, cue) in words.iter().enumerate() {
        if !CUES.contains(&cue.folded.as_str()) {
            continue;
        }
        for length in (1..=3).rev() {
            let (Some(first), Some(last)) = (words.get(at + 1), words.get(at + length)) else { continue };
            let Some(name) = text.get(first.start..last.end) else { continue };
            let candidates = services.geocoder.candidates(name, &PlaceContext::default(), ALTERNATIVES + 1).await.ok()?;
            if candidates.first().is_some_and(is_well_known) {
                return Some((name.to_owned(), candidates));
            }
        }
    }
    None
}

fn is_well_known(place: &Place) -> bool {
    place.kind != "city" || place.population.is_some_and(|people| people >= WELL_KNOWN_POPULATION)
}

async fn choose(services: &Services, name: &str, candidates: Vec<Place>, wanted: Option<&str>) -> PlaceOutcome {
    let mut alternatives = candidates;
    if alternatives.is_empty() {
        return PlaceOutcome {
            name: name.to_owned(),
            status: PlaceStatus::NotFound,
            chosen: None,
            alternatives,
            reason: format!("No place called “{name}” is known. Check the spelling, or draw the area instead."),
        };
    }
    let at = alternatives.iter().position(|place| wanted == Some(place.id.as_str())).unwrap_or(0);
    let first = alternatives.remove(at);
    // lists carry no outlines: the one that is taken is read whole
    let chosen = match services.geocoder.place(&first.id).await {
        Ok(Some(whole)) => Place { because: first.because, ..whole },
        _ => first,
    };
    for place in &mut alternatives {
        place.geometry = None;
    }
    let status = if alternatives.is_empty() || wanted.is_some() { PlaceStatus::Found } else { PlaceStatus::Ambiguous };
    let reason = format!("“{name}” is taken as {}: {}", chosen.label, chosen.because);
    PlaceOutcome { name: name.to_owned(), status, chosen: Some(chosen), alternatives, reason }
}

fn failed(name: &str, error: &crate::ports::PortError) -> PlaceOutcome {
    PlaceOutcome {
        name: name.to_owned(),
        status: PlaceStatus::Failed,
        chosen: None,
        alternatives: Vec::new(),
        reason: format!("Place names could not be looked up ({error}); draw the area instead."),
    }
}
