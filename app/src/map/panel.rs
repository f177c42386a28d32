//! The map with its tools and its text twin.

use leptos::{ev::MouseEvent, html::Div, prelude::*};
use leptos_meta::Stylesheet;
use pipeline::model::{bbox::BBox, element::ElementId, place::Area};

use super::MapContent;
use crate::{
    parts::{CardNumber, World, WorldBox},
    words,
};

/// A map in the browser; until it is ready, and without JavaScript, the children show the same as a drawing and as text.
#[component]
pub fn MapPanel(
    content: RwSignal<MapContent>,
    lit: RwSignal<Option<ElementId>>,
    /// Called with the area a person draws, uploads or looks at, and with `None` when the area is removed. Without it the
    /// map has no tools.
    #[prop(optional)]
    on_area: Option<Callback<Option<Area>>>,
    /// [`StillMap`], somewhere within.
    children: Children,
) -> impl IntoView {
    let board = NodeRef::<Div>::new();
    let message = RwSignal::new(String::new());
    let tools = live_board(board, content, lit, on_area, message);
    let under_pointer = move |event: &MouseEvent| {
        let number = number_under(event)?;
        content.with_untracked(|content| content.footprints.iter().find(|footprint| footprint.number == number).cloned())
    };
    view! {
        <Stylesheet href="/vendor/leaflet/leaflet.css" />
        <Stylesheet href="/vendor/geoman/leaflet-geoman.css" />
        <div class="map-panel">
            <div class="map">
                <div
                    class="map-board"
                    node_ref=board
                    on:mouseover=move |event| lit.set(under_pointer(&event).map(|footprint| footprint.id))
                    on:mouseleave=move |_| lit.set(None)
                    on:click=move |event| {
                        if let Some(footprint) = under_pointer(&event).filter(|_| !tools.is_drawing()) {
                            show_card(CardNumber(footprint.number));
                        }
                    }
                ></div>
                {children()}
            </div>
            {on_area.map(|on_area| view! { <Tools tools on_area message /> })}
        </div>
    }
    .into_any()
}

/// The same as the map: drawn at once on the server, and in words for those who do not see it.
#[component]
pub fn StillMap(content: MapContent, shown: RwSignal<MapContent>) -> impl IntoView {
    let for_board = content.clone();
    Effect::new(move || shown.set(for_board.clone()));
    let MapContent { footprints, area } = content;
    let boxes = footprints.iter().map(|item| WorldBox { bbox: item.bbox, kind: item.kind, number: Some(item.number) }).collect();
    let asked = area.as_ref().and_then(area_bbox);
    let label = format!("Map of {}", words::counted(footprints.len() as u64, "footprint", "footprints"));
    let area_words = area.map(|area| view! { <p>"Area asked for: " {words::area(&area)} "."</p> });
    let lines = footprints.into_iter().map(|item| {
        let href = format!("#{}", CardNumber(item.number).anchor());
        view! { <li value=item.number><a href=href rel="external">{item.title}</a>": "{words::bbox(&item.bbox)}</li> }
    });
    view! {
        <div class="map-still">
            <World boxes asked label />
        </div>
        <details class="map-words">
            <summary>"The map in words"</summary>
            {area_words}
            <ol>{lines.collect_view()}</ol>
        </details>
    }
    .into_any()
}

fn area_bbox(area: &Area) -> Option<BBox> {
    match area {
        Area::Box(bbox) => Some(*bbox),
        Area::Geometry(geometry) => super::shape::bounds(&geometry.value),
    }
}

#[component]
fn Tools(tools: LiveBoard, on_area: Callback<Option<Area>>, message: RwSignal<String>) -> impl IntoView {
    view! {
        <div class="map-tools js-only">
            <button type="button" on:click=move |_| { tools.visible_area().inspect(|area| on_area.run(Some(area.clone()))); }>
                "Search this area"
            </button>
            <label class="button file">
                "Use a GeoJSON file"
                <input type="file" accept=".geojson,.json,application/geo+json" on:change=move |event| read_file(event, on_area, message) />
            </label>
        </div>
        <p class="map-message" role="status">
            {move || message.get()}
        </p>
    }
    .into_any()
}

#[cfg(feature = "hydrate")]
use browser::{LiveBoard, live_board, number_under, read_file, show_card};
#[cfg(not(feature = "hydrate"))]
use server::{LiveBoard, live_board, number_under, read_file, show_card};

#[cfg(feature = "hydrate")]
mod browser {
    use leptos::{ev::Event, task::spawn_local};
    use wasm_bindgen::JsCast;
    use wasm_bindgen_futures::JsFuture;

    use super::*;
    use crate::map::{board::Board, shape};

    /// A handle to the map once it is there.
    #[derive(Clone, Copy)]
    pub struct LiveBoard(StoredValue<Option<Board>, LocalStorage>);

    impl LiveBoard {
        pub fn is_drawing(self) -> bool {
            self.0.with_value(|board| board.as_ref().is_some_and(Board::is_drawing))
        }

        /// What the map shows now, as a box.
        pub fn visible_area(self) -> Option<Area> {
            self.0.with_value(|board| board.as_ref().and_then(Board::visible_area))
        }
    }

    pub fn live_board(
        place: NodeRef<Div>,
        content: RwSignal<MapContent>,
        lit: RwSignal<Option<ElementId>>,
        on_area: Option<Callback<Option<Area>>>,
        message: RwSignal<String>,
    ) -> LiveBoard {
        let board = StoredValue::new_local(None::<Board>);
        let ready = RwSignal::new(false);
        Effect::new(move || {
            let Some(place) = place.get() else { return };
            spawn_local(async move {
                match Board::mount(&place, on_area).await {
                    // the page may be gone by now: the board then removes itself as it is dropped
                    Ok(mounted) => {
                        board.try_set_value(Some(mounted));
                        ready.try_set(true);
                    }
                    Err(_) => {
                        message.try_set("The interactive map could not be loaded; the drawing above shows the same.".to_owned());
                    }
                }
            });
        });
        Effect::new(move || {
            if ready.get() {
                content.with(|content| board.with_value(|board| board.iter().for_each(|board| board.show(content))));
            }
        });
        Effect::new(move || {
            let id = lit.get();
            let number = content
                .with(|content| content.footprints.iter().find(|item| Some(&item.id) == id.as_ref()).map(|item| item.number));
            board.with_value(|board| board.iter().for_each(|board| board.light(number)));
        });
        on_cleanup(move || board.set_value(None));
        LiveBoard(board)
    }

    /// The number of the footprint under the pointer, which the board gave it as a class.
    pub fn number_under(event: &MouseEvent) -> Option<u32> {
        let target = event.target()?.dyn_into::<web_sys::Element>().ok()?;
        let footprint = target.closest(".fp").ok()??;
        let classes = footprint.get_attribute("class")?;
        classes.split_whitespace().find_map(|class| class.strip_prefix("fp-")?.parse().ok())
    }

    pub fn show_card(number: CardNumber) {
        if let Some(card) = document().get_element_by_id(&number.anchor()) {
            let options = web_sys::ScrollIntoViewOptions::new();
            options.set_block(web_sys::ScrollLogicalPosition::Nearest);
            card.scroll_into_view_with_scroll_into_view_options(&options);
        }
    }

    pub fn read_file(event: Event, on_area: Callback<Option<Area>>, message: RwSignal<String>) {
        let input = event.target().and_then(|target| target.dyn_into::<web_sys::HtmlInputElement>().ok());
        let Some(input) = input else { return };
        let Some(file) = input.files().and_then(|files| files.get(0)) else { return };
        spawn_local(async move {
            let text = JsFuture::from(file.text()).await.ok().and_then(|text| text.as_string()).unwrap_or_default();
            // so that the same file can be chosen again
            input.set_value("");
            match shape::from_file(&text) {
                Ok(shape) => {
                    message.set(shape.note.unwrap_or_default());
                    on_area.run(Some(Area::Geometry(shape.geometry)));
                }
                Err(reason) => message.set(reason),
            }
        });
    }
}

/// The same names where there is no map.
#[cfg(not(feature = "hydrate"))]
mod server {
    use leptos::ev::Event;

    use super::*;

    #[derive(Clone, Copy)]
    pub struct LiveBoard;

    impl LiveBoard {
        pub fn is_drawing(self) -> bool {
            false
        }

        pub fn visible_area(self) -> Option<Area> {
            None
        }
    }

    pub fn live_board(
        _: NodeRef<Div>,
        _: RwSignal<MapContent>,
        _: RwSignal<Option<ElementId>>,
        _: Option<Callback<Option<Area>>>,
        _: RwSignal<String>,
    ) -> LiveBoard {
        LiveBoard
    }

    pub fn number_under(_: &MouseEvent) -> Option<u32> {
        None
    }

    pub fn show_card(_: CardNumber) {}

    pub fn read_file(_: Event, _: Callback<Option<Area>>, _: RwSignal<String>) {}
}
