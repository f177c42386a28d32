//! Following a round that is still being answered, in the browser.

use leptos::{ev::MessageEvent, prelude::*};
use pipeline::model::round::{Access, RoundView, Stage, TraceEvent};
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::EventSource;

use super::RoundState;
use crate::query_string;

/// Every event of the stream is named after its stage.
const STAGES: [Stage; 12] = [
    Stage::Memory,
    Stage::Augmentation,
    Stage::Reasoning,
    Stage::Routing,
    Stage::Retrieval,
    Stage::Fusion,
    Stage::Generation,
    Stage::Validation,
    Stage::MemoryUpdate,
    Stage::Answer,
    Stage::References,
    Stage::Error,
];

/// An open stream; closed when dropped.
struct Following {
    source: EventSource,
    _on_event: Closure<dyn Fn(MessageEvent)>,
    _on_done: Closure<dyn Fn()>,
}

impl Drop for Following {
    fn drop(&mut self) {
        self.source.close();
    }
}

/// Adds each event as it comes and marks the round finished at the last; ends with the page. The browser reconnects by itself and
/// names the last event it has.
pub fn follow(log: &RoundView, state: RoundState) {
    let Ok(source) = EventSource::new(&events_address(log)) else { return };
    let on_event = Closure::<dyn Fn(MessageEvent)>::new(move |message: MessageEvent| {
        let event = message.data().as_string().and_then(|text| serde_json::from_str::<TraceEvent>(&text).ok());
        if let Some(event) = event {
            state.take(&event);
        }
    });
    let on_done = {
        let source = source.clone();
        Closure::<dyn Fn()>::new(move || {
            source.close();
            state.finished.try_set(true);
        })
    };
    for stage in STAGES {
        // it fails only for an object that is no event target
        let _ = source.add_event_listener_with_callback(stage.name(), on_event.as_ref().unchecked_ref());
    }
    let _ = source.add_event_listener_with_callback("done", on_done.as_ref().unchecked_ref());
    let following = StoredValue::new_local(Some(Following { source, _on_event: on_event, _on_done: on_done }));
    on_cleanup(move || following.set_value(None));
}

/// Its owner is known by the cookie.
fn events_address(log: &RoundView) -> String {
    let address = format!("/api/v1{}/events", query_string::round_address(&log.round.id));
    match log.access {
        Access::Own => address,
        Access::Read => format!("{address}?key={}", query_string::segment(&log.share_key)),
    }
}
