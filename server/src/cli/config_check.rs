//! `cairn config check`.

use std::process::ExitCode;

use clap::Args;
use serde_json::{Value, json};

use super::{failure::Failure, output::Output};
use crate::config::Loaded;

#[derive(Args)]
pub struct Arguments {
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// What holds, once it has been read and checked.
pub fn run(loaded: &Loaded, arguments: Arguments, output: &mut Output) -> Result<ExitCode, Failure> {
    let config = serde_json::to_value(&loaded.config)
        .map_err(|error| Failure::new("The configuration cannot be shown.").because(error))?;
    if arguments.json {
        output.json(&json!({ "file": loaded.file, "variables": loaded.variables, "config": config }))?;
        return Ok(ExitCode::SUCCESS);
    }
    let file = loaded.file.as_ref().map_or_else(|| "none".to_owned(), |file| file.display().to_string());
    output.line(format_args!("file: {file}"))?;
    let variables = if loaded.variables.is_empty() { "none".to_owned() } else { loaded.variables.join(", ") };
    output.line(format_args!("variables: {variables}"))?;
    for (section, fields) in config.as_object().into_iter().flatten() {
        output.line(format_args!("\n[{section}]"))?;
        for (key, value) in fields.as_object().into_iter().flatten() {
            match value {
                Value::Null => output.line(format_args!("# {key} is not set"))?,
                value => output.line(format_args!("{key} = {value}"))?,
            }
        }
    }
    output.line("\nThe configuration is good.")?;
    Ok(ExitCode::SUCCESS)
}
