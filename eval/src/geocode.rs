//! placeholder
use std::path::Path;
pub async fn run(_file: &Path, _json: bool) -> anyhow::Result<String> {
    anyhow::bail!("not yet")
}
