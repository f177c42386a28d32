//! What an event says, in a line: for the terminal and for the exported round.

use serde_json::Value;

use crate::model::round::{ModelCall, Stage, StageStatus, TraceEvent};

/// What a stage did; empty where there is no more to say than its name. `None` for an event that ends nothing.
pub fn summary(event: &TraceEvent) -> Option<String> {
    if matches!(event.status, StageStatus::Started | StageStatus::Progress) {
        return None;
    }
    let text = |pointer: &str| event.data.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
    let count = |pointer: &str| event.data.pointer(pointer).and_then(Value::as_array).map_or(0, Vec::len);
    let line = match event.stage {
        Stage::Memory => match text("/rewritten") {
            "" => text("/because").to_owned(),
            rewritten => format!("read as “{rewritten}”"),
        },
        Stage::Augmentation => text("/added/topic").to_owned(),
        Stage::Reasoning => {
            let parts = [text("/action"), text("/sub_question"), text("/because")];
            parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(": ")
        }
        Stage::Routing => {
            let methods = event.data.get("methods").and_then(Value::as_array).into_iter().flatten();
            methods.filter_map(|method| method.get("name")?.as_str()).collect::<Vec<_>>().join(", ")
        }
        Stage::Retrieval => {
            let found = event.data.get("count").and_then(Value::as_u64);
            let outcome = found.map_or_else(|| text("/reason").to_owned(), |found| format!("{found} found"));
            format!("{}: {outcome}", text("/method"))
        }
        Stage::Fusion => format!("{} listed", count("/items")),
        Stage::Generation => match event.data.get("attempt").and_then(Value::as_u64) {
            Some(attempt) if attempt > 1 => format!("draft {attempt}"),
            _ => String::new(),
        },
        Stage::Validation => format!("{}: {}", text("/check"), text("/verdict").replace('-', " ")),
        Stage::MemoryUpdate => text("/because").to_owned(),
        Stage::Answer => text("/kind").replace('-', " "),
        Stage::References => format!("{} elements", count("/items")),
        Stage::Error => text("/detail").to_owned(),
    };
    Some(line)
}

/// The calls of models that a stage made.
pub fn calls(event: &TraceEvent) -> Vec<ModelCall> {
    let calls = event.data.get("calls").and_then(Value::as_array).into_iter().flatten();
    calls.filter_map(|call| serde_json::from_value(call.clone()).ok()).collect()
}
