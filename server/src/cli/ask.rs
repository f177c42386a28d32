//! `cairn ask`.

use std::process::ExitCode;

use clap::Args;
use futures::StreamExt;
use pipeline::model::{
    query::SearchQuery,
    round::{Answer, AnswerKind, References, RoundError, Stage, StageStatus, TraceEvent},
};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{
    failure::Failure,
    output::{Output, plain},
    search::{Filters, refuse_empty},
};
use crate::{config::Config, wiring::Cairn};

#[derive(Args)]
pub struct Arguments {
    question: String,
    #[command(flatten)]
    filters: Filters,
    /// The events as they come, one JSON object a line
    #[arg(long)]
    json: bool,
}

/// What the round's events add up to, for the end.
#[derive(Default)]
struct Outcome {
    answer: Option<Answer>,
    references: Option<References>,
    error: Option<RoundError>,
}

pub async fn run(config: &Config, arguments: Arguments, output: &mut Output) -> Result<ExitCode, Failure> {
    let mut pairs = vec![("q", arguments.question)];
    pairs.extend(arguments.filters.into_pairs()?);
    let query = SearchQuery::from_pairs(pairs).map_err(|errors| Failure::invalid(&errors))?;
    if query.q.is_empty() {
        return Err(Failure::usage("The question is empty. Write what you want to know."));
    }
    let cairn = Cairn::open(config, "ask").await?;
    let asked = follow(&cairn, config, &query, arguments.json, output).await;
    cairn.close().await;
    let outcome = asked?;
    if !arguments.json {
        show_answer(&outcome, output)?;
    }
    match outcome.error {
        Some(error) => Err(Failure::new(format!("{}. {}", error.title, error.what_to_do))),
        None => Ok(ExitCode::SUCCESS),
    }
}

async fn follow(
    cairn: &Cairn,
    config: &Config,
    query: &SearchQuery,
    json: bool,
    output: &mut Output,
) -> Result<Outcome, Failure> {
    refuse_empty(cairn, config).await?;
    cairn.caught_up_but_vectors().await?;
    let round = cairn.asker.start(&query.clone().into()).await?;
    let mut events = cairn.asker.follow(&round, 0).await?;
    let mut outcome = Outcome::default();
    while let Some(event) = events.next().await {
        if json {
            output.json(&event)?;
        } else {
            show_event(&event, output)?;
        }
        match event.stage {
            Stage::Answer => outcome.answer = read(&event.data),
            Stage::References => outcome.references = read(&event.data),
            Stage::Error => outcome.error = read(&event.data),
            _ => {}
        }
    }
    Ok(outcome)
}

fn read<T: DeserializeOwned>(data: &Value) -> Option<T> {
    T::deserialize(data).inspect_err(|error| tracing::warn!(%error, "an event has an unknown form")).ok()
}

fn show_event(event: &TraceEvent, output: &mut Output) -> Result<(), Failure> {
    if event.status == StageStatus::Started || event.status == StageStatus::Progress {
        return Ok(());
    }
    let mark = match event.status {
        StageStatus::Degraded => " (degraded)",
        StageStatus::Failed => " (failed)",
        _ => "",
    };
    let line = format!("{:>8.1} ms  {}{mark}  {}", event.elapsed_ms, event.stage.name(), plain(&summary(event)));
    output.line(output.faint(line))?;
    Ok(())
}

/// What a stage did, in a line.
fn summary(event: &TraceEvent) -> String {
    let text = |pointer: &str| event.data.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
    let count = |pointer: &str| event.data.pointer(pointer).and_then(Value::as_array).map_or(0, Vec::len);
    match event.stage {
        Stage::Augmentation => text("/added/topic"),
        Stage::Routing => {
            let methods = event.data.get("methods").and_then(Value::as_array).into_iter().flatten();
            let names: Vec<&str> = methods.filter_map(|method| method.get("name")?.as_str()).collect();
            names.join(", ")
        }
        Stage::Retrieval => {
            let found =
                event.data.get("count").and_then(Value::as_u64).map_or_else(|| text("/reason"), |found| format!("{found} found"));
            format!("{}: {found}", text("/method"))
        }
        Stage::Fusion => format!("{} listed", count("/items")),
        Stage::Validation => format!("{}: {}", text("/check"), text("/verdict")),
        Stage::Answer => text("/kind"),
        Stage::References => format!("{} elements", count("/items")),
        Stage::Error => text("/detail"),
        _ => String::new(),
    }
}

fn show_answer(outcome: &Outcome, output: &mut Output) -> Result<(), Failure> {
    let Some(answer) = &outcome.answer else { return Ok(()) };
    output.line("")?;
    output.line(output.strong(answer.text.lines().map(plain).collect::<Vec<_>>().join("\n")))?;
    let source = match answer.kind {
        AnswerKind::Answer => "",
        AnswerKind::Extractive => "Sentences of the elements below, word for word; no language model was asked.",
        AnswerKind::InsufficientInformation => "The catalogue does not say enough to answer.",
    };
    if !source.is_empty() {
        output.line(output.faint(source))?;
    }
    let items = outcome.references.as_ref().map(|references| references.items.as_slice()).unwrap_or_default();
    let mut cited = Vec::new();
    for citation in &answer.citations {
        if !cited.contains(&citation.n) {
            cited.push(citation.n);
            let item = items.iter().find(|item| item.id == citation.id);
            let (title, kind) = item.map_or((citation.id.0.as_str(), "element"), |item| (item.title.as_str(), item.kind.label()));
            output.line(format_args!(
                "\n[{}] {}  {}  {}",
                citation.n,
                output.strong(plain(title)),
                output.faint(kind),
                output.faint(&citation.id)
            ))?;
        }
        output.line(format_args!("    “{}”", plain(&citation.quote)))?;
    }
    Ok(())
}
