//! Whether one element passes a filter: the meaning that every engine's own filter must agree with.

use crate::{
    geometry::{Shape, relates},
    model::{element::Element, query::Filter},
    text::fold::fold,
};

/// Public, and every condition of the filter holds. Tags and contributors are compared without case and accents. An
/// element without a footprint never passes an area; coverage known only in words never passes a time range.
pub fn admits(filter: &Filter, element: &Element) -> bool {
    element.is_public()
        && (filter.kinds.is_empty() || filter.kinds.contains(&element.kind))
        && filter.tags.iter().all(|tag| element.tags.iter().any(|own| fold(own) == fold(tag)))
        && (filter.contributors.is_empty()
            || element
                .contributor
                .as_ref()
                .is_some_and(|own| filter.contributors.iter().any(|name| fold(name) == fold(&own.name))))
        && filter.datetime.is_none_or(|interval| element.temporal.as_ref().is_some_and(|period| interval.overlaps(period)))
        && filter.area.as_ref().is_none_or(|asked| {
            let footprint = element.spatial.as_ref().and_then(Shape::from_spatial);
            let area = Shape::from_area(&asked.area).ok();
            footprint.zip(area).is_some_and(|(footprint, area)| relates(&footprint, asked.relation, &area))
        })
}
