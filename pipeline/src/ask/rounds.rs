//! The log of a running round, and followers of it.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use futures::stream::{self, BoxStream, StreamExt};
use serde::Serialize;
use tokio::{
    sync::{Notify, watch},
    task::JoinHandle,
};

use crate::{
    model::round::{RoundError, RoundId, Stage, StageStatus, TraceEvent},
    ports::{ErrorKind, PortError, PortResult, Rounds},
};

/// How often a follower looks at the log of a round that does not run in this process, and at one that could not be read.
const POLL: Duration = Duration::from_millis(300);

/// Rounds that run in this process. Followers read the stored log and are only woken from here, so there is no second copy.
#[derive(Clone, Default)]
pub struct RoundRegistry {
    running: Arc<Mutex<HashMap<RoundId, Running>>>,
}

#[derive(Clone)]
struct Running {
    /// The newest number in the log; closed when nothing will follow.
    written: watch::Receiver<u64>,
    stop: Arc<Notify>,
}

impl RoundRegistry {
    /// The log of a round that is to run now, and the wish to stop it.
    pub fn open(&self, rounds: Arc<dyn Rounds>, round: RoundId) -> (RoundLog, Arc<Notify>) {
        let (written, receiver) = watch::channel(0);
        let stop = Arc::new(Notify::new());
        self.entries().insert(round.clone(), Running { written: receiver, stop: Arc::clone(&stop) });
        let log = RoundLog {
            rounds,
            round,
            started: Instant::now(),
            seq: 0,
            iteration: 1,
            finished: false,
            writing: None,
            written,
            registry: self.clone(),
        };
        (log, stop)
    }

    /// Asks a round to stop, and resolves when its log is let go of; at once when it does not run here.
    pub async fn stop(&self, round: &RoundId) {
        let Some(Running { mut written, stop }) = self.find(round) else { return };
        // kept for who has not begun to wait for it
        stop.notify_one();
        while written.changed().await.is_ok() {}
    }

    pub fn running(&self) -> usize {
        self.entries().len()
    }

    fn find(&self, round: &RoundId) -> Option<Running> {
        self.entries().get(round).cloned()
    }

    fn entries(&self) -> MutexGuard<'_, HashMap<RoundId, Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stored events after `after`, then those to come, each exactly once.
    ///
    /// # Errors
    /// `NotFound` for a round that does not exist.
    pub async fn follow(
        &self,
        rounds: Arc<dyn Rounds>,
        round: &RoundId,
        after: u64,
    ) -> PortResult<BoxStream<'static, TraceEvent>> {
        if rounds.round(round).await?.is_none() {
            return Err(PortError::new(ErrorKind::NotFound, "follow a round", "there is no such round"));
        }
        let wake = self.find(round).map(|running| running.written);
        let follower = Follower { rounds, round: round.clone(), after, wake };
        let batches = stream::unfold(follower, |mut follower| async move {
            let events = follower.next().await?;
            Some((stream::iter(events), follower))
        });
        Ok(batches.flatten().boxed())
    }
}

struct Follower {
    rounds: Arc<dyn Rounds>,
    round: RoundId,
    after: u64,
    /// Absent when nothing in this process writes the log, or nothing any more.
    wake: Option<watch::Receiver<u64>>,
}

impl Follower {
    /// The next events, at least one; `None` when the round is finished.
    async fn next(&mut self) -> Option<Vec<TraceEvent>> {
        loop {
            match self.look().await {
                Ok((events, _)) if !events.is_empty() => {
                    self.after = events.last().map_or(self.after, |last| last.seq);
                    return Some(events);
                }
                Ok((_, true)) => return None,
                Ok(_) => self.wait().await,
                // an end would say that the round is finished
                Err(error) => {
                    tracing::warn!(round = %self.round, error = %error, cause = %error.source, "a log cannot be read at the moment");
                    tokio::time::sleep(POLL).await;
                }
            }
        }
    }

    /// What is new, and whether nothing will follow it.
    async fn look(&mut self) -> PortResult<(Vec<TraceEvent>, bool)> {
        // the end is looked for first: what is written after this look is found at the next one
        let finished = match &self.wake {
            Some(wake) if wake.has_changed().is_ok() => false,
            _ => {
                self.wake = None;
                self.rounds.round(&self.round).await?.is_none_or(|round| round.finished)
            }
        };
        Ok((self.rounds.events(&self.round, self.after).await?, finished))
    }

    async fn wait(&mut self) {
        match &mut self.wake {
            Some(wake) => {
                // what was written since the log was read is not waited for
                let newer = *wake.borrow_and_update() > self.after;
                if !newer && wake.changed().await.is_err() {
                    self.wake = None;
                }
            }
            None => tokio::time::sleep(POLL).await,
        }
    }
}

/// Appends events of one round; the only writer of its log.
pub struct RoundLog {
    rounds: Arc<dyn Rounds>,
    round: RoundId,
    started: Instant,
    /// Of the last event that is known to be stored.
    seq: u64,
    iteration: u32,
    finished: bool,
    writing: Option<Writing>,
    written: watch::Sender<u64>,
    registry: RoundRegistry,
}

/// An event on its way into the store, and whether it closes the log.
struct Writing {
    task: JoinHandle<PortResult<()>>,
    finishes: bool,
}

impl RoundLog {
    pub fn round(&self) -> &RoundId {
        &self.round
    }

    /// When the round began.
    pub fn started(&self) -> Instant {
        self.started
    }

    /// Events from now on belong to this round of searching.
    pub fn iterate(&mut self, iteration: u32) {
        self.iteration = iteration;
    }

    /// Cancel safe: an event whose writing has begun is written whole, once, though nobody waits for it any more.
    ///
    /// # Errors
    /// Records that cannot be written.
    pub async fn append(&mut self, stage: Stage, status: StageStatus, data: &impl Serialize) -> PortResult<()> {
        self.write(stage, status, data, false).await
    }

    /// The last event: it closes the log.
    ///
    /// # Errors
    /// Records that cannot be written.
    pub async fn finish(&mut self, stage: Stage, status: StageStatus, data: &impl Serialize) -> PortResult<()> {
        self.write(stage, status, data, true).await
    }

    /// Closes the log of a round that did not come to its end, unless it did after all.
    ///
    /// # Errors
    /// Records that cannot be written.
    pub async fn close(&mut self, why: &RoundError) -> PortResult<()> {
        // an event that could not be written has told so already
        let _ = self.settle().await;
        if self.finished {
            return Ok(());
        }
        let status = if why.stopped { StageStatus::Degraded } else { StageStatus::Failed };
        self.finish(Stage::Error, status, why).await
    }

    async fn write(&mut self, stage: Stage, status: StageStatus, data: &impl Serialize, finishes: bool) -> PortResult<()> {
        self.settle().await?;
        let data = serde_json::to_value(data).map_err(PortError::internal("write a trace event"))?;
        let elapsed_ms = self.started.elapsed().as_secs_f64() * 1_000.0;
        let (seq, round, iteration) = (self.seq + 1, self.round.clone(), self.iteration);
        let event = TraceEvent { seq, round, stage, status, elapsed_ms, iteration, data };
        let rounds = Arc::clone(&self.rounds);
        let task = tokio::spawn(async move { rounds.append(&event.round, std::slice::from_ref(&event), finishes).await });
        self.writing = Some(Writing { task, finishes });
        self.settle().await
    }

    /// Waits for an event that is being written.
    async fn settle(&mut self) -> PortResult<()> {
        let Some(writing) = &mut self.writing else { return Ok(()) };
        let (outcome, finishes) = ((&mut writing.task).await, writing.finishes);
        self.writing = None;
        outcome.map_err(PortError::internal("write a trace event"))??;
        self.seq += 1;
        self.finished = finishes;
        self.written.send_replace(self.seq);
        Ok(())
    }
}

impl Drop for RoundLog {
    fn drop(&mut self) {
        self.registry.entries().remove(&self.round);
    }
}

#[cfg(all(test, feature = "embedded"))]
mod tests;
