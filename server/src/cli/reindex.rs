//! `cairn reindex`.

use std::{process::ExitCode, time::Instant};

use clap::{Args, ValueEnum};
use pipeline::ports::search_index::IndexPart;

use super::{failure::Failure, output::Output, progress};
use crate::{
    config::Config,
    wiring::{Cairn, Erased},
};

#[derive(Args)]
pub struct Arguments {
    /// Only this projection; repeat it for several
    #[arg(long)]
    only: Vec<Projection>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Projection {
    Text,
    Vectors,
    Graph,
}

/// Erases projections and has them built from the records, which are not touched.
pub async fn run(config: &Config, arguments: Arguments, output: &mut Output) -> Result<ExitCode, Failure> {
    let chosen = |projection| arguments.only.is_empty() || arguments.only.contains(&projection);
    let started = Instant::now();
    let erased = Erased { text: chosen(Projection::Text), vectors: chosen(Projection::Vectors), graph: chosen(Projection::Graph) };
    let cairn = Cairn::open_erasing(config, "reindex", erased).await?;
    let rebuilt = progress::until_caught_up(&cairn).await;
    let count = cairn.services.records.count().await;
    cairn.close().await;
    rebuilt?;
    output.line(format_args!("{} elements indexed anew in {:.1} s.", count?, started.elapsed().as_secs_f64()))?;
    Ok(ExitCode::SUCCESS)
}
