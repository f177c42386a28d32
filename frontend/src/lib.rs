//! The browser's entry point.

use wasm_bindgen::prelude::wasm_bindgen;

/// Called by the page's script once the program is loaded.
#[wasm_bindgen]
pub fn hydrate() {
    console_error_panic_hook::set_once();
    leptos::mount::hydrate_body(app::App);
}
