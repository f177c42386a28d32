//! The map: footprints of the cards beside it, and the area a person asks for.

mod panel;
mod shape;

#[cfg(feature = "hydrate")]
mod board;
#[cfg(feature = "hydrate")]
mod leaflet_externs;
#[cfg(feature = "hydrate")]
mod scripts;

use geojson::Geometry;
use pipeline::model::{
    bbox::BBox,
    element::{Element, ElementId, Kind},
    place::Area,
    query::SearchQuery,
    results::{ResultItem, SearchResults},
};

pub use panel::{MapPanel, StillMap};

/// Everything a map shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MapContent {
    pub footprints: Vec<MapFootprint>,
    /// What was asked for: drawn, typed, or the extent of a named place.
    pub area: Option<Area>,
}

/// A footprint with the number of its card.
#[derive(Clone, Debug, PartialEq)]
pub struct MapFootprint {
    pub number: u32,
    pub id: ElementId,
    pub kind: Kind,
    pub title: String,
    pub bbox: BBox,
    pub geometry: Option<Geometry>,
}

impl MapContent {
    pub fn of_search(query: &SearchQuery, found: Option<&SearchResults>) -> Self {
        let drawn = query.filter.area.as_ref().map(|filter| filter.area.clone());
        let named = || Some(Area::Box(found?.place.as_ref()?.chosen.as_ref()?.bbox));
        let items = found.map(|found| found.items.as_slice()).unwrap_or_default();
        Self { footprints: items.iter().filter_map(|item| footprint(item, item.position)).collect(), area: drawn.or_else(named) }
    }

    /// Cards that are numbered from 1 in their order.
    pub fn of_cards(items: &[ResultItem]) -> Self {
        Self { footprints: (1..).zip(items).filter_map(|(number, item)| footprint(item, number)).collect(), area: None }
    }

    pub fn of_element(element: &Element) -> Self {
        let footprint = element.bbox().map(|bbox| MapFootprint {
            number: 1,
            id: element.id.clone(),
            kind: element.kind,
            title: element.title.clone(),
            bbox,
            geometry: element.spatial.as_ref().and_then(|spatial| spatial.geometry.clone()),
        });
        Self { footprints: footprint.into_iter().collect(), area: None }
    }
}

fn footprint(item: &ResultItem, number: u32) -> Option<MapFootprint> {
    Some(MapFootprint {
        number,
        id: item.id.clone(),
        kind: item.kind,
        title: item.title.clone(),
        bbox: item.bbox?,
        geometry: item.geometry.clone(),
    })
}
