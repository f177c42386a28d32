//! What the `leaflet` crate does not bind, or not rightly: `L.geoJSON`, `L.divIcon`, the attribution's prefix, and Geoman.

use leaflet::{DivIconOptions, GeoJson, Icon, Layer, Map};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// `L.geoJSON`; the crate keeps it in a private module.
    #[wasm_bindgen(js_namespace = L, js_name = geoJSON)]
    pub fn geo_json(value: &JsValue, options: &JsValue) -> GeoJson;

    /// `L.divIcon`; the crate's `DivIcon::new` makes an `L.Icon`, which wants an image.
    #[wasm_bindgen(js_namespace = L, js_name = divIcon)]
    pub fn div_icon(options: &DivIconOptions) -> Icon;

    /// A map as Geoman extends it.
    #[wasm_bindgen(extends = Map)]
    pub type DrawableMap;
    #[wasm_bindgen(method, getter)]
    pub fn pm(this: &DrawableMap) -> DrawingTools;
    #[wasm_bindgen(method, getter, js_name = attributionControl)]
    pub fn attribution_control(this: &DrawableMap) -> Attribution;

    pub type DrawingTools;
    #[wasm_bindgen(method, js_name = addControls)]
    pub fn add_controls(this: &DrawingTools, options: &JsValue);
    #[wasm_bindgen(method, js_name = setGlobalOptions)]
    pub fn set_global_options(this: &DrawingTools, options: &JsValue);
    #[wasm_bindgen(method, js_name = globalDrawModeEnabled)]
    pub fn is_drawing(this: &DrawingTools) -> bool;

    pub type Attribution;
    #[wasm_bindgen(method, js_name = setPrefix)]
    pub fn set_prefix(this: &Attribution, prefix: bool);

    /// An event of Geoman's: `pm:create`, `pm:update`, `pm:remove`.
    pub type ShapeEvent;
    #[wasm_bindgen(method, getter)]
    pub fn layer(this: &ShapeEvent) -> DrawnLayer;
    /// `Rectangle`, `Polygon` or `Marker`.
    #[wasm_bindgen(method, getter)]
    pub fn shape(this: &ShapeEvent) -> String;

    #[wasm_bindgen(extends = Layer)]
    pub type DrawnLayer;
    #[wasm_bindgen(method, js_name = toGeoJSON)]
    pub fn to_geo_json(this: &DrawnLayer, decimals: f64) -> JsValue;
}
