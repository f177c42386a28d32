//! Temporal coverage: dates where they are dates, words where they are words.

use serde_json::Value;

use super::fields::{Findings, type_name};
use crate::{
    catalog::fault::FaultKind,
    model::period::{PartialDate, Period},
};

const MAX_END_BYTES: usize = 200;
const MAX_TEXT_BYTES: usize = 1_000;
/// Words that say that an end is open.
const OPEN: [&str; 9] = ["", "..", "present", "now", "today", "ongoing", "current", "continuing", "open"];

/// `temporal` of a record. A fault in it never refuses the record: what cannot be a date is kept as text.
pub(crate) fn period(findings: &mut Findings, value: Value) -> Option<Period> {
    const FIELD: &str = "temporal";
    let mut fields = match value {
        Value::Object(_) => findings.object(FIELD, value)?,
        Value::String(text) => {
            findings.warn(FaultKind::PeriodInWords, FIELD, "a text instead of an object with start and end was kept as text");
            return Some(Period { text: findings.line(FIELD, Value::String(text), MAX_TEXT_BYTES), ..Period::default() })
                .filter(has_content);
        }
        other => {
            let message = format!("give an object with start and end, not {}; the period was left out", type_name(&other));
            findings.warn(FaultKind::PeriodInWords, FIELD, message);
            return None;
        }
    };
    let start = end_of(findings, "temporal.start", fields.take("start"));
    let end = end_of(findings, "temporal.end", fields.take("end"));
    let text = fields.line(findings, "text", MAX_TEXT_BYTES);
    fields.refuse_the_rest(findings);
    let period = match (&start, &end) {
        (End::Words(_), _) | (_, End::Words(_)) => {
            Period { start: None, end: None, text: joined(text, start_and_end(&start, &end)) }
        }
        (End::Date(from), End::Date(to)) if from.first_second() > to.last_second() => {
            let message = format!("the start {from} is after the end {to}; both were kept as text");
            findings.warn(FaultKind::StartAfterEnd, FIELD, message);
            Period { start: None, end: None, text: joined(text, format!("{from}/{to}")) }
        }
        _ => Period { start: start.date(), end: end.date(), text },
    };
    Some(period).filter(has_content)
}

fn has_content(period: &Period) -> bool {
    *period != Period::default()
}

enum End {
    Open,
    Date(PartialDate),
    Words(String),
}

impl End {
    fn date(&self) -> Option<PartialDate> {
        match self {
            Self::Date(date) => Some(*date),
            Self::Open | Self::Words(_) => None,
        }
    }
}

fn end_of(findings: &mut Findings, field: &str, value: Option<Value>) -> End {
    let text = match value {
        None => return End::Open,
        // A year is often written as a number.
        Some(Value::Number(number)) => number.to_string(),
        Some(Value::String(text)) => text,
        Some(other) => {
            findings.warn(FaultKind::PeriodInWords, field, format!("give a date, not {}; it was left out", type_name(&other)));
            return End::Open;
        }
    };
    let text = text.trim();
    if OPEN.contains(&text.to_ascii_lowercase().as_str()) {
        return End::Open;
    }
    match text.parse() {
        Ok(date) => End::Date(date),
        Err(_) => {
            let Some(words) = findings.line(field, Value::String(text.to_owned()), MAX_END_BYTES) else { return End::Open };
            findings.warn(FaultKind::PeriodInWords, field, format!("`{words}` is not a date and was kept as text"));
            End::Words(words)
        }
    }
}

fn start_and_end(start: &End, end: &End) -> String {
    let written = |end: &End| match end {
        End::Open => "..".to_owned(),
        End::Date(date) => date.to_string(),
        End::Words(words) => words.clone(),
    };
    match (start, end) {
        (End::Words(words), End::Open) | (End::Open, End::Words(words)) => words.clone(),
        (End::Words(from), End::Words(to)) if from == to => from.clone(),
        _ => format!("{}/{}", written(start), written(end)),
    }
}

fn joined(text: Option<String>, more: String) -> Option<String> {
    match text {
        Some(text) if text.contains(&more) || text.len() + more.len() + 2 > MAX_TEXT_BYTES => Some(text),
        Some(text) => Some(format!("{text}; {more}")),
        None => Some(more),
    }
}
