//! What the catalogue holds, for somebody who comes for the first time.

use std::collections::HashSet;

use crate::{
    model::{
        element::{Element, Kind},
        overview::{Overview, OverviewFootprint},
        query::{Filter, Sort},
    },
    ports::{PortResult, search_index::FacetScope},
    services::Services,
};

/// How many of the most viewed elements are looked at for footprints and examples.
const LOOKED_AT: usize = 300;

/// # Errors
/// An index or records that do not answer.
pub async fn overview(services: &Services) -> PortResult<Overview> {
    let everything = Filter::default();
    let facets = services.index.facets(FacetScope::Filter(&everything), Kind::ALL.len()).await?;
    let popular = services.index.browse(&everything, Sort::Popular, 0, LOOKED_AT).await?;
    let ids: Vec<_> = popular.hits.into_iter().map(|hit| hit.id).collect();
    let mut elements = services.records.elements(&ids).await?;
    elements.retain(Element::is_public);
    let footprints = elements.iter().filter_map(|element| Some(OverviewFootprint { kind: element.kind, bbox: element.bbox()? }));
    Ok(Overview {
        total: popular.total,
        kinds: facets.kinds,
        footprints: footprints.collect(),
        examples: examples(&elements),
        without_footprint: services.index.count_without_footprint(&everything).await?,
    })
}

/// One question a kind, about the first element of the kind that says enough, each about something else.
fn examples(elements: &[Element]) -> Vec<String> {
    let mut subjects = HashSet::new();
    let of_kind = |kind: Kind| {
        elements.iter().filter(|element| element.kind == kind).find_map(|element| {
            let subject = element.tags.iter().find(|tag| is_telling(tag) && !subjects.contains(&tag.to_lowercase()))?;
            subjects.insert(subject.to_lowercase());
            Some(question(element, subject))
        })
    };
    Kind::ALL.into_iter().filter_map(of_kind).collect()
}

/// A tag that reads as words within a sentence.
fn is_telling(tag: &str) -> bool {
    (4..=40).contains(&tag.chars().count()) && !tag.contains(['_', '/', ':', '>', '.'])
}

fn question(element: &Element, subject: &str) -> String {
    let place = element.spatial.as_ref().and_then(|spatial| spatial.places.first());
    match (element.kind, place) {
        (Kind::Dataset, Some(place)) => format!("Which datasets about {subject} cover {place}?"),
        (Kind::Dataset, None) => format!("Which datasets are about {subject}?"),
        (Kind::Notebook, _) => format!("Is there a notebook that works with {subject}?"),
        (Kind::Publication, _) => format!("What has been published about {subject}?"),
        (Kind::Map, Some(place)) => format!("Is there a map of {subject} in {place}?"),
        (Kind::Map, None) => format!("Is there a map of {subject}?"),
        (Kind::Code, _) => format!("Which code helps with {subject}?"),
        (Kind::Oer, _) => format!("How can I learn about {subject}?"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::element::Spatial;

    #[test]
    fn examples_ask_about_what_is_there() {
        let element = |id: &str, kind, tags: &[&str], place: Option<&str>| {
            let mut element = Element::new(id, kind, id);
            element.tags = tags.iter().map(|tag| (*tag).to_owned()).collect();
            element.spatial = place.map(|place| Spatial { places: vec![place.to_owned()], ..Spatial::default() });
            element
        };
        let elements = [
            element("a", Kind::Dataset, &["COP_DEM", "rainfall"], Some("Kenya")),
            element("b", Kind::Dataset, &["snow"], None),
            element("c", Kind::Oer, &["Rainfall"], None),
            element("d", Kind::Oer, &["map projections"], None),
        ];
        assert_eq!(examples(&elements), ["Which datasets about rainfall cover Kenya?", "How can I learn about map projections?"]);
        assert_eq!(examples(&[]), Vec::<String>::new());
    }
}
