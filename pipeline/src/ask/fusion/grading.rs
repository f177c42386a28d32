//! A further voice of fusion: a language model's grades of single candidates, for relevance and right kind.

use futures::future::join_all;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Fused, K};
use crate::{
    ask::{
        calls::Calls,
        evidence::Evidence,
        prompts::{DATA_ONLY, documents, question, system, user},
    },
    model::round::ModelCall,
    ports::language_model::Task,
};

/// Room for the rules and the question.
const FRAME_TOKENS: usize = 300;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Grade {
    /// The document is of the kind the question asks for, or the question asks for none.
    pub right_kind: bool,
    /// 0 about something else, 1 near the topic, 2 on the topic, 3 answers the question.
    pub relevance: u8,
}

/// One grade for each document, side by side; none where the model gave none in time.
pub async fn grade(calls: &Calls<'_>, asked: &str, evidence: &[(u32, &Evidence)]) -> (Vec<Option<Grade>>, Vec<ModelCall>) {
    let rules = format!("You grade one document of a catalogue for a question. Reply with one JSON object. {DATA_ONLY}");
    let budget = calls.budget(Task::Grade).prompt_tokens.saturating_sub(FRAME_TOKENS);
    let graded = join_all(evidence.iter().map(|document| {
        let prompt = format!("{}\n{}", documents(std::slice::from_ref(document), budget), question(asked));
        calls.structured::<Grade>(Task::Grade, vec![system(rules.clone()), user(prompt)])
    }));
    let (grades, made): (Vec<_>, Vec<_>) = graded.await.into_iter().map(|reply| (reply.value, reply.calls)).unzip();
    (grades, made.into_iter().flatten().collect())
}

/// Adds the grades of the first candidates as a voice, by reciprocal rank. A candidate without a grade keeps its place in that voice too.
pub fn add_grades(fused: &mut [Fused], grades: &[Option<Grade>]) {
    let mut best_first: Vec<Grade> = grades.iter().copied().flatten().collect();
    best_first.sort_by(|a, b| b.cmp(a));
    let mut scored: Vec<f64> = Vec::with_capacity(fused.len());
    for (place, _) in fused.iter().enumerate() {
        let grade = grades.get(place).copied().flatten();
        let rank = grade.and_then(|grade| best_first.iter().position(|other| *other == grade)).unwrap_or(place);
        scored.push(1.0 / (K + rank as f64 + 1.0) + 1.0 / (K + place as f64 + 1.0));
    }
    for (fused, score) in fused.iter_mut().zip(scored) {
        fused.score = score;
    }
    // stable: equals keep their order
    fused.sort_by(|a, b| b.score.total_cmp(&a.score));
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::model::element::ElementId;

    fn check(grades: &[Option<(bool, u8)>], expected: &[&str]) {
        let mut fused: Vec<Fused> =
            ["a", "b", "c", "d"].map(|id| Fused { id: ElementId::from(id), ranks: BTreeMap::new(), score: 0.0 }).into();
        let grades: Vec<Option<Grade>> =
            grades.iter().map(|grade| grade.map(|(right_kind, relevance)| Grade { right_kind, relevance })).collect();
        add_grades(&mut fused, &grades);
        let order: Vec<&str> = fused.iter().map(|fused| fused.id.0.as_str()).collect();
        assert_eq!(order, expected, "{grades:?}");
    }

    #[test]
    fn grades_reorder_and_lose_nothing() {
        check(&[], &["a", "b", "c", "d"]);
        check(&[None, None], &["a", "b", "c", "d"]);
        check(&[Some((true, 2)), Some((true, 2))], &["a", "b", "c", "d"]);
        check(&[Some((true, 0)), Some((true, 1)), Some((true, 2)), Some((true, 3))], &["a", "d", "b", "c"]);
        check(&[Some((false, 3)), Some((true, 1))], &["a", "b", "c", "d"]);
    }
}
