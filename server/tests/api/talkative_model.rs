//! A language model that takes its time, so that something can happen while it writes.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use async_trait::async_trait;
use pipeline::{
    model::round::Outcome,
    ports::{
        LanguageModel, PortResult,
        language_model::{Budget, Completion, Prompt, Task},
    },
    testing::fakes::ScriptedModel,
};
use serde_json::json;
use tokio::sync::mpsc;

use crate::test_app::Setup;

/// What it writes about the elements of the test.
pub const ANSWER: &str = "The ice edge lies between Svalbard and Greenland [1].";

pub struct TalkativeModel {
    script: ScriptedModel,
    pace: Duration,
    /// Never comes to an end.
    endless: bool,
    calls: Mutex<Vec<&'static str>>,
    writing: Arc<AtomicUsize>,
    said: Mutex<Vec<Instant>>,
}

impl TalkativeModel {
    /// A good answer, a word each `pace`.
    pub fn with_pace(pace: Duration) -> Self {
        let plan = json!({"follow_up": false, "question": "", "path": "standard", "sub_questions": [], "methods": ["keyword"], "place": "", "kinds": []});
        let script = ScriptedModel::default()
            .says(Task::Plan, &plan.to_string())
            .says(Task::Write, ANSWER)
            .says(Task::Check, r#"{"claims":[]}"#)
            .says(Task::Check, r#"{"answers_the_question":true,"missing":""}"#);
        Self { script, pace, endless: false, calls: Mutex::default(), writing: Arc::default(), said: Mutex::default() }
    }

    /// Words without an end.
    pub fn endless() -> Self {
        Self { endless: true, ..Self::with_pace(Duration::from_millis(10)) }
    }

    pub fn setup(self: &Arc<Self>) -> Setup {
        let model = Arc::clone(self);
        Setup { replace: Some(Box::new(move |services| services.language = Some(model))), ..Setup::default() }
    }

    pub fn calls(&self, task: &str) -> usize {
        self.calls.lock().unwrap().iter().filter(|called| **called == task).count()
    }

    /// When it said each word.
    pub fn said(&self) -> Vec<Instant> {
        self.said.lock().unwrap().clone()
    }

    /// Calls that are neither answered nor dropped.
    pub fn writing(&self) -> usize {
        self.writing.load(Ordering::SeqCst)
    }
}

/// A call that is open as long as this lives.
struct Open(Arc<AtomicUsize>);

impl Open {
    fn new(count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::SeqCst);
        Self(Arc::clone(count))
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

#[async_trait]
impl LanguageModel for TalkativeModel {
    fn budget(&self, task: Task) -> Budget {
        self.script.budget(task)
    }

    async fn complete(&self, prompt: &Prompt, deltas: Option<mpsc::Sender<String>>) -> Completion {
        self.calls.lock().unwrap().push(prompt.task.name());
        let completion = self.script.complete(prompt, None).await;
        assert_eq!(completion.call.outcome, Outcome::Text, "{:?} has a reply", prompt.task);
        let Some(deltas) = deltas else { return completion };
        let _open = Open::new(&self.writing);
        let words = completion.text.split_inclusive(' ').map(str::to_owned).collect::<Vec<_>>();
        let mut words: Box<dyn Iterator<Item = String> + Send> =
            if self.endless { Box::new(std::iter::repeat("more ".to_owned())) } else { Box::new(words.into_iter()) };
        for word in &mut words {
            tokio::time::sleep(self.pace).await;
            self.said.lock().unwrap().push(Instant::now());
            let _ = deltas.send(word).await;
        }
        completion
    }

    async fn ready(&self) -> PortResult<()> {
        Ok(())
    }
}
