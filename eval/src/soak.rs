//! A real server on a scripted model under many rounds at once: streams end, events come once, calls are made once, memory and handles
//! stay flat.

mod visit;

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use clap::Args;
use eval::scripted_model::{Journal, Reply, Script, ScriptedModel};
use futures::{StreamExt, stream};
use indicatif::ProgressBar;

use crate::{
    probes,
    server::{self, Server},
};
use visit::{Manner, Visit, visit};

/// What resident memory may grow by after the first rounds. A round that is kept whole takes some 50 kB: a thousand would be more.
const MEMORY_BOUND_MB: f64 = 24.0;
/// Handles that may be open beyond those of the start.
const HANDLES_BOUND: usize = 8;
/// Of the rounds so many are stopped, the last ones.
const STOPPED: f64 = 0.2;
/// Of the others so many come before the first measurement, when caches and pools have filled.
const WARMING: f64 = 0.2;
/// Connections close and memory returns in this time.
const REST: Duration = Duration::from_secs(3);
/// A model call that is dropped may run beside another one.
const CALLS_AT_ONCE: usize = 2;

#[derive(Args)]
pub struct Options {
    #[arg(long, default_value_t = 1_000)]
    rounds: usize,
    #[arg(long, default_value_t = 20)]
    at_once: usize,
    /// The program to run; by default `cairn` beside this one.
    #[arg(long)]
    cairn: Option<PathBuf>,
}

/// What the server holds at one moment.
#[derive(Clone, Copy, Debug)]
struct Held {
    memory_mb: f64,
    handles: usize,
}

struct Soak {
    server: Server,
    model: ScriptedModel,
    questions: Vec<String>,
    at_once: usize,
    progress: ProgressBar,
    asked: usize,
}

#[derive(Default)]
struct Tally {
    visits: Vec<Visit>,
    failures: Vec<String>,
}

/// The report, and whether all is as it should be.
///
/// # Errors
/// A server or model that does not start. What a round does wrong stands in the report.
pub async fn run(options: &Options) -> Result<(String, bool)> {
    let cairn = server::program(options.cairn.as_deref())?;
    // tokens take their time, so that clients can go away and rounds can be stopped between them
    let model = ScriptedModel::start(Script::always(Reply { token_ms: 2, ..Reply::default() })).await?;
    let folder = tempfile::tempdir()?;
    let settings = [("CAIRN_LANGUAGE_BASE_URL", model.base_url()), ("CAIRN_LANGUAGE_MODEL", "scripted".to_owned())];
    let settings = settings.each_ref().map(|(name, value)| (*name, value.as_str()));
    let server = Server::start(&cairn, folder.path(), &settings).await?;
    let progress = ProgressBar::new(options.rounds as u64);
    let questions = probes::questions()?;
    let mut soak = Soak { server, model, questions, at_once: options.at_once, progress, asked: 0 };

    let share = |of: usize, share: f64| (of as f64 * share).round() as usize;
    let to_stop = share(options.rounds, STOPPED);
    let to_warm = share(options.rounds - to_stop, WARMING);
    let started = Instant::now();
    let mut followed = soak.visits(to_warm, &[Manner::Follow, Manner::Drop]).await?;
    let before = soak.at_rest().await?;
    let more = soak.visits(options.rounds - to_stop - to_warm, &[Manner::Follow, Manner::Follow, Manner::Drop]).await?;
    followed.absorb(more);
    let after_followed = soak.model.journal();
    let stopped = soak.visits(to_stop, &[Manner::Stop]).await?;
    let took = started.elapsed();
    let after = soak.at_rest().await?;
    soak.progress.finish_and_clear();
    let journal = soak.model.journal();
    Ok(report(&followed, &stopped, &after_followed, &journal, before, after, took))
}

impl Soak {
    /// So many rounds in these manners by turns, and then no connection more.
    async fn visits(&mut self, count: usize, manners: &[Manner]) -> Result<Tally> {
        let client = reqwest::Client::builder().pool_max_idle_per_host(self.at_once).build()?;
        let base = format!("http://{}", self.server.address);
        let mut tally = Tally::default();
        let asked = self.asked;
        let visits = (0..count).filter_map(|at| {
            let question = self.questions.get((asked + at) % self.questions.len())?;
            let manner = *manners.get(at % manners.len())?;
            let (client, base) = (&client, base.as_str());
            Some(async move { visit(client, base, question, manner).await.with_context(|| format!("“{question}” ({manner:?})")) })
        });
        let mut visits = stream::iter(visits).buffer_unordered(self.at_once);
        while let Some(visit) = visits.next().await {
            match visit {
                Ok(visit) => tally.visits.push(visit),
                Err(error) => tally.failures.push(format!("{error:#}")),
            }
            self.progress.inc(1);
        }
        drop(visits);
        self.asked += count;
        Ok(tally)
    }

    async fn at_rest(&self) -> Result<Held> {
        tokio::time::sleep(REST).await;
        Ok(Held { memory_mb: self.server.memory_mb()?, handles: self.server.handles()? })
    }
}

impl Tally {
    fn absorb(&mut self, other: Self) {
        self.visits.extend(other.visits);
        self.failures.extend(other.failures);
    }

    fn count(&self, manner: Manner) -> usize {
        self.visits.iter().filter(|visit| visit.manner == manner).count()
    }

    fn calls(&self) -> usize {
        self.visits.iter().map(|visit| visit.calls).sum()
    }

    fn events(&self) -> usize {
        self.visits.iter().map(|visit| visit.events).sum()
    }
}

fn report(
    followed: &Tally,
    stopped: &Tally,
    after_followed: &Journal,
    journal: &Journal,
    before: Held,
    after: Held,
    took: Duration,
) -> (String, bool) {
    let rounds = followed.visits.len() + stopped.visits.len();
    let failures: Vec<&String> = followed.failures.iter().chain(&stopped.failures).collect();
    let told_calls = followed.calls();
    let made_for_stopped = journal.calls - after_followed.calls;
    let (least, most) = (stopped.calls(), stopped.calls() + CALLS_AT_ONCE * stopped.visits.len());
    let grown_mb = after.memory_mb - before.memory_mb;
    let checks = [
        (
            failures.is_empty(),
            format!(
                "{rounds} rounds ended, {} with a connection lost and resumed, {} stopped; {} events, each once and as stored; {} failed",
                followed.count(Manner::Drop),
                stopped.count(Manner::Stop),
                followed.events() + stopped.events(),
                failures.len()
            ),
        ),
        (
            told_calls == after_followed.calls && told_calls > 0,
            format!(
                "rounds that were not stopped: {} calls reached the model, their logs tell of {told_calls}",
                after_followed.calls
            ),
        ),
        (
            (least..=most).contains(&made_for_stopped),
            format!(
                "stopped rounds: {made_for_stopped} calls reached the model, their logs tell of {least}, bound {most}; {} were dropped",
                journal.disconnects
            ),
        ),
        (journal.running == 0, format!("{} calls still run at the model", journal.running)),
        (
            grown_mb <= MEMORY_BOUND_MB,
            format!(
                "resident memory {:.1} MB, then {:.1} MB: {grown_mb:+.1} MB, bound {MEMORY_BOUND_MB} MB",
                before.memory_mb, after.memory_mb
            ),
        ),
        (
            after.handles <= before.handles + HANDLES_BOUND,
            format!("{} handles, then {}, bound {}", before.handles, after.handles, before.handles + HANDLES_BOUND),
        ),
    ];
    let passed = checks.iter().all(|(holds, _)| *holds);
    let mut lines: Vec<String> =
        checks.iter().map(|(holds, said)| format!("{}  {said}", if *holds { "ok  " } else { "FAIL" })).collect();
    lines.push(format!("{:.0} s, {:.1} rounds a second", took.as_secs_f64(), rounds as f64 / took.as_secs_f64()));
    lines.extend(failures.into_iter().take(20).map(|failure| format!("      {failure}")));
    (lines.join("\n"), passed)
}
