//! How well questions with known answers are answered: the ten kinds of the Smart Search paper, on the demo catalogue.

mod report;
mod rows;
mod verdict;

use std::{collections::BTreeMap, time::Duration};

use anyhow::Result;
use clap::Args;
use indicatif::ProgressBar;
use pipeline::{
    ask::{Asker, Request},
    model::{query::SearchQuery, round::Part},
};

use crate::{asked::converse, demo, invention::Ruler, language::model_at};
use report::{Outcome, Report};
use rows::{ProbeKind, Row};

#[derive(Args)]
pub struct Options {
    /// What is switched off, such as `spatial` or `memory`; may be given several times.
    #[arg(long, value_name = "STAGE")]
    without: Vec<Part>,
    /// Lets the model grade candidates, which is off otherwise.
    #[arg(long)]
    grading: bool,
    /// An OpenAI-compatible server such as http://127.0.0.1:8000/v1; none answers by rules and extraction.
    #[arg(long, value_name = "URL")]
    model: Option<String>,
    /// Seconds a question may take.
    #[arg(long, default_value_t = 60)]
    deadline: u64,
    /// Only rows of this kind; may be given several times.
    #[arg(long)]
    kind: Vec<ProbeKind>,
    /// Only so many rows of each kind.
    #[arg(long)]
    each: Option<usize>,
    /// Lists each row, and what is wrong with it.
    #[arg(long)]
    rows: bool,
    #[arg(long)]
    json: bool,
}

/// Runs the rows one after the other, each in a conversation of its own.
///
/// # Errors
/// A catalogue that cannot be made, a model server that does not answer, a round that cannot be started. A row that fails is no error.
pub async fn measure(options: &Options) -> Result<String> {
    let rows = chosen(rows::read()?, options);
    let clicks: BTreeMap<String, u64> = rows.iter().flat_map(|row| row.clicks.clone()).collect();
    let mut demo = demo::open(&clicks).await?;
    let deadline = Duration::from_secs(options.deadline);
    let mut model = None;
    if let Some(address) = &options.model {
        let (name, language) = model_at(address, deadline).await?;
        demo.services.language = Some(language);
        model = Some(name);
    }
    let mut without = options.without.clone();
    if !options.grading && !without.contains(&Part::Grading) {
        without.push(Part::Grading);
    }

    let asker = Asker::new(demo.services.clone());
    let ruler = Ruler::new()?;
    let bar = ProgressBar::new(rows.len() as u64);
    let mut outcomes = Vec::new();
    for row in rows {
        let query = SearchQuery { q: row.question.clone(), ..query_of(&row.filters)? };
        let request = Request { query, without: without.clone(), deadline, ..Request::default() };
        let asked = converse(&asker, &row.history, &request).await?;
        let verdict = verdict::judge(&row, &asked, &demo.elements, &ruler);
        outcomes.push(Outcome { row, asked, verdict });
        bar.inc(1);
    }
    bar.finish_and_clear();
    let report = Report { model, without: without.iter().map(|part| part.name()).collect(), outcomes };
    Ok(if options.json { report.json(options.rows).to_string() } else { report.table(options.rows) })
}

fn chosen(rows: Vec<Row>, options: &Options) -> Vec<Row> {
    let mut taken: BTreeMap<ProbeKind, usize> = BTreeMap::new();
    let wanted = |row: &Row| {
        let of_kind = taken.entry(row.kind).or_default();
        *of_kind += 1;
        (options.kind.is_empty() || options.kind.contains(&row.kind)) && options.each.is_none_or(|each| *of_kind <= each)
    };
    rows.into_iter().filter(wanted).collect()
}

fn query_of(filters: &str) -> Result<SearchQuery> {
    SearchQuery::from_query_string(filters).map_err(|errors| anyhow::anyhow!("{filters} is no search: {errors:?}"))
}

/// The questions of all rows, for whoever needs many different ones.
///
/// # Errors
/// A row that is none.
pub fn questions() -> Result<Vec<String>> {
    Ok(rows::read()?.into_iter().map(|row| row.question).collect())
}
