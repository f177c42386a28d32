//! Benchmarks and quality measures, as tables or, with `--json`, as one object.
#![expect(clippy::print_stdout, reason = "this program's output is its purpose")]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests"))]

mod answers;
mod asked;
mod beir;
mod demo;
mod embedded;
mod geocode;
mod invention;
mod ir;
mod language;
mod metrics;
mod probes;
mod server;
mod soak;
mod speed;
mod table;

use std::{path::PathBuf, process::ExitCode};

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "eval", about = "Measures what Cairn finds and how fast")]
struct Arguments {
    #[command(subcommand)]
    measure: Measure,
}

#[derive(Subcommand)]
enum Measure {
    /// nDCG@10, MRR@10, R@10, R@100 of keyword, semantic and fused retrieval on a folder in BEIR's layout.
    Ir {
        /// Holds corpus.jsonl, queries.jsonl and qrels.tsv.
        dir: PathBuf,
        #[arg(long)]
        json: bool,
    },
    /// Latency, the highest rate held, scan time, ingest rate and memory of a real server on catalogues of several sizes.
    Speed(speed::Options),
    /// Accuracy within 161 km and median error of the geocoder on a corpus of toponyms.
    Geocode {
        /// Such as lgl.xml.
        file: PathBuf,
        #[arg(long)]
        json: bool,
    },
    /// Recall, citations, numbers, refusals and model calls on questions with known answers, by kind.
    Probes(probes::Options),
    /// Twenty questions with their answers as Markdown; fails where one invents something or does not end in time.
    Answers(answers::Options),
    /// Rounds of a real server on a scripted model, many at once; fails where a stream, an event, a call, memory or a handle is lost.
    Soak(soak::Options),
}

#[tokio::main]
async fn main() -> anyhow::Result<ExitCode> {
    let (output, passed) = match Arguments::parse().measure {
        Measure::Ir { dir, json } => (ir::measure(&dir).await?.render(json)?, true),
        Measure::Speed(options) => (speed::measure(&options).await?, true),
        Measure::Geocode { file, json } => (geocode::run(&file, json).await?, true),
        Measure::Probes(options) => (probes::measure(&options).await?, true),
        Measure::Answers(options) => answers::write(&options).await?,
        Measure::Soak(options) => soak::run(&options).await?,
    };
    println!("{output}");
    Ok(if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
