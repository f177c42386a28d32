//! What was asked of the scripted model, and how each call ended.

use std::{collections::VecDeque, time::Instant};

use serde::Serialize;

use super::Shared;

/// Calls whose prompts are kept.
const KEPT: usize = 1_000;

#[derive(Clone, Debug, Default, Serialize)]
pub struct Journal {
    pub calls: usize,
    pub running: usize,
    /// Clients that went away before the reply was whole.
    pub disconnects: usize,
    /// The newest ones, in order.
    pub newest: VecDeque<Call>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Call {
    /// 1, 2, 3, …
    pub number: usize,
    pub model: String,
    /// Of the reply's schema; empty without one.
    pub schema: String,
    pub stream: bool,
    pub temperature: Option<f64>,
    pub max_tokens: Option<u64>,
    pub authorization: Option<String>,
    /// The messages, an empty line between them.
    pub prompt: String,
    pub tokens_sent: usize,
    pub elapsed_ms: f64,
    pub end: End,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    Running,
    /// The reply went out as the script says, a broken one too.
    Sent,
    /// The client went away.
    Disconnected,
}

impl Journal {
    /// The prompts of a task, in order.
    pub fn prompts_of(&self, schema: &str) -> Vec<&str> {
        self.newest.iter().filter(|call| call.schema == schema).map(|call| call.prompt.as_str()).collect()
    }

    pub(super) fn forget(&mut self) {
        *self = Self { running: self.running, ..Self::default() };
    }
}

/// A call that is being answered. Dropped before [`Self::sent`] it says that the client went away: a server drops what it does
/// for a connection that has closed.
pub(super) struct Answering {
    shared: Shared,
    number: usize,
    started: Instant,
    tokens_sent: usize,
    is_over: bool,
}

impl Answering {
    pub fn begin(shared: &Shared, mut call: Call) -> Self {
        let mut journal = shared.journal();
        journal.calls += 1;
        journal.running += 1;
        call.number = journal.calls;
        let number = call.number;
        journal.newest.push_back(call);
        if journal.newest.len() > KEPT {
            journal.newest.pop_front();
        }
        drop(journal);
        Self { shared: shared.clone(), number, started: Instant::now(), tokens_sent: 0, is_over: false }
    }

    pub fn token(&mut self) {
        self.tokens_sent += 1;
    }

    /// To be called before the last piece goes out: the client may look here as soon as it has that.
    pub fn sent(&mut self) {
        self.end(End::Sent);
    }

    fn end(&mut self, end: End) {
        if self.is_over {
            return;
        }
        self.is_over = true;
        let mut journal = self.shared.journal();
        journal.running = journal.running.saturating_sub(1);
        journal.disconnects += usize::from(end == End::Disconnected);
        if let Some(call) = journal.newest.iter_mut().find(|call| call.number == self.number) {
            call.end = end;
            call.tokens_sent = self.tokens_sent;
            call.elapsed_ms = self.started.elapsed().as_secs_f64() * 1_000.0;
        }
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        self.end(End::Disconnected);
    }
}
