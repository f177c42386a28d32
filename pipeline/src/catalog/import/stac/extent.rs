//! Extents of STAC: boxes and intervals as providers really write them, each fault named.

use serde_json::{Map, Value, json};

use super::{super::draft::Draft, repair::almost_json};
use crate::{
    catalog::{fault::FaultKind, validate::footprint::read_box},
    model::{bbox::BBox, period::PartialDate},
};

const MAX_BOXES: usize = 500;
/// Longer edges of a polygon are read as going the other way around the globe.
const WIDEST_POLYGON: f64 = 180.0;
const BOX_FIELD: &str = "extent.spatial.bbox";
const INTERVAL_FIELD: &str = "extent.temporal.interval";
/// Degrees by which the whole may differ from its parts by rounding.
const ROUNDING: f64 = 1e-6;

/// Sets footprint and period of a collection.
pub(super) fn set_extent(draft: &mut Draft, extent: Option<&Value>) {
    let repaired;
    let extent = match extent {
        None | Some(Value::Null) => {
            draft.fault(FaultKind::NoBox, "extent", "there is no extent");
            return;
        }
        Some(Value::String(text)) => match almost_json(text) {
            Some(value) if value.is_object() => {
                draft.fault(
                    FaultKind::ExtentIsText,
                    "extent",
                    "the extent is a text, not an object; its quoting was repaired and it was read",
                );
                repaired = value;
                &repaired
            }
            _ => {
                draft.fault(
                    FaultKind::ExtentUnreadable,
                    "extent",
                    "the extent is a text that cannot be read, even with its quoting repaired",
                );
                return;
            }
        },
        Some(value) => value,
    };
    if !extent.is_object() {
        draft.fault(FaultKind::ExtentUnreadable, "extent", "the extent is not an object with spatial and temporal");
        return;
    }
    set_boxes(draft, extent.pointer("/spatial/bbox"));
    set_intervals(draft, extent.pointer("/temporal/interval"));
}

fn set_boxes(draft: &mut Draft, value: Option<&Value>) {
    let mut found = Vec::new();
    let mut depths = Vec::new();
    innermost(value.unwrap_or(&Value::Null), 0, &mut found, &mut depths);
    if found.is_empty() {
        draft.fault(FaultKind::NoBox, BOX_FIELD, "there is no box; the element has no footprint");
        return;
    }
    if depths.iter().any(|depth| *depth != 1) {
        draft.fault(
            FaultKind::MisnestedBox,
            BOX_FIELD,
            "a list of boxes is expected; the box was found at another depth and taken out",
        );
    }
    if found.len() > MAX_BOXES {
        draft.fault(FaultKind::TooLong, BOX_FIELD, format!("{} boxes; the first {MAX_BOXES} were read", found.len()));
    }
    let mut boxes: Vec<BBox> = Vec::new();
    for value in found.into_iter().take(MAX_BOXES) {
        let reading = read_box(value, BOX_FIELD);
        draft.faults.extend(reading.faults);
        boxes.extend(reading.bbox);
    }
    match boxes.as_slice() {
        [] => {}
        [only] => draft.set("spatial", json!({"bbox": only})),
        [a, b] if let Some(whole) = over_the_antimeridian(a, b).or_else(|| over_the_antimeridian(b, a)) => {
            draft.set("spatial", json!({"bbox": whole}));
        }
        [first, rest @ ..] => {
            let spatial = several(draft, first, rest);
            draft.set("spatial", spatial);
        }
    }
}

/// The lists without lists in them, with the depth they were found at: a box, an interval.
fn innermost<'a>(value: &'a Value, depth: usize, found: &mut Vec<&'a Value>, depths: &mut Vec<usize>) {
    match value {
        Value::Array(items) if items.iter().any(Value::is_array) => {
            items.iter().for_each(|item| innermost(item, depth + 1, found, depths))
        }
        Value::Array(items) if !items.is_empty() => {
            found.push(value);
            depths.push(depth);
        }
        _ => {}
    }
}

/// One box that was cut at the antimeridian into a western and an eastern one.
fn over_the_antimeridian(west: &BBox, east: &BBox) -> Option<BBox> {
    let same_latitudes = west.south() == east.south() && west.north() == east.north();
    let meet = west.east() == 180.0 && east.west() == -180.0 && east.east() < west.west();
    if same_latitudes && meet { BBox::new(west.west(), west.south(), east.east(), west.north()).ok() } else { None }
}

/// STAC's rule: the first box is the whole, the others are the parts that hold data. Where the parts fill the whole to its edges
/// they are the better footprint; where the first is not the whole, all count alike.
fn several(draft: &mut Draft, first: &BBox, rest: &[BBox]) -> Value {
    let parts: Vec<&BBox> = rest.iter().filter(|part| part.area() > 0.0).collect();
    let first_is_whole = rest.iter().all(|part| first.contains(part));
    if !first_is_whole {
        let message = format!("the first box {first} does not hold the others; all of them were taken together");
        draft.fault(FaultKind::BoxesDisagree, BOX_FIELD, message);
        let all: Vec<&BBox> = std::iter::once(first).chain(parts).collect();
        return parts_or_whole(&all, &around(&all));
    }
    if reach_all_edges(first, &parts) { parts_or_whole(&parts, first) } else { json!({"bbox": first}) }
}

/// The parts as polygons, or the whole as a box where a part is so wide that its edges could be read the short way around the globe.
fn parts_or_whole(parts: &[&BBox], whole: &BBox) -> Value {
    if parts.iter().any(|part| part.width() > WIDEST_POLYGON) {
        json!({"bbox": whole})
    } else {
        json!({"geometry": multi_polygon(parts)})
    }
}

/// The box around boxes of which one is wide: the whole parallel where one crosses the antimeridian.
fn around(boxes: &[&BBox]) -> BBox {
    let least = |edge: fn(&BBox) -> f64| boxes.iter().map(|bbox| edge(bbox)).fold(f64::INFINITY, f64::min);
    let greatest = |edge: fn(&BBox) -> f64| boxes.iter().map(|bbox| edge(bbox)).fold(f64::NEG_INFINITY, f64::max);
    let crosses = boxes.iter().any(|bbox| bbox.crosses_antimeridian());
    let (west, east) = if crosses { (-180.0, 180.0) } else { (least(BBox::west), greatest(BBox::east)) };
    BBox::new(west, least(BBox::south), east, greatest(BBox::north)).unwrap_or(BBox::WORLD)
}

fn reach_all_edges(whole: &BBox, parts: &[&BBox]) -> bool {
    let touches = |edge: fn(&BBox) -> f64| parts.iter().any(|part| (edge(part) - edge(whole)).abs() <= ROUNDING);
    touches(BBox::west) && touches(BBox::south) && touches(BBox::east) && touches(BBox::north)
}

fn multi_polygon(boxes: &[&BBox]) -> Value {
    let ring = |piece: BBox| {
        let (west, south, east, north) = (piece.west(), piece.south(), piece.east(), piece.north());
        json!([[[west, south], [east, south], [east, north], [west, north], [west, south]]])
    };
    let polygons: Vec<Value> = boxes.iter().flat_map(|bbox| bbox.split()).map(ring).collect();
    json!({"type": "MultiPolygon", "coordinates": polygons})
}

fn set_intervals(draft: &mut Draft, value: Option<&Value>) {
    let mut found = Vec::new();
    innermost(value.unwrap_or(&Value::Null), 0, &mut found, &mut Vec::new());
    let intervals: Vec<(&Value, &Value)> = found
        .into_iter()
        .filter_map(|interval| match interval.as_array().map(Vec::as_slice) {
            Some([start, end]) => Some((start, end)),
            _ => None,
        })
        .collect();
    let Some((start, end)) = intervals.first().copied() else {
        draft.fault(FaultKind::NoPeriod, INTERVAL_FIELD, "there is no interval; the element has no period");
        return;
    };
    match (start, end) {
        (Value::Null, Value::Null) => {
            draft.fault(FaultKind::PeriodOpen, INTERVAL_FIELD, "the interval has neither start nor end")
        }
        (start, end) if not_available(start) && not_available(end) => {
            let written = start.as_str().unwrap_or_default();
            draft.fault(
                FaultKind::PeriodNotAvailable,
                INTERVAL_FIELD,
                format!("both ends say `{written}`; the element has no period"),
            );
        }
        _ if intervals.len() == 1 => draft.set("temporal", json!({"start": start, "end": end})),
        _ => set_span(draft, &intervals),
    }
}

fn not_available(value: &Value) -> bool {
    let known = ["not available", "n/a", "na", "none", "null", "unknown", "nan", ""];
    value.as_str().is_some_and(|text| known.contains(&text.trim().to_lowercase().as_str()))
}

/// The first interval is the whole by STAC's rule. Where it is not, the span of all is taken and the intervals are kept as text.
fn set_span(draft: &mut Draft, intervals: &[(&Value, &Value)]) {
    let date = |value: &Value| value.as_str().and_then(|text| text.parse::<PartialDate>().ok());
    let spans: Vec<Span> = intervals.iter().map(|(start, end)| Span { start: date(start), end: date(end) }).collect();
    let Some((first, rest)) = spans.split_first() else { return };
    if rest.iter().all(|part| first.first_second() <= part.first_second() && part.last_second() <= first.last_second()) {
        draft.set("temporal", json!({"start": first.start, "end": first.end}));
        return;
    }
    let start = spans.iter().min_by_key(|span| span.first_second()).and_then(|span| span.start);
    let end = spans.iter().max_by_key(|span| span.last_second()).and_then(|span| span.end);
    let text = spans.iter().map(Span::to_string).collect::<Vec<_>>().join(", ");
    draft.fault(FaultKind::SeveralIntervals, INTERVAL_FIELD, format!("{text}: the whole span was taken"));
    draft.set("temporal", json!({"start": start, "end": end, "text": text}));
}

struct Span {
    start: Option<PartialDate>,
    end: Option<PartialDate>,
}

impl Span {
    fn first_second(&self) -> i64 {
        self.start.map_or(i64::MIN, |date| date.first_second())
    }

    fn last_second(&self) -> i64 {
        self.end.map_or(i64::MAX, |date| date.last_second())
    }
}

impl std::fmt::Display for Span {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let write = |date: Option<PartialDate>| date.map_or_else(|| "..".to_owned(), |date| date.to_string());
        write!(f, "{}/{}", write(self.start), write(self.end))
    }
}

/// The period of an item: `start_datetime` and `end_datetime`, else `datetime`.
pub(super) fn set_item_period(draft: &mut Draft, properties: &Map<String, Value>) {
    let given = |name: &str| properties.get(name).filter(|value| !value.is_null() && !not_available(value));
    match (given("start_datetime"), given("end_datetime"), given("datetime")) {
        (None, None, None) => {
            draft.fault(FaultKind::PeriodOpen, "properties.datetime", "there is no date; the element has no period")
        }
        (None, None, Some(moment)) => draft.set("temporal", json!({"start": moment, "end": moment})),
        (start, end, _) => draft.set("temporal", json!({"start": start, "end": end})),
    }
}
