//! Every call of a language model: `cairn_model_calls_total{task, model, outcome}`, `cairn_model_tokens_total{task, model, kind}`,
//! `cairn_model_seconds` and `cairn_model_first_token_seconds{task, model}`, and a line in the log. No text in any of them.

use std::time::Instant;

use async_trait::async_trait;
use tokio::sync::mpsc;

use super::Metered;
use crate::{
    model::round::{ModelCall, Outcome},
    ports::{
        LanguageModel, PortResult,
        language_model::{Budget, Completion, Prompt, Task},
    },
};

#[async_trait]
impl<P: LanguageModel + ?Sized> LanguageModel for Metered<P> {
    fn budget(&self, task: Task) -> Budget {
        self.0.budget(task)
    }

    async fn complete(&self, prompt: &Prompt, deltas: Option<mpsc::Sender<String>>) -> Completion {
        let running = Running { task: prompt.task, started: Instant::now(), is_over: false };
        let completion = self.0.complete(prompt, deltas).await;
        running.end(&completion.call);
        completion
    }

    async fn ready(&self) -> PortResult<()> {
        super::measured("language-model", "ready", self.0.ready()).await
    }
}

/// A call that is dropped before it is over was cancelled: `cairn_model_cancelled_total{task}`.
struct Running {
    task: Task,
    started: Instant,
    is_over: bool,
}

impl Running {
    fn end(mut self, call: &ModelCall) {
        self.is_over = true;
        let (task, model, outcome) = (self.task.name(), call.model.clone(), outcome_name(call.outcome));
        metrics::counter!("cairn_model_calls_total", "task" => task, "model" => model.clone(), "outcome" => outcome).increment(1);
        for (kind, tokens) in [("prompt", call.prompt_tokens), ("completion", call.completion_tokens)] {
            metrics::counter!("cairn_model_tokens_total", "task" => task, "model" => model.clone(), "kind" => kind)
                .increment(u64::from(tokens));
        }
        metrics::histogram!("cairn_model_seconds", "task" => task, "model" => model.clone()).record(call.elapsed_ms / 1000.0);
        if let Some(first_token_ms) = call.first_token_ms {
            metrics::histogram!("cairn_model_first_token_seconds", "task" => task, "model" => model)
                .record(first_token_ms / 1000.0);
        }
        tracing::info!(
            task,
            model = call.model,
            outcome,
            prompt_tokens = call.prompt_tokens,
            completion_tokens = call.completion_tokens,
            elapsed_ms = call.elapsed_ms.round(),
            "called the language model"
        );
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if self.is_over {
            return;
        }
        let task = self.task.name();
        metrics::counter!("cairn_model_cancelled_total", "task" => task).increment(1);
        let elapsed_ms = self.started.elapsed().as_millis() as u64;
        tracing::info!(task, outcome = "cancelled", elapsed_ms, "called the language model");
    }
}

fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Text => "text",
        Outcome::Empty => "empty",
        Outcome::CutOff => "cut-off",
        Outcome::Invalid => "invalid",
        Outcome::Refused => "refused",
        Outcome::TimedOut => "timed-out",
        Outcome::Failed => "failed",
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use futures::FutureExt;

    use super::{super::tests::Series, *};
    use crate::ports::language_model::{Message, Role};

    /// Answers grading and never anything else.
    struct Grader;

    #[async_trait]
    impl LanguageModel for Grader {
        fn budget(&self, _: Task) -> Budget {
            Budget { prompt_tokens: 1, completion_tokens: 1 }
        }

        async fn complete(&self, prompt: &Prompt, _: Option<mpsc::Sender<String>>) -> Completion {
            if prompt.task != Task::Grade {
                std::future::pending::<()>().await;
            }
            let call = ModelCall {
                model: "small".to_owned(),
                prompt_tokens: 90,
                completion_tokens: 4,
                elapsed_ms: 12.0,
                first_token_ms: Some(3.0),
                outcome: Outcome::CutOff,
            };
            Completion { text: "secret".to_owned(), call }
        }

        async fn ready(&self) -> PortResult<()> {
            Ok(())
        }
    }

    #[tokio::test]
    async fn a_call_is_counted_by_its_outcome_and_a_dropped_one_as_cancelled() {
        let series = Series::default();
        let recording = metrics::set_default_local_recorder(&series);
        let model = Metered::<dyn LanguageModel>(Arc::new(Grader));
        let message = Message { role: Role::User, content: "secret".to_owned() };
        let prompt = |task| Prompt { task, messages: vec![message.clone()], schema: None };
        assert_eq!(model.complete(&prompt(Task::Grade), None).await.call.outcome, Outcome::CutOff);
        let write = prompt(Task::Write);
        assert!(model.complete(&write, None).now_or_never().is_none(), "this one never ends");
        drop(recording);
        let expected = [
            "cairn_model_calls_total{task=grade,model=small,outcome=cut-off}",
            "cairn_model_tokens_total{task=grade,model=small,kind=prompt}",
            "cairn_model_tokens_total{task=grade,model=small,kind=completion}",
            "cairn_model_seconds{task=grade,model=small}",
            "cairn_model_first_token_seconds{task=grade,model=small}",
            "cairn_model_cancelled_total{task=write}",
        ];
        assert_eq!(series.touched(), expected);
    }
}
