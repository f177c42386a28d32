//! Projectors in the background, one task a target.

use std::time::Duration;

use tokio::{sync::watch, task::JoinSet};

use super::{
    explain,
    target::{Projection, Step},
};
use crate::{ports::PortResult, services::Services};

/// After a change this long is waited for more of them, so that single changes in a row share a commit of the index.
const GATHER: Duration = Duration::from_millis(150);
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// 100 ms, 200 ms … 3.2 s: about six seconds in all.
const PATIENT_ATTEMPTS: u32 = 7;

/// The running projectors of a server. Dropped without [`Projectors::stop`] they are cut off; the log and the checkpoints
/// stay right, for a target applies a batch wholly or not at all.
pub struct Projectors {
    stop: watch::Sender<bool>,
    tasks: JoinSet<()>,
}

impl Projectors {
    /// Starts a projector per target; a target without what it needs (vectors without a model) gets none.
    pub fn start(services: &Services) -> Self {
        let (stop, stopped) = watch::channel(false);
        let mut tasks = JoinSet::new();
        for projection in Projection::all(services) {
            if projection.cannot_move().is_none() {
                tasks.spawn(follow(projection, services.clone(), stopped.clone()));
            }
        }
        Self { stop, tasks }
    }

    /// Lets every projector finish the batch it is in.
    pub async fn stop(mut self) {
        self.stop.send_replace(true);
        while let Some(ended) = self.tasks.join_next().await {
            if let Err(error) = ended {
                tracing::error!(%error, "a projector had ended by itself");
            }
        }
    }
}

async fn follow(projection: Projection, services: Services, mut stopped: watch::Receiver<bool>) {
    let mut failures = 0;
    while !*stopped.borrow() {
        let step = projection.advance().await;
        if step.is_ok() && failures > 0 {
            tracing::info!(projection = projection.name(), "the projection moves again");
            failures = 0;
        }
        match step {
            Ok(Step::Applied { .. } | Step::Erased) => {}
            Ok(Step::AtTheEnd(seq)) => {
                let more = async {
                    services.records.wait_beyond(seq).await;
                    tokio::time::sleep(GATHER).await;
                };
                tokio::select! { () = more => {}, _ = stopped.wait_for(|stop| *stop) => {} }
            }
            Err(error) => {
                // said once a failure in a row, then left to the lag that operators see
                if failures == 0 {
                    tracing::warn!(
                        projection = projection.name(),
                        error = explain(&error),
                        "the projection cannot move; trying again"
                    );
                }
                metrics::counter!("cairn_projection_failures_total", "projection" => projection.name()).increment(1);
                let wait = error.retry_after.unwrap_or(pause(failures));
                failures += 1;
                tokio::select! { () = tokio::time::sleep(wait) => {}, _ = stopped.wait_for(|stop| *stop) => {} }
            }
        }
    }
}

fn pause(failures: u32) -> Duration {
    FIRST_PAUSE.saturating_mul(2_u32.saturating_pow(failures)).min(LONGEST_PAUSE)
}

/// Tries again while the failure is one that may pass, for some seconds.
pub(super) async fn patiently<T, F: Future<Output = PortResult<T>>>(attempt: impl Fn() -> F) -> PortResult<T> {
    let mut failures = 0;
    loop {
        match attempt().await {
            Err(error) if error.kind.may_succeed_later() && failures + 1 < PATIENT_ATTEMPTS => {
                tokio::time::sleep(error.retry_after.unwrap_or(pause(failures))).await;
                failures += 1;
            }
            result => return result,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_to_half_a_minute() {
        let pauses: Vec<u128> = [0, 1, 2, 5, 8, 9, 200].into_iter().map(|failures| pause(failures).as_millis()).collect();
        assert_eq!(pauses, [100, 200, 400, 3_200, 25_600, 30_000, 30_000]);
    }
}
