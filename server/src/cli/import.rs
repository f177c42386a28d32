//! `cairn import`.

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Mutex,
};

use clap::Args;
use pipeline::catalog::import::{Format, ImportError, ImportOptions, ImportProgress, ImportReport, RecordFault, import_file};
use serde_json::json;

use super::{
    failure::Failure,
    output::{Output, plain},
    progress,
};
use crate::{config::Config, wiring::Cairn};

/// Some records were left out.
const PARTLY: u8 = 3;
/// Faulty records, suggestions and duplicates shown of each file; `--json` has them all.
const SHOWN: usize = 10;

#[derive(Args)]
pub struct Arguments {
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// ndjson, iguide or stac; found by content when left out
    #[arg(long)]
    format: Option<Format>,
    /// Who contributes the elements that name no contributor
    #[arg(long, value_name = "NAME")]
    contributor: Option<String>,
    /// Do not look for place names and duplicates
    #[arg(long)]
    no_suggestions: bool,
    /// JSON lines: {"acknowledged": n} after each batch that is safe on disk, then all the reports
    #[arg(long)]
    json: bool,
}

/// Imports files one after the other, then waits until what was imported can be found. An interrupt loses nothing that was
/// acknowledged; the same command goes on where it was.
pub async fn run(config: &Config, arguments: Arguments, output: &mut Output) -> Result<ExitCode, Failure> {
    if let Some(missing) = arguments.files.iter().find(|file| !file.is_file()) {
        return Err(Failure::new(format!("There is no file {}. Nothing was imported.", missing.display())));
    }
    let cairn = Cairn::open(config, "import").await?;
    let imported = import_all(&cairn, &arguments, output).await;
    cairn.close().await;
    imported
}

async fn import_all(cairn: &Cairn, arguments: &Arguments, output: &mut Output) -> Result<ExitCode, Failure> {
    let options = ImportOptions {
        format: arguments.format,
        contributor: arguments.contributor.clone(),
        suggestions: !arguments.no_suggestions,
    };
    let mut reports = Vec::new();
    for file in &arguments.files {
        let report = import_one(cairn, file, &options, arguments.json, output).await?;
        if !arguments.json {
            show(file, &report, output)?;
        }
        reports.push(report);
    }
    progress::until_caught_up(cairn).await?;
    if arguments.json {
        output.json(&json!({ "reports": reports }))?;
    }
    let is_partly = reports.iter().any(|report| report.refused > 0);
    Ok(if is_partly { ExitCode::from(PARTLY) } else { ExitCode::SUCCESS })
}

async fn import_one(
    cairn: &Cairn,
    file: &Path,
    options: &ImportOptions,
    json: bool,
    output: &mut Output,
) -> Result<ImportReport, Failure> {
    let size = file.metadata().map_or(0, |metadata| metadata.len());
    let shown = progress::bar("importing", if json { 0 } else { size });
    let acknowledging = Mutex::new(output);
    let on_batch = |progress: ImportProgress| {
        if !json {
            shown.set_position(progress.bytes);
        } else if let Ok(mut output) = acknowledging.lock() {
            // a reader that is gone ends the program at the next report
            let _ = output.json(&json!({ "acknowledged": progress.records }));
        }
    };
    let services = &cairn.services;
    let imported = import_file(&*services.records, &*services.geocoder, file, options, &on_batch).await;
    shown.finish_and_clear();
    imported.map_err(|error| failed(file, error))
}

fn failed(file: &Path, error: ImportError) -> Failure {
    let sentence = match &error {
        ImportError::Stopped { report, .. } => {
            format!(
                "The import of {} stopped after {} records, which are safe. Run it again to go on.",
                file.display(),
                report.read
            )
        }
        _ => format!("{} was not imported: {error}.", file.display()),
    };
    match std::error::Error::source(&error) {
        Some(source) => Failure::new(sentence).because_of(source),
        None => Failure::new(sentence),
    }
}

fn show(file: &Path, report: &ImportReport, output: &mut Output) -> Result<(), Failure> {
    output.line(format_args!(
        "{} ({}): {} read, {} created, {} updated, {} unchanged, {} refused",
        output.strong(file.display()),
        report.format,
        report.read,
        report.created,
        report.updated,
        report.unchanged,
        report.refused
    ))?;
    for count in report.faults_by_kind() {
        output.line(format_args!("  {:>6}  {}", count.count, count.sentence))?;
    }
    show_faults("Refused", &report.failed, output)?;
    show_faults("Imported with changes", &report.warnings, output)?;
    let missing = &report.missing;
    let lacks = [
        ("footprint", missing.footprint),
        ("period", missing.period),
        ("description", missing.description),
        ("authors", missing.authors),
        ("licence", missing.license),
        ("DOI", missing.doi),
        ("links", missing.links),
    ];
    let lacks: Vec<String> =
        lacks.iter().filter(|(_, count)| *count > 0).map(|(what, count)| format!("{what} {count}")).collect();
    if !lacks.is_empty() {
        output.line(format_args!("  Missing: {}", lacks.join(", ")))?;
    }
    for suggestion in report.suggested_places.iter().take(SHOWN) {
        output.line(format_args!(
            "  Perhaps in {}: {} ({})",
            suggestion.places.join(", "),
            plain(&suggestion.title),
            suggestion.id
        ))?;
    }
    show_rest("suggested places", report.suggested_places.len(), output)?;
    if !report.duplicates.is_empty() {
        output.line(format_args!("  {} pairs may be the same element; --json lists them", report.duplicates.len()))?;
    }
    if let Some(reason) = &report.without_suggestions {
        output.line(format_args!("  {}", plain(reason)))?;
    }
    Ok(())
}

fn show_faults(title: &str, faults: &[RecordFault], output: &mut Output) -> Result<(), Failure> {
    if faults.is_empty() {
        return Ok(());
    }
    output.line(format_args!("  {title}:"))?;
    for RecordFault { record, id, fault } in faults.iter().take(SHOWN) {
        let id = id.as_ref().map(|id| format!(" ({})", plain(&id.0))).unwrap_or_default();
        output.line(format_args!("    record {record}{id}, {}: {}", plain(&fault.field), plain(&fault.message)))?;
    }
    show_rest("faults", faults.len(), output)
}

fn show_rest(what: &str, count: usize, output: &mut Output) -> Result<(), Failure> {
    if count > SHOWN {
        output.line(output.faint(format_args!("    {} more {what}; --json lists all", count - SHOWN)))?;
    }
    Ok(())
}
