//! The outcome of a run, by kind and row by row.

use serde_json::{Map, Value, json};

use super::{
    rows::{ProbeKind, Row},
    verdict::Verdict,
};
use crate::{asked::Asked, table};

pub struct Outcome {
    pub row: Row,
    pub asked: Asked,
    pub verdict: Verdict,
}

pub struct Report {
    /// By its server's name for it.
    pub model: Option<String>,
    pub without: Vec<&'static str>,
    pub outcomes: Vec<Outcome>,
}

/// Means over the rows to which a measure applies; absent where it applies to none.
struct Summary {
    rows: usize,
    recall: Option<f64>,
    citations: Option<f64>,
    numbers: Option<f64>,
    refusals: Option<f64>,
    facts: Option<f64>,
    untrapped: Option<f64>,
    calls: f64,
    calls_max: usize,
    calls_before_first_token_max: usize,
    grading_calls: f64,
    failed_calls: usize,
    ms: f64,
    ms_max: f64,
}

impl Summary {
    fn of(outcomes: &[&Outcome]) -> Self {
        let share = |right: fn(&Verdict) -> Option<bool>| {
            mean(outcomes.iter().filter_map(|outcome| right(&outcome.verdict)).map(|right| f64::from(u8::from(right))))
        };
        let ms = |outcome: &&Outcome| outcome.asked.elapsed.as_secs_f64() * 1_000.0;
        let most = |count: fn(&Asked) -> usize| outcomes.iter().map(|outcome| count(&outcome.asked)).max().unwrap_or_default();
        Self {
            rows: outcomes.len(),
            recall: mean(outcomes.iter().filter_map(|outcome| outcome.verdict.recall)),
            citations: share(|verdict| verdict.citations),
            numbers: share(|verdict| verdict.numbers),
            refusals: share(|verdict| Some(verdict.refusal)),
            facts: share(|verdict| verdict.facts),
            untrapped: share(|verdict| verdict.untrapped),
            calls: mean(outcomes.iter().map(|outcome| outcome.asked.calls.all as f64)).unwrap_or_default(),
            calls_max: most(|asked| asked.calls.all),
            calls_before_first_token_max: most(|asked| asked.calls.before_first_token),
            grading_calls: mean(outcomes.iter().map(|outcome| outcome.asked.calls.grading as f64)).unwrap_or_default(),
            failed_calls: outcomes.iter().map(|outcome| outcome.asked.calls.failed).sum(),
            ms: mean(outcomes.iter().map(ms)).unwrap_or_default(),
            ms_max: outcomes.iter().map(ms).fold(0.0, f64::max),
        }
    }

    fn json(&self) -> Value {
        json!({
            "rows": self.rows, "recall@10": self.recall, "citations_right": self.citations, "numbers_right": self.numbers,
            "refusals_right": self.refusals, "calls": self.calls, "calls_max": self.calls_max,
            "calls_before_first_token_max": self.calls_before_first_token_max, "grading_calls": self.grading_calls,
            "failed_calls": self.failed_calls, "facts_right": self.facts, "traps_avoided": self.untrapped, "ms": self.ms, "ms_max": self.ms_max,
        })
    }

    fn cells(&self, name: &str) -> Vec<String> {
        let share = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.3}"));
        vec![
            name.to_owned(),
            self.rows.to_string(),
            share(self.recall),
            share(self.citations),
            share(self.numbers),
            share(self.refusals),
            share(self.facts),
            share(self.untrapped),
            format!("{:.1}/{}", self.calls, self.calls_max),
            self.calls_before_first_token_max.to_string(),
            format!("{:.1}", self.grading_calls),
            self.failed_calls.to_string(),
            format!("{:.0}/{:.0}", self.ms, self.ms_max),
        ]
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0_usize), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / count as f64)
}

impl Report {
    fn kinds(&self) -> Vec<(ProbeKind, Summary)> {
        let of = |kind| self.outcomes.iter().filter(|outcome| outcome.row.kind == kind).collect::<Vec<_>>();
        ProbeKind::ALL
            .into_iter()
            .map(|kind| (kind, of(kind)))
            .filter(|(_, rows)| !rows.is_empty())
            .map(|(kind, rows)| (kind, Summary::of(&rows)))
            .collect()
    }

    fn where_answerable(&self, answerable: bool) -> Summary {
        Summary::of(&self.outcomes.iter().filter(|outcome| outcome.row.answerable == answerable).collect::<Vec<_>>())
    }

    fn all(&self) -> Summary {
        Summary::of(&self.outcomes.iter().collect::<Vec<_>>())
    }

    /// `{"kinds": {…}}` and, with `rows`, each row.
    pub fn json(&self, rows: bool) -> Value {
        let kinds: Map<String, Value> =
            self.kinds().iter().map(|(kind, summary)| (kind.name().to_owned(), summary.json())).collect();
        let mut report = json!({
            "kinds": kinds, "all": self.all().json(), "bait_refused": self.where_answerable(false).refusals,
            "answerable_answered": self.where_answerable(true).refusals, "model": self.model, "without": self.without,
        });
        if let (true, Some(report)) = (rows, report.as_object_mut()) {
            report.insert("rows".to_owned(), self.outcomes.iter().map(Outcome::json).collect());
        }
        report
    }

    pub fn table(&self, rows: bool) -> String {
        #[rustfmt::skip]
        let head = ["kind", "rows", "recall@10", "citations", "numbers", "refusals", "facts", "untrapped", "calls mean/max", "first token", "grading", "failed", "ms mean/max"];
        let mut lines: Vec<Vec<String>> = self.kinds().iter().map(|(kind, summary)| summary.cells(kind.name())).collect();
        lines.push(self.all().cells("all"));
        let share =
            |summary: Summary| summary.refusals.map_or_else(|| "-".to_owned(), |value| format!("{value:.3} of {}", summary.rows));
        let model =
            self.model.as_deref().map_or_else(|| "no language model".to_owned(), |model| format!("language model {model}"));
        let mut text = format!(
            "{}\n\nbait refused: {}; answerable answered: {}\n{model}; without: {}\nShares are of the rows to which a measure applies: recall and facts \
             where there is an answer to find, citations and numbers where one was given. Calls are without grading; “first token” is the most calls \
             until the first token.",
            table::render(&head, &lines),
            share(self.where_answerable(false)),
            share(self.where_answerable(true)),
            if self.without.is_empty() { "nothing".to_owned() } else { self.without.join(", ") },
        );
        if rows {
            text.push_str("\n\n");
            text.push_str(&self.outcomes.iter().map(Outcome::line).collect::<Vec<_>>().join("\n"));
        }
        text
    }
}

impl Outcome {
    fn json(&self) -> Value {
        json!({ "id": self.row.id, "faults": self.verdict.faults, "recall@10": self.verdict.recall, "calls": self.asked.calls.all,
            "answer": self.asked.answer, "found": self.found() })
    }

    fn line(&self) -> String {
        let Row { id, question, why, .. } = &self.row;
        if self.verdict.faults.is_empty() {
            return format!("pass  {id}  {question}");
        }
        let read = self.asked.rewritten.as_ref().map(|read| format!("\n      read as: {read}")).unwrap_or_default();
        let answer = self.asked.answer.as_ref().map_or("", |answer| answer.text.as_str()).replace('\n', "\n              ");
        let faults = self.verdict.faults.join("\n      ");
        format!(
            "FAIL  {id}  {question}{read}\n      ({why})\n      {faults}\n      found: {}\n      answer: {answer}",
            self.found().join(", ")
        )
    }

    fn found(&self) -> Vec<&str> {
        self.asked.references.iter().map(|card| card.id.0.as_str()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asked::Calls;

    fn outcome(kind: &str, answerable: bool, recall: Option<f64>, citations: Option<bool>, calls: usize) -> Outcome {
        let row = json!({ "id": "x", "kind": kind, "question": "Ice?", "expected": [], "facts": [], "answerable": answerable, "why": "" });
        let calls = Calls { all: calls, before_first_token: calls / 2, grading: 1, failed: 0 };
        Outcome {
            row: serde_json::from_value(row).unwrap(),
            asked: Asked { calls, ..Asked::default() },
            verdict: Verdict {
                recall,
                citations,
                numbers: citations,
                refusal: true,
                facts: None,
                untrapped: None,
                faults: Vec::new(),
            },
        }
    }

    #[test]
    fn means_are_over_the_rows_they_apply_to() {
        let outcomes = vec![
            outcome("keyword", true, Some(1.0), Some(true), 4),
            outcome("keyword", true, Some(0.5), None, 2),
            outcome("hallucination-bait", false, None, None, 1),
        ];
        let report = Report { model: None, without: vec!["graph"], outcomes };
        let json = report.json(false);
        let keyword = &json["kinds"]["keyword"];
        assert_eq!(
            (&keyword["rows"], &keyword["recall@10"], &keyword["citations_right"]),
            (&json!(2), &json!(0.75), &json!(1.0))
        );
        assert_eq!(
            (&keyword["calls"], &keyword["calls_max"], &keyword["calls_before_first_token_max"]),
            (&json!(3.0), &json!(4), &json!(2))
        );
        let bait = &json["kinds"]["hallucination-bait"];
        assert_eq!((&bait["recall@10"], &bait["refusals_right"]), (&Value::Null, &json!(1.0)));
        assert_eq!(json["kinds"].as_object().unwrap().len(), 2, "kinds without rows are left out");
        assert_eq!(
            (&json["bait_refused"], &json["answerable_answered"], &json["rows"]),
            (&json!(1.0), &json!(1.0), &Value::Null)
        );
        assert_eq!(report.json(true)["rows"].as_array().unwrap().len(), 3);
        let table = report.table(true);
        assert!(table.contains("without: graph") && table.contains("pass  x  Ice?"), "{table}");
    }
}
