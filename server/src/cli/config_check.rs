//! `cairn config check`.

use std::process::ExitCode;

use clap::Args;
use serde_json::{Map, Value, json};

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
        if let Some(fields) = fields.as_object() {
            show_table(section, fields, output)?;
        }
    }
    output.line("\nThe configuration is good.")?;
    Ok(ExitCode::SUCCESS)
}

/// A table, and those within it that hold anything.
fn show_table(name: &str, fields: &Map<String, Value>, output: &mut Output) -> Result<(), Failure> {
    output.line(format_args!("\n[{name}]"))?;
    for (key, value) in fields {
        match value {
            Value::Object(_) => {}
            Value::Null => output.line(format_args!("# {key} is not set"))?,
            value => output.line(format_args!("{key} = {value}"))?,
        }
    }
    for (key, value) in fields {
        if let Value::Object(fields) = value
            && holds_anything(value)
        {
            show_table(&format!("{name}.{key}"), fields, output)?;
        }
    }
    Ok(())
}

fn holds_anything(value: &Value) -> bool {
    match value {
        Value::Object(fields) => fields.values().any(holds_anything),
        value => !value.is_null(),
    }
}
