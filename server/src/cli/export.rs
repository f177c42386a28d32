//! `cairn export`.

use std::{
    fs::File,
    io::{BufWriter, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::Args;
use futures::StreamExt;
use pipeline::catalog::export::{ExportScope, export};

use super::{failure::Failure, output::Output};
use crate::{config::Config, wiring::Cairn};

#[derive(Args)]
pub struct Arguments {
    /// The file to write; the standard output when left out
    file: Option<PathBuf>,
    /// Private and withdrawn elements too: a backup
    #[arg(long)]
    all: bool,
}

pub async fn run(config: &Config, arguments: Arguments, output: &mut Output) -> Result<ExitCode, Failure> {
    let scope = if arguments.all { ExportScope::All } else { ExportScope::Public };
    let cairn = Cairn::open(config, "export").await?;
    let written = match &arguments.file {
        Some(file) => write_file(&cairn, scope, file).await,
        None => write_lines(&cairn, scope, &mut output.raw()).await,
    };
    cairn.close().await;
    let count = written?;
    if let Some(file) = &arguments.file {
        output.note(format_args!("{count} elements written to {}.", file.display()));
    }
    Ok(ExitCode::SUCCESS)
}

/// Written beside and moved into place, so that a file that is there is never left half new.
async fn write_file(cairn: &Cairn, scope: ExportScope, file: &Path) -> Result<u64, Failure> {
    let unwritable = |error: std::io::Error| Failure::new(format!("{} cannot be written.", file.display())).because(error);
    let mut partial = file.as_os_str().to_owned();
    partial.push(".partial");
    let mut writer = BufWriter::new(File::create(&partial).map_err(unwritable)?);
    let count = write_lines(cairn, scope, &mut writer).await?;
    writer.into_inner().map_err(|error| unwritable(error.into_error()))?.sync_all().map_err(unwritable)?;
    std::fs::rename(&partial, file).map_err(unwritable)?;
    Ok(count)
}

async fn write_lines(cairn: &Cairn, scope: ExportScope, writer: &mut impl Write) -> Result<u64, Failure> {
    let mut lines = Box::pin(export(&*cairn.services.records, scope));
    let mut count = 0;
    while let Some(line) = lines.next().await {
        writer.write_all(line?.as_bytes())?;
        count += 1;
    }
    writer.flush()?;
    Ok(count)
}
