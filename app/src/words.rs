//! Numbers, boxes and periods in words for a person.

use pipeline::model::{
    bbox::BBox,
    period::{Interval, Period},
    place::Area,
};

/// 1204 → `1,204`.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// `1 result`, `1,204 results`.
pub fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(number), if number == 1 { one } else { many })
}

/// `0.8 ms`, `41 ms`, `1.9 s`.
pub fn duration(elapsed_ms: f64) -> String {
    if elapsed_ms < 10.0 {
        format!("{elapsed_ms:.1} ms")
    } else if elapsed_ms < 1000.0 {
        format!("{elapsed_ms:.0} ms")
    } else {
        format!("{:.1} s", elapsed_ms / 1000.0)
    }
}

/// `61 MB`: decimal units.
pub fn size(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["bytes", "kB", "MB", "GB", "TB"];
    let mut value = bytes as f64;
    let mut unit = UNITS[0];
    for larger in UNITS.iter().skip(1) {
        if value < 1000.0 {
            break;
        }
        value /= 1000.0;
        unit = larger;
    }
    if value < 10.0 && unit != UNITS[0] { format!("{value:.1} {unit}") } else { format!("{value:.0} {unit}") }
}

/// An SPDX identifier as it is; `other` says that it is a licence.
pub fn licence(license: &str) -> String {
    if license.eq_ignore_ascii_case("other") { "other licence".to_owned() } else { license.to_owned() }
}

/// `10° W to 20.5° E, 5° S to 15° N`; a point is one position.
pub fn bbox(bbox: &BBox) -> String {
    if is_worldwide(bbox) {
        return "the whole world".to_owned();
    }
    let (west, east) = (longitude(bbox.west()), longitude(bbox.east()));
    let (south, north) = (latitude(bbox.south()), latitude(bbox.north()));
    if west == east && south == north {
        return format!("{west}, {south}");
    }
    let crossing = if bbox.crosses_antimeridian() { " across the antimeridian" } else { "" };
    format!("{west} to {east}{crossing}, {south} to {north}")
}

/// So wide and high that a box on the map would only be its frame.
pub fn is_worldwide(bbox: &BBox) -> bool {
    bbox.width() >= 350.0 && bbox.height() >= 110.0
}

fn longitude(degrees: f64) -> String {
    position(degrees, "E", "W")
}

fn latitude(degrees: f64) -> String {
    position(degrees, "N", "S")
}

fn position(degrees: f64, positive: &str, negative: &str) -> String {
    let rounded = (degrees * 100.0).round() / 100.0;
    let side = if rounded > 0.0 {
        format!(" {positive}")
    } else if rounded < 0.0 {
        format!(" {negative}")
    } else {
        String::new()
    };
    format!("{}°{side}", rounded.abs())
}

pub fn area(area: &Area) -> String {
    match area {
        Area::Box(bounds) => bbox(bounds),
        Area::Geometry(geometry) => match geometry.value.type_name() {
            "Point" => "a drawn point".to_owned(),
            "Polygon" | "MultiPolygon" => "a drawn area".to_owned(),
            _ => "a drawn shape".to_owned(),
        },
    }
}

/// `2000 to 2015`, `since 2015`, `until 2015`; the text as given where there is nothing else.
pub fn period(period: &Period) -> Option<String> {
    match (period.start, period.end) {
        (Some(start), Some(end)) if start == end => Some(start.to_string()),
        (Some(start), Some(end)) => Some(format!("{start} to {end}")),
        (Some(start), None) => Some(format!("since {start}")),
        (None, Some(end)) => Some(format!("until {end}")),
        (None, None) => period.text.clone(),
    }
}

pub fn interval(interval: &Interval) -> String {
    let asked = Period { start: interval.start(), end: interval.end(), text: None };
    period(&asked).unwrap_or_default()
}

/// `2026-11-30 12:04 UTC` of `2026-11-30T12:04:05Z`: the same words on the server and in every browser. Text in another form
/// stays as it is.
pub fn moment(created: &str) -> String {
    match created.strip_suffix('Z').and_then(|utc| utc.split_once('T')) {
        Some((date, time)) => format!("{date} {} UTC", time.get(..5).unwrap_or(time)),
        None => created.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        for (number, expected) in [(0, "0"), (999, "999"), (1204, "1,204"), (1_000_000, "1,000,000")] {
            assert_eq!(count(number), expected);
        }
        for (bytes, expected) in [(0, "0 bytes"), (999, "999 bytes"), (1500, "1.5 kB"), (61_000_000, "61 MB")] {
            assert_eq!(size(bytes), expected);
        }
        for (elapsed_ms, expected) in [(0.84, "0.8 ms"), (41.2, "41 ms"), (1900.0, "1.9 s")] {
            assert_eq!(duration(elapsed_ms), expected);
        }
    }

    #[test]
    fn moments() {
        for (created, expected) in [("2026-11-30T12:04:05.123Z", "2026-11-30 12:04 UTC"), ("some day", "some day")] {
            assert_eq!(moment(created), expected);
        }
    }

    #[test]
    fn boxes() {
        let check = |edges: [f64; 4], expected: &str| assert_eq!(bbox(&BBox::try_from(edges).unwrap()), expected);
        check([-10.0, -5.0, 20.5, 15.0], "10° W to 20.5° E, 5° S to 15° N");
        check([170.0, -20.0, -170.0, 0.0], "170° E to 170° W across the antimeridian, 20° S to 0°");
        check([2.35, 48.85, 2.35, 48.85], "2.35° E, 48.85° N");
        check([-180.0, -90.0, 180.0, 90.0], "the whole world");
    }

    #[test]
    fn periods() {
        let check = |text: &str, expected: &str| assert_eq!(interval(&text.parse().unwrap()), expected);
        check("2015", "2015");
        check("2015/..", "since 2015");
        check("../2015-06", "until 2015-06");
        check("2000/2010", "2000 to 2010");
    }
}
