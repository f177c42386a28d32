//! Loading Leaflet and Geoman, once, on the first page with a map.

use std::cell::OnceCell;

use js_sys::Promise;
use leptos::prelude::document;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

/// In the order they are run.
const SCRIPTS: [&str; 2] = ["/vendor/leaflet/leaflet.js", "/vendor/geoman/leaflet-geoman.min.js"];

thread_local! {
    static LOADED: OnceCell<Promise> = const { OnceCell::new() };
}

/// # Errors
/// A script that could not be loaded.
pub async fn load() -> Result<(), JsValue> {
    let loaded = LOADED
        .with(|loaded| loaded.get_or_init(|| Promise::all(&SCRIPTS.map(insert).into_iter().collect::<js_sys::Array>())).clone());
    JsFuture::from(loaded).await.map(drop)
}

fn insert(address: &'static str) -> Promise {
    Promise::new(&mut |loaded, failed| {
        let script = document()
            .create_element("script")
            .and_then(|script| script.dyn_into::<web_sys::HtmlScriptElement>().map_err(JsValue::from));
        let Ok(script) = script else {
            let _ = failed.call0(&JsValue::NULL);
            return;
        };
        script.set_src(address);
        // keeps the order of insertion
        script.set_async(false);
        script.set_onload(Some(&loaded));
        script.set_onerror(Some(&failed));
        if let Some(head) = document().head() {
            let _ = head.append_child(&script);
        }
    })
}
