//! A round on a page: what is known of it, growing while it is followed.

use leptos::prelude::*;
use pipeline::model::round::{RoundView, TraceEvent};

use super::story::{Draft, Story, is_delta};

#[derive(Clone, Copy)]
pub struct RoundState {
    pub story: RwSignal<Story>,
    /// Apart from the story: it changes many times a second.
    pub draft: RwSignal<Draft>,
    pub finished: RwSignal<bool>,
    /// The number of the last event that was taken.
    last: StoredValue<u64>,
}

/// What there is to show in the place of the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    Working,
    Answered,
    Failed,
    /// It ended without anything to show.
    Ended,
}

impl RoundState {
    pub fn new(log: &RoundView) -> Self {
        Self {
            story: RwSignal::new(Story::read(&log.events)),
            draft: RwSignal::new(Draft::read(&log.events)),
            finished: RwSignal::new(log.round.finished),
            last: StoredValue::new(log.events.last().map_or(0, |event| event.seq)),
        }
    }

    pub fn phase(self) -> Memo<Phase> {
        let Self { story, finished, .. } = self;
        Memo::new(move |_| {
            let (answered, failed, with_cards) =
                story.with(|story| (story.answer.is_some(), story.error.is_some(), !story.references.is_empty()));
            match finished.get() {
                _ if failed => Phase::Failed,
                // its cards come with it
                finished if answered && (with_cards || finished) => Phase::Answered,
                true => Phase::Ended,
                false => Phase::Working,
            }
        })
    }

    /// Adds the next event. The stream starts at the first one, and the page may hold some of them.
    #[cfg_attr(not(feature = "hydrate"), expect(dead_code, reason = "rounds are followed in the browser"))]
    pub fn take(self, event: &TraceEvent) {
        // nothing is left to tell once the page is gone
        let Some(last) = self.last.try_get_value() else { return };
        if event.seq <= last {
            return;
        }
        self.last.set_value(event.seq);
        self.draft.try_maybe_update(|draft| (draft.take(event), ()));
        if !is_delta(event) {
            self.story.try_update(|story| story.take(event));
        }
    }
}
