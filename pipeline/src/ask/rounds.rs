//! The log of a running round, and followers of it.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use futures::stream::{self, BoxStream, StreamExt};
use serde::Serialize;
use tokio::sync::watch;

use crate::{
    model::round::{RoundId, Stage, StageStatus, TraceEvent},
    ports::{ErrorKind, PortError, PortResult, Rounds},
};

/// How often a follower looks at the log of a round that runs in another process.
const POLL: Duration = Duration::from_millis(300);

/// Rounds that run in this process. Followers read the stored log and are only woken from here, so there is no second copy.
#[derive(Clone, Default)]
pub struct RoundRegistry {
    running: Arc<Mutex<HashMap<RoundId, watch::Receiver<u64>>>>,
}

impl RoundRegistry {
    pub fn open(&self, rounds: Arc<dyn Rounds>, round: RoundId) -> RoundLog {
        let (written, receiver) = watch::channel(0);
        self.running.lock().unwrap_or_else(PoisonError::into_inner).insert(round.clone(), receiver);
        RoundLog { rounds, round, started: Instant::now(), seq: 0, iteration: 1, written, registry: self.clone() }
    }

    fn watch(&self, round: &RoundId) -> Option<watch::Receiver<u64>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner).get(round).cloned()
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
        let follower = Follower { rounds, round: round.clone(), after, wake: self.watch(round), ended: false };
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
    wake: Option<watch::Receiver<u64>>,
    ended: bool,
}

impl Follower {
    /// The next events, at least one; `None` when the round is finished or its log cannot be read any more.
    async fn next(&mut self) -> Option<Vec<TraceEvent>> {
        while !self.ended {
            // looked at first: an event written after this look is read below or at the next turn
            self.ended = self.rounds.round(&self.round).await.ok().flatten().is_none_or(|round| round.finished);
            let events = self.rounds.events(&self.round, self.after).await.ok()?;
            if let Some(last) = events.last() {
                self.after = last.seq;
                return Some(events);
            }
            if self.ended {
                break;
            }
            match &mut self.wake {
                Some(wake) => {
                    // what was written between the read above and here is not waited for
                    let newer = *wake.borrow_and_update() > self.after;
                    if !newer && wake.changed().await.is_err() {
                        self.wake = None;
                    }
                }
                None => tokio::time::sleep(POLL).await,
            }
        }
        None
    }
}

/// Appends events of one round; the only writer of its log.
pub struct RoundLog {
    rounds: Arc<dyn Rounds>,
    round: RoundId,
    started: Instant,
    seq: u64,
    iteration: u32,
    written: watch::Sender<u64>,
    registry: RoundRegistry,
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

    async fn write(&mut self, stage: Stage, status: StageStatus, data: &impl Serialize, finishes: bool) -> PortResult<()> {
        let data = serde_json::to_value(data).map_err(PortError::internal("write a trace event"))?;
        let elapsed_ms = self.started.elapsed().as_secs_f64() * 1_000.0;
        let event = TraceEvent {
            seq: self.seq + 1,
            round: self.round.clone(),
            stage,
            status,
            elapsed_ms,
            iteration: self.iteration,
            data,
        };
        self.rounds.append(&self.round, std::slice::from_ref(&event), finishes).await?;
        self.seq = event.seq;
        self.written.send_replace(self.seq);
        Ok(())
    }
}

impl Drop for RoundLog {
    fn drop(&mut self) {
        self.registry.running.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.round);
    }
}
