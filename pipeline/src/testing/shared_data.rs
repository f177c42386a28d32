//! Data that lies beside the repository, not in it. Where it is missing a test says what it did not run; in CI it fails.

use std::path::{Path, PathBuf};

/// A file or folder of the shared data (`$CAIRN_SHARED_DATA`, by default `../shared/data` beside the repository).
/// `None` when it is not on this machine: the caller returns, and what was not tested has been printed.
///
/// # Panics
/// In CI (`CI=true`), where nothing may be skipped.
pub fn shared_data(path: &str) -> Option<PathBuf> {
    let root = std::env::var_os("CAIRN_SHARED_DATA")
        .map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data")), PathBuf::from);
    present(root.join(path), "set CAIRN_SHARED_DATA")
}

/// The folder of the embedding model (`$CAIRN_MODEL_DIR`, by default where `scripts/model.sh` puts it), under the same rule.
///
/// # Panics
/// In CI, as above.
pub fn model_dir() -> Option<PathBuf> {
    let folder = std::env::var_os("CAIRN_MODEL_DIR").map_or_else(|| cache().join("model/all-minilm-l6-v2-int8"), PathBuf::from);
    present(folder.join("model.onnx"), "run scripts/model.sh or set CAIRN_MODEL_DIR")
        .and_then(|file| file.parent().map(Path::to_owned))
}

/// The file of the small language model that `scripts/llm.sh` fetches, under the same rule.
///
/// # Panics
/// In CI, as above.
pub fn language_model_file() -> Option<PathBuf> {
    present(cache().join("llm/qwen2.5-coder-1.5b-instruct-q4_k_m/model.gguf"), "run scripts/llm.sh")
}

/// `$CAIRN_CACHE`, by default `cairn` in the user's cache folder.
fn cache() -> PathBuf {
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from);
    let user_cache = || folder("XDG_CACHE_HOME").or_else(|| Some(folder("HOME")?.join(".cache")));
    folder("CAIRN_CACHE").or_else(|| Some(user_cache()?.join("cairn"))).unwrap_or_default()
}

fn present(path: PathBuf, what_to_do: &str) -> Option<PathBuf> {
    if path.exists() {
        return Some(path);
    }
    without(&format!("{} ({what_to_do})", path.display()));
    None
}

/// Says that a test did not run for want of something.
///
/// # Panics
/// In CI, as above.
pub fn without(what: &str) {
    let in_ci = std::env::var("CI").is_ok_and(|value| value == "true");
    assert!(!in_ci, "missing, and in CI nothing is skipped: {what}");
    println!("NOT RUN, missing: {what}");
}
