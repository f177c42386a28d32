//! `cairn reindex`.

use std::{process::ExitCode, time::Instant};

use super::{failure::Failure, output::Output, progress};
use crate::{config::Config, wiring::Cairn};

/// Erases the projections and has them built from the records, which are not touched. Vectors of texts that have not changed
/// come from their cache. Stopped half-way it goes on at the next start.
pub async fn run(config: &Config, output: &mut Output) -> Result<ExitCode, Failure> {
    let started = Instant::now();
    let cairn = Cairn::open_erased(config, "reindex").await?;
    let rebuilt = progress::until_caught_up(&cairn).await;
    let count = cairn.services.records.count().await;
    cairn.close().await;
    rebuilt?;
    output.line(format_args!("{} elements indexed anew in {:.1} s.", count?, started.elapsed().as_secs_f64()))?;
    Ok(ExitCode::SUCCESS)
}
