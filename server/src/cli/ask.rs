//! `cairn ask`: how it is answered on the standard error as it happens, the answer on the standard output.

use std::{pin::pin, process::ExitCode};

use clap::Args;
use futures::StreamExt;
use pipeline::{
    ask::{Request, summary::summary},
    model::{
        conversation::{ConversationId, OwnerId},
        query::SearchQuery,
        round::{Answer, AnswerKind, PathChoice, References, Round, RoundError, Stage, StageStatus, TraceEvent},
    },
    ports::ErrorKind,
};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{
    failure::Failure,
    output::{Output, plain, plain_lines},
    search::{Filters, refuse_empty},
};
use crate::{config::Config, http::shutdown, wiring::Cairn};

/// Whose rounds those asked here are. Names of visitors in a browser are UUIDs.
const TERMINAL: &str = "terminal";
/// As shells say it of a program that an interrupt ended.
const STOPPED: u8 = 130;

#[derive(Args)]
pub struct Arguments {
    question: String,
    #[command(flatten)]
    filters: Filters,
    /// auto, standard (one search) or multi-hop
    #[arg(long, default_value = "auto", value_parser = parse_path)]
    path: PathChoice,
    /// The conversation it goes on with, as the one before ended with
    #[arg(long, value_name = "ID")]
    conversation: Option<String>,
    /// Take the question as it is typed, though it may lean on the conversation
    #[arg(long)]
    own_words: bool,
    /// The events as they come, one JSON object a line
    #[arg(long)]
    json: bool,
}

fn parse_path(text: &str) -> Result<PathChoice, String> {
    match text {
        "auto" => Ok(PathChoice::Auto),
        "standard" => Ok(PathChoice::Standard),
        "multi-hop" => Ok(PathChoice::MultiHop),
        _ => Err("use auto, standard or multi-hop".to_owned()),
    }
}

/// What has been shown of a round, and what its events add up to.
#[derive(Default)]
struct Shown {
    /// The draft on the terminal, by its attempt.
    draft: String,
    attempt: u64,
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
    let request = Request { path: arguments.path, own_words: arguments.own_words, ..query.into() };
    let conversation = arguments.conversation.map(ConversationId);
    let cairn = Cairn::open(config, "ask").await?;
    let asked = ask(&cairn, config, conversation.as_ref(), request, arguments.json, output).await;
    cairn.close().await;
    let (round, shown) = asked?;
    if !arguments.json {
        show_end(&shown, output)?;
        output.note(output.faint_note(format_args!("Go on with: cairn ask --conversation {} \"…\"", round.conversation)));
    }
    match shown.error {
        Some(error) if error.stopped => {
            output.note("Stopped.");
            Ok(ExitCode::from(STOPPED))
        }
        Some(error) => Err(Failure::new(format!("{}. {}", error.title, error.what_to_do))),
        None => Ok(ExitCode::SUCCESS),
    }
}

async fn ask(
    cairn: &Cairn,
    config: &Config,
    conversation: Option<&ConversationId>,
    request: Request,
    json: bool,
    output: &mut Output,
) -> Result<(Round, Shown), Failure> {
    refuse_empty(cairn, config).await?;
    cairn.caught_up_but_vectors().await?;
    let owner = OwnerId(TERMINAL.to_owned());
    let round = cairn.asker.start(&owner, conversation, request).await.map_err(|error| match error.kind {
        ErrorKind::NotFound => Failure::usage("There is no such conversation here. Leave --conversation out to begin a new one."),
        _ => error.into(),
    })?;
    let mut events = cairn.asker.follow(&round.id, 0).await?;
    let mut interrupt = pin!(shutdown::signal());
    let mut stopping = false;
    let mut shown = Shown::default();
    loop {
        tokio::select! {
            event = events.next() => match event {
                Some(event) if json => output.json(&event).map(|()| shown.note(&event))?,
                Some(event) => shown.show(&event, output)?,
                None => return Ok((round, shown)),
            },
            () = &mut interrupt, if !stopping => {
                stopping = true;
                cairn.asker.stop(&round.id).await?;
            }
        }
    }
}

impl Shown {
    fn show(&mut self, event: &TraceEvent, output: &mut Output) -> Result<(), Failure> {
        if event.stage == Stage::Generation && event.status == StageStatus::Progress {
            return self.show_piece(event, output);
        }
        if let Some(summary) = summary(event) {
            self.end_draft_line(output)?;
            let mark = match event.status {
                StageStatus::Degraded => " (degraded)",
                StageStatus::Failed => " (failed)",
                _ => "",
            };
            let line = format!("{:>8.1} ms  {}{mark}  {}", event.elapsed_ms, event.stage.name(), plain(&summary));
            output.note(output.faint_note(line));
        }
        self.note(event);
        Ok(())
    }

    /// A draft is shown to people only: what it says is not checked yet.
    fn show_piece(&mut self, event: &TraceEvent, output: &mut Output) -> Result<(), Failure> {
        if !output.is_terminal() {
            return Ok(());
        }
        let attempt = event.data.get("attempt").and_then(Value::as_u64).unwrap_or(1);
        if attempt != self.attempt {
            self.end_draft_line(output)?;
            self.draft.clear();
            self.attempt = attempt;
        }
        let text = event.data.get("text").and_then(Value::as_str).unwrap_or_default();
        self.draft.push_str(text);
        output.piece(plain_lines(text))?;
        Ok(())
    }

    fn end_draft_line(&mut self, output: &mut Output) -> Result<(), Failure> {
        if !self.draft.is_empty() && !self.draft.ends_with('\n') {
            self.draft.push('\n');
            output.piece("\n")?;
        }
        Ok(())
    }

    fn note(&mut self, event: &TraceEvent) {
        match event.stage {
            Stage::Answer => self.answer = read(&event.data),
            Stage::References => self.references = read(&event.data),
            Stage::Error => self.error = read(&event.data),
            _ => {}
        }
    }
}

fn read<T: DeserializeOwned>(data: &Value) -> Option<T> {
    T::deserialize(data).inspect_err(|error| tracing::warn!(%error, "an event has an unknown form")).ok()
}

/// The answer, unless it stands there as it was written, and its sources.
fn show_end(shown: &Shown, output: &mut Output) -> Result<(), Failure> {
    let Some(answer) = &shown.answer else { return Ok(()) };
    if shown.draft.trim() != answer.text.trim() {
        output.line("")?;
        output.line(output.strong(plain_lines(&answer.text)))?;
    }
    let source = match answer.kind {
        AnswerKind::Answer => "",
        AnswerKind::Extractive => "Sentences of the elements below, word for word; no language model was asked.",
        AnswerKind::InsufficientInformation => "The catalogue does not say enough to answer.",
    };
    if !source.is_empty() {
        output.line(output.faint(source))?;
    }
    let items = shown.references.as_ref().map(|references| references.items.as_slice()).unwrap_or_default();
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
        if !citation.quote.is_empty() {
            output.line(format_args!("    “{}”", plain(&citation.quote)))?;
        }
    }
    Ok(())
}
