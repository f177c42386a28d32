//! One round of one client, from the question to the last event.

use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use futures::StreamExt;
use pipeline::model::round::{RoundView, TraceEvent};
use reqwest::{Client, Response};
use serde::Deserialize;
use serde_json::json;
use tokio::time::timeout;

/// A stream that has not ended by then does not end.
const PATIENCE: Duration = Duration::from_secs(90);
/// The event after which a client drops its connection or stops its round.
const TURN: usize = 2;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// Reads to the end.
    Follow,
    /// Loses its connection and comes back for the rest.
    Drop,
    /// Stops the round and reads to the end.
    Stop,
}

/// What a round left.
#[derive(Debug)]
pub struct Visit {
    pub manner: Manner,
    pub events: usize,
    /// Calls of the model that the log tells of.
    pub calls: usize,
}

#[derive(Deserialize)]
struct Started {
    id: String,
    events: String,
    key: String,
}

/// Asks, follows, and compares what came with what is stored.
///
/// # Errors
/// Whatever went otherwise than it should, in words.
pub async fn visit(client: &Client, base: &str, question: &str, manner: Manner) -> Result<Visit> {
    let asked = client.post(format!("{base}/api/v1/rounds")).json(&json!({ "question": question })).send().await?;
    let started: Started = succeeded(asked).await?.json().await?;
    let seen = timeout(PATIENCE, follow(client, base, &started, manner)).await.context("the stream did not end")??;
    let stored = client.get(format!("{base}/api/v1/rounds/{}?key={}", started.id, started.key)).send().await?;
    let stored: RoundView = succeeded(stored).await?.json().await?;
    ensure!(stored.round.finished, "the stream ended before the round");
    let numbers = |events: &[TraceEvent]| events.iter().map(|event| event.seq).collect::<Vec<_>>();
    ensure!(
        numbers(&stored.events) == (1..=stored.events.len() as u64).collect::<Vec<_>>(),
        "the log has gaps: {:?}",
        numbers(&stored.events)
    );
    ensure!(seen == stored.events, "{:?} came of {:?}", numbers(&seen), numbers(&stored.events));
    let calls = seen.iter().filter_map(|event| event.data.get("calls")?.as_array().map(Vec::len)).sum();
    Ok(Visit { manner, events: seen.len(), calls })
}

async fn follow(client: &Client, base: &str, round: &Started, manner: Manner) -> Result<Vec<TraceEvent>> {
    let address = format!("{base}{}?key={}", round.events, round.key);
    let mut seen: Vec<TraceEvent> = Vec::new();
    let mut turned = false;
    loop {
        let last = seen.last().map_or(0, |event| event.seq);
        let response = client.get(&address).header("last-event-id", last).send().await?;
        let mut stream = EventStream::of(succeeded(response).await?);
        loop {
            if !turned && seen.len() == TURN && manner != Manner::Follow {
                turned = true;
                if manner == Manner::Drop {
                    break;
                }
                let stop = format!("{base}/api/v1/rounds/{}/stop?key={}", round.id, round.key);
                succeeded(client.post(stop).send().await?).await?;
            }
            match stream.next().await? {
                Some(event) => seen.push(event),
                None => return Ok(seen),
            }
        }
    }
}

async fn succeeded(response: Response) -> Result<Response> {
    let status = response.status();
    if status.is_success() {
        return Ok(response);
    }
    bail!("{status}: {}", response.text().await.unwrap_or_default())
}

/// Server-sent events as they come.
struct EventStream {
    bytes: futures::stream::BoxStream<'static, reqwest::Result<Vec<u8>>>,
    waiting: Vec<u8>,
}

impl EventStream {
    fn of(response: Response) -> Self {
        let bytes = response.bytes_stream().map(|piece| piece.map(|piece| piece.to_vec()));
        Self { bytes: bytes.boxed(), waiting: Vec::new() }
    }

    /// None after `done`.
    async fn next(&mut self) -> Result<Option<TraceEvent>> {
        loop {
            if let Some(end) = self.waiting.windows(2).position(|pair| pair == b"\n\n") {
                let block: Vec<u8> = self.waiting.drain(..end + 2).collect();
                let block = String::from_utf8(block).context("the stream is no text")?;
                let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
                match (field("event"), field("data")) {
                    (Some("done"), _) => return Ok(None),
                    (Some(_), Some(data)) => return Ok(Some(serde_json::from_str(data)?)),
                    // a heartbeat
                    _ => continue,
                }
            }
            let piece = self.bytes.next().await.context("the stream broke off")??;
            self.waiting.extend(piece);
        }
    }
}
