//! A still map of the world: what a map shows without JavaScript and before it is ready.

use leptos::prelude::*;
use pipeline::model::{bbox::BBox, element::Kind};

use super::kind_mark;
use crate::words;

/// A footprint on a still map, with its number where it has one.
#[derive(Clone, Debug, PartialEq)]
pub struct WorldBox {
    pub bbox: BBox,
    pub kind: Kind,
    pub number: Option<u32>,
}

#[component]
pub fn World(
    boxes: Vec<WorldBox>,
    /// The area that was asked for.
    #[prop(default = None)]
    asked: Option<BBox>,
    #[prop(into)] label: String,
) -> impl IntoView {
    let asked = asked.map(|area| {
        let parts = area.split().into_iter().map(|part| {
            view! { <rect class="asked" x=part.west() y=-part.north() width=part.width().max(1.0) height=part.height().max(1.0) /> }
        });
        parts.collect_view()
    });
    view! {
        <svg class="world" viewBox="-180 -90 360 180" role="img" aria-label=label>
            <use href="/world.svg#land" />
            {asked}
            {boxes.into_iter().map(|item| view! { <WorldMark item /> }).collect_view()}
        </svg>
    }
    .into_any()
}

#[component]
fn WorldMark(item: WorldBox) -> impl IntoView {
    let WorldBox { bbox, kind, number } = item;
    let worldwide = words::is_worldwide(&bbox);
    let parts = if worldwide { Vec::new() } else { bbox.split() };
    let shapes = parts.into_iter().map(|part| {
        view! { <rect x=part.west() y=-part.north() width=part.width().max(2.0) height=part.height().max(2.0) rx="0.5" /> }
    });
    let (longitude, latitude) = bbox.centre();
    let label = number.filter(|_| !worldwide).map(|number| view! { <text x=longitude y=3.0 - latitude>{number}</text> });
    // the larger a box, the fainter: small ones must show through large ones
    let opacity = (8.0 / (bbox.width() * bbox.height()).sqrt().max(8.0)).clamp(0.15, 1.0);
    view! {
        <g class=format!("mark {}", kind_mark::class(kind)) opacity=format!("{opacity:.2}")>
            {shapes.collect_view()} {label}
        </g>
    }
    .into_any()
}
