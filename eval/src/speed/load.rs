//! Requests to a server: one by one, or offered at a fixed rate whatever the answers take.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Result, ensure};
use futures::future::join_all;
use serde::Serialize;

use crate::metrics::percentile;

#[derive(Clone, Copy, Debug, Serialize)]
pub struct Latency {
    pub p50_ms: f64,
    pub p95_ms: f64,
    pub p99_ms: f64,
}

impl Latency {
    fn of(mut times_ms: Vec<f64>) -> Self {
        times_ms.sort_by(f64::total_cmp);
        Self { p50_ms: percentile(&times_ms, 0.5), p95_ms: percentile(&times_ms, 0.95), p99_ms: percentile(&times_ms, 0.99) }
    }
}

#[derive(Clone, Copy, Debug, Serialize)]
pub struct Step {
    pub offered_per_second: u32,
    pub answered_per_second: f64,
    pub errors: u64,
    pub latency: Latency,
}

impl Step {
    pub fn held(&self, p95_bound_ms: f64) -> bool {
        self.errors == 0
            && self.latency.p95_ms < p95_bound_ms
            && self.answered_per_second > 0.97 * f64::from(self.offered_per_second)
    }
}

pub struct Client {
    http: reqwest::Client,
    base: String,
}

impl Client {
    pub fn new(address: &str) -> Result<Self> {
        let http = reqwest::Client::builder().timeout(Duration::from_secs(10)).pool_max_idle_per_host(200).build()?;
        Ok(Self { http, base: format!("http://{address}/api/v1/search?") })
    }

    async fn request(&self, query: &str) -> Result<()> {
        let response = self.http.get(format!("{}{query}", self.base)).send().await?;
        let status = response.status();
        let body = response.bytes().await?;
        ensure!(status.is_success(), "{status}: {}", String::from_utf8_lossy(&body));
        Ok(())
    }

    pub async fn one_by_one(&self, queries: &[String]) -> Result<Latency> {
        let mut times = Vec::with_capacity(queries.len());
        for query in queries {
            let started = Instant::now();
            self.request(query).await?;
            times.push(started.elapsed().as_secs_f64() * 1_000.0);
        }
        Ok(Latency::of(times))
    }

    /// Each connection has its own timetable. A request that is late is sent at once and measured from when it was due, so
    /// that a server which stalls cannot hide it (no coordinated omission).
    pub async fn offer(&self, queries: &[String], rate: u32, connections: usize, seconds: u64) -> Result<Step> {
        let queries: Arc<[String]> = queries.into();
        let interval = Duration::from_secs_f64(connections as f64 / f64::from(rate));
        let started = Instant::now();
        let end = started + Duration::from_secs(seconds);
        let workers = (0..connections).map(|worker| {
            let queries = Arc::clone(&queries);
            async move {
                let mut times = Vec::new();
                let mut errors = 0_u64;
                let mut due = started + interval.mul_f64(worker as f64 / connections as f64);
                let mut at = worker;
                while due < end {
                    tokio::time::sleep_until(due.into()).await;
                    if let Some(query) = queries.get(at % queries.len()) {
                        match self.request(query).await {
                            Ok(()) => times.push(due.elapsed().as_secs_f64() * 1_000.0),
                            Err(_) => errors += 1,
                        }
                    }
                    at += connections;
                    due += interval;
                }
                (times, errors)
            }
        });
        let results = join_all(workers).await;
        let took = started.elapsed().as_secs_f64().max(seconds as f64);
        let errors = results.iter().map(|(_, errors)| errors).sum();
        let times: Vec<f64> = results.into_iter().flat_map(|(times, _)| times).collect();
        Ok(Step { offered_per_second: rate, answered_per_second: times.len() as f64 / took, errors, latency: Latency::of(times) })
    }
}
