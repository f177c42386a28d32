//! The ONNX Runtime library, loaded once a process.

use std::{
    path::Path,
    sync::{Mutex, PoisonError},
};

use ort::environment::Environment;

use crate::ports::{ErrorKind, PortError, PortResult};

/// ONNX Runtime allows one environment a process, for as long as the process lives.
static ENVIRONMENT: Mutex<Option<Environment>> = Mutex::new(None);

pub(super) fn environment(library: &Path) -> PortResult<Environment> {
    let operation = "minilm: load ONNX Runtime";
    let mut loaded = ENVIRONMENT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(environment) = &*loaded {
        return Ok(environment.clone());
    }
    // before any other call into `ort`: it would look for the library by itself, and panic where there is none
    let builder = ort::init_from(library).map_err(|error| PortError::new(ErrorKind::Incompatible, operation, error))?;
    let environment = builder.with_name("cairn").with_telemetry(false).build().map_err(PortError::internal(operation))?;
    *loaded = Some(environment.clone());
    Ok(environment)
}
