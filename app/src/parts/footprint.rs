//! The footprint of an element as a thumbnail: where on the globe it lies.

use leptos::{either::Either, prelude::*};
use pipeline::model::bbox::BBox;

use crate::words;

/// Degrees below which a box is shown as a ring around its middle: smaller ones cannot be seen on a thumbnail.
const VISIBLE_DEGREES: f64 = 9.0;

#[component]
pub fn Footprint(bbox: Option<BBox>) -> impl IntoView {
    let Some(bbox) = bbox else {
        return Either::Left(view! { <span class="footprint footprint-none">"no footprint"</span> });
    };
    Either::Right(view! {
        <svg class="footprint" viewBox="-180 -90 360 180" role="img" aria-label=format!("Footprint: {}", words::bbox(&bbox))>
            <use href="/world.svg#land" />
            <FootprintShape bbox />
        </svg>
    })
}

/// One box, or two where it crosses the antimeridian, in degrees with south downwards.
#[component]
fn FootprintShape(bbox: BBox) -> impl IntoView {
    if bbox.width() < VISIBLE_DEGREES && bbox.height() < VISIBLE_DEGREES {
        let (longitude, latitude) = bbox.centre();
        return Either::Left(view! { <circle class="extent" cx=longitude cy=-latitude r="7" /> });
    }
    let parts = bbox.split().into_iter().map(|part| {
        view! { <rect class="extent" x=part.west() y=-part.north() width=part.width().max(3.0) height=part.height().max(3.0) /> }
    });
    Either::Right(parts.collect_view())
}
