//! The command line. One file a command; printing is in [`output`].

use std::{collections::BTreeMap, path::PathBuf, process::ExitCode, time::Duration};

use clap::{Parser, Subcommand};

use crate::{
    config::{self, Loaded},
    telemetry,
};
use failure::Failure;
use output::Output;

mod ask;
mod config_check;
mod doctor;
mod export;
mod failure;
mod import;
mod output;
mod progress;
mod reindex;
mod search;
mod serve;

/// Leptos needs several threads to render one page, whatever the machine has.
const LEAST_THREADS: usize = 4;
/// How long work on threads of its own may go on when a command has ended.
const LAST_WORK: Duration = Duration::from_secs(2);

/// Finds geospatial knowledge: datasets, notebooks, publications, maps, code and teaching resources.
#[derive(Parser)]
#[command(name = "cairn", version, propagate_version = true, arg_required_else_help = true)]
struct Cli {
    /// The configuration file; without it cairn.toml, where there is one
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The folder of the catalogue [default: ./data]
    #[arg(long, global = true, value_name = "DIR")]
    data: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve the pages and the HTTP API
    Serve(serve::Arguments),
    /// Add elements from files: our own NDJSON, I-GUIDE resources, STAC items and collections
    Import(import::Arguments),
    /// Write all elements as NDJSON
    Export(export::Arguments),
    /// Find elements
    Search(search::Arguments),
    /// Ask a question and see how it is answered
    Ask(ask::Arguments),
    /// Build the search index, the vectors and the graph anew from the records
    Reindex,
    /// Look at the configuration
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Tell what is configured, what can be reached and how far each projection lags
    Doctor(doctor::Arguments),
}

#[derive(Subcommand)]
enum ConfigCommand {
    /// Check the file, the environment and the flags, and show what holds
    Check(config_check::Arguments),
}

/// Runs the program. 0 is success, 1 a failure, 2 a fault in the command line or the configuration, 3 an import that left
/// records out, 130 a question that was stopped.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    let mut output = Output::new();
    match run(cli, &mut output) {
        Ok(code) => code,
        Err(failure) => output.fail(&failure),
    }
}

fn run(cli: Cli, output: &mut Output) -> Result<ExitCode, Failure> {
    let variables: BTreeMap<String, String> =
        std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?))).collect();
    let mut flags: Vec<(&str, String)> = Vec::new();
    flags.extend(cli.data.as_ref().map(|data| ("data.dir", data.to_string_lossy().into_owned())));
    if let Command::Serve(arguments) = &cli.command {
        flags.extend(arguments.settings());
    }
    let mut loaded = config::load(cli.config.as_deref(), &variables, &flags)?;
    if loaded.config.model.dir.is_none() {
        loaded.config.model.dir = config::default_model_dir(&variables);
    }
    // other commands say themselves what is degraded
    let usual_level = if matches!(cli.command, Command::Serve(_)) { "info" } else { "error" };
    telemetry::start_logging(&loaded.config.log, usual_level);

    let threads = std::thread::available_parallelism().map_or(LEAST_THREADS, |count| count.get().max(LEAST_THREADS));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(threads).enable_all().build();
    let runtime = runtime.map_err(|error| Failure::new("The program's threads could not be started.").because(error))?;
    let result = runtime.block_on(dispatch(cli.command, loaded, output));
    // a model that is computing does not hold up the end of the program
    runtime.shutdown_timeout(LAST_WORK);
    result
}

async fn dispatch(command: Command, loaded: Loaded, output: &mut Output) -> Result<ExitCode, Failure> {
    let config = &loaded.config;
    match command {
        Command::Serve(_) => serve::run(config).await,
        Command::Import(arguments) => import::run(config, arguments, output).await,
        Command::Export(arguments) => export::run(config, arguments, output).await,
        Command::Search(arguments) => search::run(config, arguments, output).await,
        Command::Ask(arguments) => ask::run(config, arguments, output).await,
        Command::Reindex => reindex::run(config, output).await,
        Command::Config(ConfigCommand::Check(arguments)) => config_check::run(&loaded, arguments, output),
        Command::Doctor(arguments) => doctor::run(&loaded, arguments, output).await,
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_sound() {
        super::Cli::command().debug_assert();
    }
}
