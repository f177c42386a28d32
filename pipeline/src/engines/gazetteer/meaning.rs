//! What is known of one meaning of a name: how much it matters, where it lies, how it is shown.

use super::data::{Data, Naming, PlaceIndex};
use crate::model::{bbox::BBox, place::Place};

const EARTH_RADIUS_KM: f64 = 6371.0;

/// How likely a name means this place when nothing else is known, in powers of ten of "people who would mean it".
pub(super) fn importance(data: &Data, place: PlaceIndex, naming: Naming) -> f64 {
    let people = f64::from(data.population(place) + 1).log10();
    let size_km2 = || data.area_box(place).map_or(0.0, |bbox| bbox.area() * EARTH_RADIUS_KM * EARTH_RADIUS_KM);
    let by_kind = match data.kind(place) {
        "continent" | "ocean" => 8.2,
        "country" => 7.2 + 0.12 * people,
        "region" => 4.9 + 0.3 * people,
        "district" => 3.9 + 0.3 * people,
        "county" => 3.2 + 0.3 * people,
        "city" => people,
        "cape" | "waterfall" => 4.0,
        _ => 3.9 + 0.4 * (1.0 + size_km2() / 1000.0).log10(),
    };
    let is_city = data.kind(place) == "city";
    let by_name = match naming {
        Naming::Name => 0.0,
        // Cities have many names that others bear as their own.
        Naming::OtherName if is_city => -1.0,
        Naming::OtherName => -0.4,
        Naming::ShortName => -0.8,
        Naming::Demonym => -0.3,
    };
    by_kind + by_name
}

/// Whether the first is the country or region of the second, or a county or district around it.
pub(super) fn contains(data: &Data, outer: PlaceIndex, inner: PlaceIndex) -> bool {
    if outer == inner {
        return false;
    }
    match data.kind(outer) {
        "country" => !data.country(outer).is_empty() && data.country(outer) == data.country(inner),
        "region" => data.region(inner) == Some(outer),
        "county" => data.kind(inner) == "city" && data.region(inner) == data.region(outer) && in_its_box(data, outer, inner),
        "district" => data.kind(inner) == "city" && data.country(inner) == data.country(outer) && in_its_box(data, outer, inner),
        _ => false,
    }
}

fn in_its_box(data: &Data, outer: PlaceIndex, inner: PlaceIndex) -> bool {
    let [longitude, latitude] = data.at(inner);
    data.area_box(outer).is_some_and(|bbox| bbox.contains_point(longitude, latitude))
}

/// Great-circle distance.
pub(super) fn distance_km(a: [f64; 2], b: [f64; 2]) -> f64 {
    let [[a_lon, a_lat], [b_lon, b_lat]] = [a.map(f64::to_radians), b.map(f64::to_radians)];
    let half = ((b_lat - a_lat) / 2.0).sin().powi(2) + a_lat.cos() * b_lat.cos() * ((b_lon - a_lon) / 2.0).sin().powi(2);
    2.0 * EARTH_RADIUS_KM * half.sqrt().min(1.0).asin()
}

/// An area's own box, or one around a city as large as its people need at 4,000 a square kilometre, two kilometres at least.
pub(super) fn bbox(data: &Data, place: PlaceIndex) -> Option<BBox> {
    if let Some(bbox) = data.area_box(place) {
        return Some(bbox);
    }
    let [longitude, latitude] = data.at(place);
    let radius_km = (f64::from(data.population(place)) / 4000.0 / std::f64::consts::PI).sqrt().max(2.0);
    let dy = (radius_km / EARTH_RADIUS_KM).to_degrees();
    let dx = dy / latitude.to_radians().cos().max(0.01);
    let rounded = |degrees: f64| (degrees * 1e3).round() / 1e3;
    BBox::new(
        rounded(longitude - dx),
        rounded(latitude - dy).max(-90.0),
        rounded(longitude + dx),
        rounded(latitude + dy).min(90.0),
    )
    .ok()
}

/// `Georgia, United States (region)`.
pub(super) fn label(data: &Data, place: PlaceIndex) -> String {
    let name = data.name(place);
    let kind = data.kind(place);
    let mut parts = vec![name];
    let region = data.region(place).map(|region| data.name(region));
    parts.extend(region.filter(|region| *region != name));
    if kind != "country" {
        parts.extend(country_name(data, data.country(place)));
    }
    format!("{} ({kind})", parts.join(", "))
}

pub(super) fn country_name<'a>(data: &'a Data, iso: &str) -> Option<&'a str> {
    let country = data.with_id(&format!("ne:country:{iso}")).filter(|_| !iso.is_empty())?;
    Some(data.name(country))
}

/// Of a country or a city. Those of regions and counties are sums over their cities, good for comparing and no more.
pub(super) fn known_population(data: &Data, place: PlaceIndex) -> Option<u32> {
    Some(data.population(place)).filter(|people| *people > 0 && matches!(data.kind(place), "country" | "city"))
}

/// Without geometry.
pub(super) fn place(data: &Data, index: PlaceIndex, because: String) -> Option<Place> {
    let country = data.country(index);
    Some(Place {
        id: data.id(index),
        name: data.name(index).to_owned(),
        kind: data.kind(index).to_owned(),
        countries: if country.is_empty() { Vec::new() } else { vec![country.to_owned()] },
        label: label(data, index),
        bbox: bbox(data, index)?,
        geometry: None,
        centroid: data.at(index),
        population: known_population(data, index).map(u64::from),
        because,
    })
}
