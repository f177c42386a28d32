//! Twenty questions with their answers, to be read by a person; what a machine can tell is checked beside.

use std::{collections::BTreeMap, fmt::Write as _, time::Duration};

use anyhow::{Context, Result, anyhow};
use clap::Args;
use indicatif::ProgressBar;
use pipeline::{
    ask::{Asker, Request},
    model::query::SearchQuery,
};
use serde::Deserialize;

use crate::{
    asked::{Asked, converse},
    demo::{self, Demo},
    invention::Ruler,
    language::model_at,
};

const QUESTIONS: &str = include_str!("../probes/answers.ndjson");
/// Writing the last event down may take a moment more than the deadline.
const GRACE: Duration = Duration::from_secs(1);

#[derive(Args)]
pub struct Options {
    /// An OpenAI-compatible server such as http://127.0.0.1:8000/v1; none answers by rules and extraction.
    #[arg(long, value_name = "URL")]
    model: Option<String>,
    /// Seconds a question may take.
    #[arg(long, default_value_t = 60)]
    deadline: u64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    question: String,
    #[serde(default)]
    filters: String,
    #[serde(default)]
    history: Vec<String>,
}

/// Markdown, and whether every answer holds: it is there or refused within its deadline, and cites and counts nothing invented.
///
/// # Errors
/// A catalogue that cannot be made, a model server that does not answer, a round that cannot be started.
pub async fn write(options: &Options) -> Result<(String, bool)> {
    let deadline = Duration::from_secs(options.deadline);
    let mut demo = demo::open(&BTreeMap::new()).await?;
    let mut title = "# Answers without a language model\n".to_owned();
    if let Some(address) = &options.model {
        let (name, language) = model_at(address, deadline).await?;
        demo.services.language = Some(language);
        title = format!("# Answers of {name}\n");
    }
    let asker = Asker::new(demo.services.clone());
    let ruler = Ruler::new()?;
    let questions = questions()?;
    let bar = ProgressBar::new(questions.len() as u64);
    let (mut text, mut sound) = (title, 0);
    for (at, question) in (1..).zip(&questions) {
        let filters = SearchQuery::from_query_string(&question.filters).map_err(|errors| anyhow!("{errors:?}"))?;
        let query = SearchQuery { q: question.question.clone(), ..filters };
        let request = Request { query, deadline, ..Request::default() };
        let asked = converse(&asker, &question.history, &request).await?;
        let faults = faults(&asked, deadline, &demo, &ruler);
        sound += usize::from(faults.is_empty());
        section(&mut text, at, question, &asked, &faults)?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    writeln!(text, "\n{sound} of {} are sound: ended in time, nothing cited or counted that is not there.", questions.len())?;
    Ok((text, sound == questions.len()))
}

fn questions() -> Result<Vec<Question>> {
    QUESTIONS.lines().map(|line| serde_json::from_str(line).with_context(|| line.to_owned())).collect()
}

fn faults(asked: &Asked, deadline: Duration, demo: &Demo, ruler: &Ruler) -> Vec<String> {
    let mut faults = Vec::new();
    if let Some(error) = &asked.error {
        faults.push(format!("it ended in an error: {} {}", error.title, error.detail));
    } else if asked.answer.is_none() {
        faults.push("it ended without an answer".to_owned());
    }
    if asked.elapsed > deadline + GRACE {
        faults.push(format!("it took {:.1} s", asked.elapsed.as_secs_f64()));
    }
    if let Some(answer) = asked.told() {
        faults.extend(ruler.citations(answer, &asked.references, &demo.elements));
        let invented = ruler.numbers(answer, &demo.elements);
        faults.extend(invented.into_iter().map(|number| format!("{number} does not stand in what is cited")));
    }
    faults
}

fn section(text: &mut String, at: usize, question: &Question, asked: &Asked, faults: &[String]) -> std::fmt::Result {
    writeln!(text, "\n## {at}. {}\n", question.question)?;
    for before in &question.history {
        writeln!(text, "After: {before}")?;
    }
    if !question.filters.is_empty() {
        writeln!(text, "Filters: `{}`", question.filters)?;
    }
    if let Some(rewritten) = &asked.rewritten {
        writeln!(text, "Read as: {rewritten}")?;
    }
    if !question.history.is_empty() || !question.filters.is_empty() || asked.rewritten.is_some() {
        writeln!(text)?;
    }
    if let Some(answer) = &asked.answer {
        writeln!(text, "{}\n", answer.text)?;
        for citation in &answer.citations {
            writeln!(text, "- [{}] `{}` “{}”", citation.n, citation.id, citation.quote)?;
        }
    }
    for fault in faults {
        writeln!(text, "- **wrong**: {fault}")?;
    }
    let kind = match &asked.answer {
        None => "no answer",
        Some(_) if asked.refused() => "refused",
        Some(_) => "answered",
    };
    let calls = asked.calls;
    writeln!(
        text,
        "\n{kind}; {} model calls, {} before the first token, {} failed; {:.1} s",
        calls.all,
        calls.before_first_token,
        calls.failed,
        asked.elapsed.as_secs_f64()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_twenty_questions() {
        let questions = questions().unwrap();
        assert_eq!(questions.len(), 20);
        for question in questions {
            assert!(!question.question.is_empty() && SearchQuery::from_query_string(&question.filters).is_ok(), "{question:?}");
        }
    }
}
