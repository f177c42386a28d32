//! Following a round that is still being answered, in the browser.

use leptos::{ev::MessageEvent, prelude::*};
use pipeline::model::round::{RoundId, Stage, TraceEvent};
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::EventSource;

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

/// Adds each event as it comes and sets `finished` at the last; ends with the page. The browser reconnects by itself and names
/// the last event it has.
pub fn follow(id: &RoundId, events: RwSignal<Vec<TraceEvent>>, finished: RwSignal<bool>) {
    let Ok(source) = EventSource::new(&format!("/api/v1/rounds/{}/events", query_string::segment(&id.0))) else { return };
    let on_event = Closure::<dyn Fn(MessageEvent)>::new(move |message: MessageEvent| {
        let event = message.data().as_string().and_then(|text| serde_json::from_str::<TraceEvent>(&text).ok());
        if let Some(event) = event {
            events.try_update(|events| {
                // the stream starts at the first event, and the page may hold some of them
                if events.last().is_none_or(|last| last.seq < event.seq) {
                    events.push(event);
                }
            });
        }
    });
    let on_done = {
        let source = source.clone();
        Closure::<dyn Fn()>::new(move || {
            source.close();
            finished.try_set(true);
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
