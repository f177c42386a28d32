//! `cairn doctor`.

use std::{
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::Args;
use pipeline::{
    catalog::projection::{self, ProjectionLag},
    ports::language_model::Task,
};
use serde::Serialize;

use super::{failure::Failure, output::Output};
use crate::{
    config::{Language, Loaded},
    wiring::{self, Cairn},
};

#[derive(Args)]
pub struct Arguments {
    /// One JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    version: &'static str,
    config_file: Option<PathBuf>,
    data: Folder,
    site: Site,
    catalogue: Catalogue,
    /// Which language model does what; empty without one.
    language: Vec<LanguageModel>,
    /// What does not work, a sentence each.
    faults: Vec<String>,
    /// What works less well than it could, a sentence each.
    degraded: Vec<String>,
}

#[derive(Serialize)]
struct Folder {
    dir: PathBuf,
    /// Size by file or folder in it.
    bytes: Vec<(String, u64)>,
}

#[derive(Serialize)]
struct Site {
    root: PathBuf,
    found: bool,
}

#[derive(Serialize)]
struct LanguageModel {
    model: String,
    base_url: String,
    tasks: Vec<&'static str>,
}

#[derive(Serialize)]
struct Lag {
    projection: &'static str,
    checkpoint: u64,
    behind: u64,
}

#[derive(Default, Serialize)]
struct Catalogue {
    elements: Option<u64>,
    last_change: Option<u64>,
    projections: Vec<Lag>,
    model: Option<String>,
    dimension: Option<usize>,
}

pub async fn run(loaded: &Loaded, arguments: Arguments, output: &mut Output) -> Result<ExitCode, Failure> {
    let report = examine(loaded).await;
    if arguments.json {
        output.json(&report)?;
    } else {
        show(&report, output)?;
    }
    Ok(if report.faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

async fn examine(loaded: &Loaded) -> Report {
    let config = &loaded.config;
    let mut faults = Vec::new();
    let mut degraded = Vec::new();
    let mut catalogue = Catalogue::default();
    // a folder that is not there yet is no fault, and looking at it should not make it
    if config.data.dir.is_dir() {
        match Cairn::open(config, "doctor").await {
            Ok(cairn) => {
                catalogue = look_into(&cairn, &mut faults, &mut degraded).await;
                cairn.close().await;
            }
            Err(error) => {
                let failure = Failure::from(error);
                faults.push(failure.cause.map_or(failure.sentence.clone(), |cause| format!("{} ({cause})", failure.sentence)));
            }
        }
    } else {
        degraded.push(format!("{} is not there yet: import a file or start `cairn serve` once.", config.data.dir.display()));
    }
    let language = language_models(&config.language);
    if !language.is_empty() {
        look_at_language(&config.language, &mut faults, &mut degraded).await;
    }
    let site_found = config.site.root.join("pkg").is_dir();
    if !site_found {
        degraded.push(format!("No page files in {}: `cargo leptos build --release` makes them.", config.site.root.display()));
    }
    Report {
        version: env!("CARGO_PKG_VERSION"),
        config_file: loaded.file.clone(),
        data: Folder { dir: config.data.dir.clone(), bytes: sizes(&config.data.dir) },
        site: Site { root: config.site.root.clone(), found: site_found },
        catalogue,
        language,
        faults,
        degraded,
    }
}

/// Each model at each address once, with its tasks.
fn language_models(config: &Language) -> Vec<LanguageModel> {
    let mut models: Vec<LanguageModel> = Vec::new();
    for task in Task::ALL {
        let Some(own) = config.task(task) else { continue };
        match models.iter_mut().find(|known| known.model == own.model && known.base_url == own.base_url) {
            Some(known) => known.tasks.push(task.name()),
            None => models.push(LanguageModel {
                model: own.model.to_owned(),
                base_url: own.base_url.to_owned(),
                tasks: vec![task.name()],
            }),
        }
    }
    models
}

async fn look_at_language(config: &Language, faults: &mut Vec<String>, degraded: &mut Vec<String>) {
    match wiring::language::open(config) {
        Ok(Some(language)) => {
            if let Err(error) = language.ready().await {
                degraded.push(format!("The language model does not answer, so that answers are extracted ({}).", error.source));
            }
        }
        Ok(None) => {}
        Err(error) => faults.push(format!("The language model cannot be used ({error}: {}).", error.source)),
    }
}

async fn look_into(cairn: &Cairn, faults: &mut Vec<String>, degraded: &mut Vec<String>) -> Catalogue {
    let services = &cairn.services;
    let mut catalogue = Catalogue::default();
    match services.records.count().await {
        Ok(count) => catalogue.elements = Some(count),
        Err(error) => faults.push(format!("The records cannot be read ({error}: {}).", error.source)),
    }
    catalogue.last_change = services.records.last_seq().await.ok();
    match projection::lag(services).await {
        Ok(lags) => look_at_lags(lags, services.embedder.is_ok(), &mut catalogue, faults, degraded),
        Err(error) => faults.push(format!("How far the projections are cannot be told ({error}: {}).", error.source)),
    }
    match &services.embedder {
        Ok(embedder) => {
            catalogue.model = Some(embedder.model().name.clone());
            catalogue.dimension = Some(embedder.model().dimension);
        }
        Err(reason) => degraded.push(format!("Semantic search is off: {reason}")),
    }
    catalogue
}

fn look_at_lags(
    lags: Vec<ProjectionLag>,
    has_model: bool,
    catalogue: &mut Catalogue,
    faults: &mut Vec<String>,
    degraded: &mut Vec<String>,
) {
    // that there is no model is said once
    for lag in lags.into_iter().filter(|lag| has_model || lag.name != "vectors") {
        match &lag.error {
            Some(reason) => {
                faults.push(format!("The projection {} cannot be read ({reason}). `cairn reindex` builds it anew.", lag.name))
            }
            None if lag.rows() > 0 => {
                degraded.push(format!("{} is {} changes behind; it catches up while `cairn serve` runs.", lag.name, lag.rows()));
            }
            None => {}
        }
        catalogue.projections.push(Lag { projection: lag.name, checkpoint: lag.checkpoint, behind: lag.rows() });
    }
}

/// What lies in the folder, with the size of each, largest first.
fn sizes(folder: &Path) -> Vec<(String, u64)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut sizes: Vec<(String, u64)> =
        entries.map(|entry| (entry.file_name().to_string_lossy().into_owned(), size_of(&entry.path()))).collect();
    sizes.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    sizes
}

fn size_of(path: &Path) -> u64 {
    let Ok(metadata) = fs::symlink_metadata(path) else { return 0 };
    if !metadata.is_dir() {
        return metadata.len();
    }
    fs::read_dir(path).into_iter().flatten().flatten().map(|entry| size_of(&entry.path())).sum()
}

fn show(report: &Report, output: &mut Output) -> Result<(), Failure> {
    let file = report.config_file.as_ref().map_or_else(|| "none".to_owned(), |file| file.display().to_string());
    output.line(format_args!("cairn {}", report.version))?;
    output.line(format_args!("configuration  {file}"))?;
    let total: u64 = report.data.bytes.iter().map(|(_, bytes)| bytes).sum();
    output.line(format_args!("data           {} ({})", report.data.dir.display(), indicatif::HumanBytes(total)))?;
    for (name, bytes) in &report.data.bytes {
        output.line(format_args!("                 {name} {}", indicatif::HumanBytes(*bytes)))?;
    }
    let found = if report.site.found { "" } else { " (not there)" };
    output.line(format_args!("pages          {}{found}", report.site.root.display()))?;
    let catalogue = &report.catalogue;
    if let (Some(elements), Some(last)) = (catalogue.elements, catalogue.last_change) {
        output.line(format_args!("catalogue      {elements} public elements, {last} changes"))?;
    }
    for lag in &catalogue.projections {
        output.line(format_args!("  {:<12} at {}, {} behind", lag.projection, lag.checkpoint, lag.behind))?;
    }
    match (&catalogue.model, catalogue.dimension) {
        (Some(model), Some(dimension)) => output.line(format_args!("model          {model}, {dimension} dimensions"))?,
        _ => output.line("model          none")?,
    }
    for language in &report.language {
        let tasks = language.tasks.join(", ");
        output.line(format_args!("language       {} at {} ({tasks})", language.model, language.base_url))?;
    }
    if report.language.is_empty() {
        output.line("language       none: answers are extracted")?;
    }
    for fault in &report.faults {
        output.line(output.strong(format_args!("fault: {fault}")))?;
    }
    for degraded in &report.degraded {
        output.line(format_args!("degraded: {degraded}"))?;
    }
    if report.faults.is_empty() && report.degraded.is_empty() {
        output.line("Everything is well.")?;
    }
    Ok(())
}
