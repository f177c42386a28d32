//! Benchmarks and quality measures, as tables or, with `--json`, as one object.
#![expect(clippy::print_stdout, reason = "this program's output is its purpose")]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests"))]

mod beir;
mod embedded;
mod geocode;
mod ir;
mod metrics;
mod speed;
mod table;

use std::path::PathBuf;

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
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let output = match Arguments::parse().measure {
        Measure::Ir { dir, json } => ir::measure(&dir).await?.render(json)?,
        Measure::Speed(options) => speed::measure(&options).await?,
        Measure::Geocode { file, json } => geocode::run(&file, json).await?,
    };
    println!("{output}");
    Ok(())
}
