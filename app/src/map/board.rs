//! The map itself, in the browser: Leaflet, the vendored outlines, footprints with numbers, and Geoman's drawing tools.

use std::{cell::RefCell, collections::HashMap};

use geojson::{Feature, Geometry};
use js_sys::{JSON, Object, Reflect};
use leaflet::{
    DivIconOptions, FeatureGroup, LatLng, LatLngBounds, Layer, Map, MapOptions, Marker, MarkerOptions, Point, TileLayer,
};
use leptos::{prelude::*, web_sys::HtmlDivElement};
use pipeline::model::{bbox::BBox, place::Area};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use wasm_bindgen_futures::JsFuture;

use super::{
    MapContent, MapFootprint,
    leaflet_externs::{DrawableMap, DrawnLayer, ShapeEvent, div_icon, geo_json},
    scripts, shape,
};
use crate::{parts::kind_mark, words};

const ATTRIBUTION: &str = "Natural Earth";
/// How near a single small footprint is looked at.
const NEAREST_ZOOM: f64 = 7.0;
/// Decimals of drawn positions: about 11 m.
const DECIMALS: f64 = 4.0;
/// Pixels between numbers that would lie on each other.
const NUMBER_STEP: f64 = 20.0;

pub struct Board {
    map: Map,
    place: HtmlDivElement,
    footprints: FeatureGroup,
    asked: FeatureGroup,
    outlines: Vec<JsValue>,
    /// Whether the outlines are also drawn east of the antimeridian.
    repeated: RefCell<bool>,
    /// Called when the area in `asked` was changed by hand.
    updated: Option<Closure<dyn Fn(ShapeEvent)>>,
    // kept alive as long as the map calls them
    _events: Vec<Closure<dyn Fn(ShapeEvent)>>,
    _resized: Closure<dyn Fn()>,
    observer: web_sys::ResizeObserver,
}

impl Board {
    /// # Errors
    /// A script or an outline that could not be loaded.
    pub async fn mount(place: &HtmlDivElement, on_area: Option<Callback<Option<Area>>>) -> Result<Self, JsValue> {
        scripts::load().await?;
        let outlines = vec![fetch_json("/basemap/land.json").await?, fetch_json("/basemap/lakes.json").await?];
        let options = MapOptions::new();
        options.set_zoom_snap(0.25);
        options.set_attribution_control(true);
        let map = Map::new_with_element(place, &options)?;
        map.set_view(&LatLng::new(15.0, 0.0), 0.5);
        map.unchecked_ref::<DrawableMap>().attribution_control().set_prefix(false);

        let resized = {
            let map = map.clone();
            Closure::<dyn Fn()>::new(move || drop(map.invalidate_size(false)))
        };
        let observer = web_sys::ResizeObserver::new(resized.as_ref().unchecked_ref())?;
        observer.observe(place);

        let mut events = Vec::new();
        let mut updated = None;
        if let Some(on_area) = on_area {
            add_drawing_tools(&map, place);
            let created = Closure::<dyn Fn(ShapeEvent)>::new(move |event: ShapeEvent| {
                let layer = event.layer();
                // the address brings it back as the area asked for
                layer.remove();
                if let Some(area) = drawn_area(&layer, event.shape() == "Rectangle") {
                    on_area.run(Some(area));
                }
            });
            map.on("pm:create", created.as_ref());
            let removed = Closure::<dyn Fn(ShapeEvent)>::new(move |_| on_area.run(None));
            map.on("pm:remove", removed.as_ref());
            events.extend([created, removed]);
            updated = Some(Closure::<dyn Fn(ShapeEvent)>::new(move |event: ShapeEvent| {
                if let Some(area) = drawn_area(&event.layer(), event.shape() == "Rectangle") {
                    on_area.run(Some(area));
                }
            }));
        }
        let board = Self {
            footprints: FeatureGroup::new(),
            asked: FeatureGroup::new(),
            map,
            place: place.clone(),
            outlines,
            repeated: RefCell::new(false),
            updated,
            _events: events,
            _resized: resized,
            observer,
        };
        board.draw_background();
        board.asked.add_to(&board.map);
        board.footprints.add_to(&board.map);
        // the board covers the drawing it takes over from
        place.class_list().add_1("ready")?;
        Ok(board)
    }

    pub fn is_drawing(&self) -> bool {
        self.map.unchecked_ref::<DrawableMap>().pm().is_drawing()
    }

    pub fn visible_area(&self) -> Option<Area> {
        let bounds = self.map.get_bounds();
        let (south_west, north_east) = (bounds.get_south_west(), bounds.get_north_east());
        let south = south_west.lat().max(-90.0);
        let north = north_east.lat().min(90.0);
        rounded_box(south_west.lng(), south, north_east.lng(), north).map(Area::Box)
    }

    /// Draws what is to be shown and looks at it, unless it is looked at already.
    pub fn show(&self, content: &MapContent) {
        self.footprints.clear_layers();
        self.asked.clear_layers();
        let asked_bounds = content.area.as_ref().and_then(|area| self.draw_area(area));
        let mut numbers_at = HashMap::<(i32, i32), u32>::new();
        for footprint in &content.footprints {
            self.draw_footprint(footprint, &mut numbers_at);
        }
        let drawn = content.footprints.iter().filter(|footprint| !words::is_worldwide(&footprint.bbox));
        let bounds = asked_bounds.or_else(|| drawn.map(|footprint| Corners::of(&footprint.bbox)).reduce(Corners::union));
        if bounds.is_some_and(|bounds| bounds.east > 180.0) {
            self.repeat_outlines();
        }
        match bounds {
            Some(bounds) if self.looks_at(&bounds) => {}
            Some(bounds) => {
                let options = object([("animate", false.into()), ("maxZoom", NEAREST_ZOOM.into()), ("padding", padding())]);
                self.map.fit_bounds_with_options(&bounds.lat_lngs(), &options);
            }
            None => {
                self.map.fit_world_with_options(&object([("animate", false.into())]));
            }
        }
    }

    /// Marks the footprint with this number, and no other.
    pub fn light(&self, number: Option<u32>) {
        self.for_each(".fp.lit", |footprint| footprint.class_list().remove_1("lit"));
        if let Some(number) = number {
            self.for_each(&format!(".fp-{number}"), |footprint| footprint.class_list().add_1("lit"));
        }
    }

    fn for_each(&self, selector: &str, change: impl Fn(&web_sys::Element) -> Result<(), JsValue>) {
        let Ok(found) = self.place.query_selector_all(selector) else { return };
        for at in 0..found.length() {
            if let Some(element) = found.get(at).and_then(|node| node.dyn_into::<web_sys::Element>().ok()) {
                // a class that cannot be set leaves the footprint unlit
                let _ = change(&element);
            }
        }
    }

    fn draw_background(&self) {
        let tiles = document().document_element().and_then(|html| html.get_attribute("data-tiles"));
        if let Some(tiles) = tiles.filter(|tiles| !tiles.is_empty()) {
            TileLayer::new(&tiles).add_to(&self.map);
            return;
        }
        for (outline, class) in self.outlines.iter().zip(["land", "lake"]) {
            geo_json(outline, &background(class)).add_to(&self.map);
        }
    }

    fn repeat_outlines(&self) {
        if self.repeated.replace(true) {
            return;
        }
        let east = Closure::<dyn Fn(js_sys::Array) -> LatLng>::new(|position: js_sys::Array| {
            LatLng::new(position.get(1).as_f64().unwrap_or_default(), position.get(0).as_f64().unwrap_or_default() + 360.0)
        });
        for (outline, class) in self.outlines.iter().zip(["land", "lake"]) {
            let options = background(class);
            set(&options, "coordsToLatLng", east.as_ref());
            let outlines = geo_json(outline, &options);
            outlines.add_to(&self.map);
        }
        self.footprints.bring_to_front();
    }

    fn draw_area(&self, area: &Area) -> Option<Corners> {
        let (layer, corners) = match area {
            Area::Box(bbox) => {
                let corners = Corners::of(bbox);
                let options = object([("className", "asked".into())]);
                let rectangle = leaflet::Rectangle::new_with_options(&corners.lat_lngs(), options.unchecked_ref());
                (rectangle.unchecked_into::<Layer>(), corners)
            }
            Area::Geometry(geometry) => {
                let options = object([("className", "asked".into())]);
                let layer = geo_json(&to_js(geometry)?, &options);
                (layer.unchecked_into(), Corners::of(&shape::bounds(&geometry.value)?))
            }
        };
        layer.add_to_layer_group(&self.asked);
        if let Some(updated) = &self.updated {
            layer.on("pm:update", updated.as_ref());
        }
        Some(corners)
    }

    fn draw_footprint(&self, footprint: &MapFootprint, numbers_at: &mut HashMap<(i32, i32), u32>) {
        let MapFootprint { number, bbox, kind, title, geometry, .. } = footprint;
        if words::is_worldwide(bbox) {
            return;
        }
        let class = format!("fp fp-{number} {}", kind_mark::class(*kind));
        let corners = Corners::of(bbox);
        let options =
            object([("className", class.as_str().into()), ("pmIgnore", true.into()), ("bubblingMouseEvents", true.into())]);
        // a geometry that crosses the antimeridian is in two parts: its box keeps them together
        let outline =
            geometry.as_ref().filter(|_| !bbox.crosses_antimeridian() && bbox.width() + bbox.height() > 0.0).and_then(to_js);
        let layer: Layer = match outline {
            Some(outline) => geo_json(&outline, &options).unchecked_into(),
            None => leaflet::Rectangle::new_with_options(&corners.lat_lngs(), options.unchecked_ref()).unchecked_into(),
        };
        layer.add_to_layer_group(&self.footprints);

        let (longitude, latitude) = corners.centre();
        let stacked = numbers_at.entry((longitude.round() as i32, latitude.round() as i32)).or_default();
        let icon = DivIconOptions::new();
        icon.set_html(number.to_string());
        icon.set_class_name(format!("pin {class}"));
        icon.set_icon_size(Point::new(18.0, 18.0));
        icon.set_icon_anchor(Point::new(9.0 - f64::from(*stacked) * NUMBER_STEP, 9.0));
        *stacked += 1;
        let options = MarkerOptions::new();
        options.set_icon(div_icon(&icon));
        options.set_keyboard(false);
        options.set_title(title.clone());
        set(&options, "pmIgnore", &true.into());
        Marker::new_with_options(&LatLng::new(latitude, longitude), &options).add_to_layer_group(&self.footprints);
    }

    /// Whether the map already shows these bounds and little more.
    fn looks_at(&self, bounds: &Corners) -> bool {
        let visible = self.map.get_bounds();
        let (south_west, north_east) = (visible.get_south_west(), visible.get_north_east());
        let near = |a: f64, b: f64, span: f64| (a - b).abs() <= span * 0.02;
        let (width, height) = (bounds.east - bounds.west, bounds.north - bounds.south);
        near(south_west.lng(), bounds.west, width)
            && near(north_east.lng(), bounds.east, width)
            && near(south_west.lat().max(-90.0), bounds.south, height)
            && near(north_east.lat().min(90.0), bounds.north, height)
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        self.observer.disconnect();
        self.map.remove();
        // the drawing beneath shows again
        let _ = self.place.class_list().remove_1("ready");
    }
}

/// A box on a flat map: east is greater than west, beyond 180 where the antimeridian is crossed.
#[derive(Clone, Copy)]
struct Corners {
    west: f64,
    south: f64,
    east: f64,
    north: f64,
}

impl Corners {
    fn of(bbox: &BBox) -> Self {
        Self { west: bbox.west(), south: bbox.south(), east: bbox.west() + bbox.width(), north: bbox.north() }
    }

    fn union(self, other: Self) -> Self {
        Self {
            west: self.west.min(other.west),
            south: self.south.min(other.south),
            east: self.east.max(other.east),
            north: self.north.max(other.north),
        }
    }

    fn centre(&self) -> (f64, f64) {
        (f64::midpoint(self.west, self.east), f64::midpoint(self.south, self.north))
    }

    /// Poles are not on a Mercator map.
    fn lat_lngs(&self) -> LatLngBounds {
        LatLngBounds::new(&LatLng::new(self.south.max(-85.0), self.west), &LatLng::new(self.north.min(85.0), self.east))
    }
}

fn add_drawing_tools(map: &Map, place: &HtmlDivElement) {
    let tools = map.unchecked_ref::<DrawableMap>().pm();
    let on = ["drawMarker", "drawRectangle", "drawPolygon", "editMode", "removalMode"].map(|tool| (tool, true));
    let off = ["drawPolyline", "drawCircle", "drawCircleMarker", "drawText", "dragMode", "cutPolygon", "rotateMode"]
        .map(|tool| (tool, false));
    let controls = object(on.into_iter().chain(off).map(|(tool, shown)| (tool, JsValue::from_bool(shown))));
    set(&controls, "position", &"topleft".into());
    tools.set_global_options(&object([("continueDrawing", false.into()), ("snappable", false.into())]));
    tools.add_controls(&controls);
    name_buttons(place);
}

/// Geoman puts a button's title on the box around it, where a screen reader does not look.
fn name_buttons(place: &HtmlDivElement) {
    let Ok(boxes) = place.query_selector_all(".leaflet-pm-toolbar .button-container[title]") else { return };
    for at in 0..boxes.length() {
        let Some(container) = boxes.get(at).and_then(|node| node.dyn_into::<web_sys::Element>().ok()) else { continue };
        let (title, button) = (container.get_attribute("title"), container.query_selector("[role=button]"));
        if let (Some(title), Ok(Some(button))) = (title, button) {
            let _ = button.set_attribute("aria-label", &title);
        }
    }
}

/// A drawn layer as an area; a rectangle becomes a box.
fn drawn_area(layer: &DrawnLayer, is_box: bool) -> Option<Area> {
    let text: String = JSON::stringify(&layer.to_geo_json(DECIMALS)).ok()?.into();
    let geometry = text.parse::<Feature>().ok()?.geometry?;
    if !is_box {
        return Some(Area::Geometry(shape::within_one_turn(geometry)));
    }
    shape::edges(&geometry.value).and_then(|[west, south, east, north]| rounded_box(west, south, east, north)).map(Area::Box)
}

fn rounded_box(west: f64, south: f64, east: f64, north: f64) -> Option<BBox> {
    let factor = 10f64.powf(DECIMALS);
    let [west, south, east, north] = [west, south, east, north].map(|degrees| (degrees * factor).round() / factor);
    if east - west >= 360.0 {
        return BBox::new(-180.0, south, 180.0, north).ok();
    }
    // a map can be panned around the globe several times
    let turns = ((west + 180.0) / 360.0).floor() * 360.0;
    BBox::new(west - turns, south, east - turns, north).ok()
}

fn background(class: &str) -> Object {
    let parts: [(&str, JsValue); 4] = [
        ("className", class.into()),
        ("interactive", false.into()),
        ("pmIgnore", true.into()),
        ("attribution", ATTRIBUTION.into()),
    ];
    object(parts)
}

fn padding() -> JsValue {
    js_sys::Array::of2(&28.into(), &28.into()).into()
}

fn object<'a>(properties: impl IntoIterator<Item = (&'a str, JsValue)>) -> Object {
    let object = Object::new();
    for (name, value) in properties {
        set(&object, name, &value);
    }
    object
}

fn set(object: &Object, name: &str, value: &JsValue) {
    // a plain object takes every property
    let _ = Reflect::set(object, &name.into(), value);
}

fn to_js(geometry: &Geometry) -> Option<JsValue> {
    JSON::parse(&geometry.to_string()).ok()
}

async fn fetch_json(address: &str) -> Result<JsValue, JsValue> {
    let reply: web_sys::Response = JsFuture::from(window().fetch_with_str(address)).await?.dyn_into()?;
    if !reply.ok() {
        return Err(reply.status_text().into());
    }
    JsFuture::from(reply.json()?).await
}
