//! How fast a real server is: catalogues made from real collections, searched over HTTP.

mod corpus;
mod load;

use std::{path::PathBuf, time::Instant};

use anyhow::{Context, Result};
use clap::Args;
use indicatif::ProgressBar;
use pipeline::ports::{records::Change, search_index::ElementVectors};
use serde::Serialize;

use crate::{embedded::Embedded, metrics::percentile, server, table};

/// The bound on the 95th percentile under load, in ms: a rate is held while it stays below.
const P95_BOUND_MS: f64 = 50.0;
/// Requests a second that are tried in turn.
const RATES: [u32; 9] = [50, 100, 200, 300, 400, 500, 650, 800, 1_000];
const CONNECTIONS: usize = 100;
const COMMIT: usize = 1_000;

#[derive(Args)]
pub struct Options {
    /// Elements of the catalogues to measure.
    #[arg(long, value_delimiter = ',', default_values_t = [1_000, 20_000, 100_000])]
    sizes: Vec<usize>,
    /// The program to measure; by default `cairn` beside this one.
    #[arg(long)]
    cairn: Option<PathBuf>,
    /// Real STAC collections, one a line.
    #[arg(long, default_value = "../shared/data/eo-collections/collections.ndjson")]
    collections: PathBuf,
    /// How long each load step lasts.
    #[arg(long, default_value_t = 10)]
    seconds: u64,
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Size {
    elements: usize,
    /// Elements a second committed to the records and projected into text index and graph.
    ingest_per_second: f64,
    /// The exact scan alone, in this process: median and p95.
    scan_p50_ms: f64,
    scan_p95_ms: f64,
    open_ms: f64,
    memory_mb: f64,
    /// One client, one request after the other, every method, query vectors warm.
    one_client: load::Latency,
    /// The same with query vectors never seen before.
    one_client_cold: load::Latency,
    /// Offered at a fixed rate from 100 connections; latency from the moment each request was due.
    under_load: Vec<load::Step>,
    under_load_cold: load::Step,
    highest_rate_held: u32,
}

pub async fn measure(options: &Options) -> Result<String> {
    let cairn = server::program(options.cairn.as_deref())?;
    let base = corpus::read(&options.collections).await?;
    let mut sizes = Vec::new();
    for &elements in &options.sizes {
        sizes.push(
            measure_size(&cairn, &base, elements, options.seconds)
                .await
                .with_context(|| format!("measuring {elements} elements"))?,
        );
    }
    if options.json { Ok(serde_json::to_string(&sizes)?) } else { Ok(render(&sizes)) }
}

async fn measure_size(cairn: &std::path::Path, base: &corpus::Base, elements: usize, seconds: u64) -> Result<Size> {
    let folder = tempfile::tempdir()?;
    let progress = ProgressBar::new_spinner().with_message(format!("{elements} elements: filling"));
    progress.enable_steady_tick(std::time::Duration::from_millis(200));
    let (ingest_per_second, scan) = fill(folder.path(), base, elements).await?;

    progress.set_message(format!("{elements} elements: searching"));
    let server = server::Server::start(cairn, folder.path(), &[("CAIRN_DATA_DEMO", "false")]).await?;
    let warm = base.queries(0, 200);
    let cold = base.queries(1_000_000, 2_000);
    let client = load::Client::new(&server.address)?;
    client.one_by_one(&warm).await?;
    let one_client = client.one_by_one(&warm).await?;
    let one_client_cold = client.one_by_one(cold.get(..200).unwrap_or_default()).await?;
    let mut under_load = Vec::new();
    let mut highest_rate_held = 0;
    for rate in RATES {
        progress.set_message(format!("{elements} elements: {rate} requests a second"));
        let step = client.offer(&warm, rate, CONNECTIONS, seconds).await?;
        let held = step.held(P95_BOUND_MS);
        under_load.push(step);
        if !held {
            break;
        }
        highest_rate_held = rate;
    }
    let under_load_cold = client.offer(cold.get(200..).unwrap_or_default(), 50, CONNECTIONS, seconds).await?;
    let memory_mb = server.memory_mb()?;
    progress.finish_and_clear();
    Ok(Size {
        elements,
        ingest_per_second,
        scan_p50_ms: percentile(&scan, 0.5),
        scan_p95_ms: percentile(&scan, 0.95),
        open_ms: server.ready_after_ms,
        memory_mb,
        one_client,
        one_client_cold,
        under_load,
        under_load_cold,
        highest_rate_held,
    })
}

/// Fills a data folder; returns the ingest rate and sorted times of the vector scan in ms. Vectors are those of the real
/// collections, varied: computing them anew would measure the embedder, which `one_client_cold` does.
async fn fill(folder: &std::path::Path, base: &corpus::Base, elements: usize) -> Result<(f64, Vec<f64>)> {
    let embedded = Embedded::open(folder).await?;
    let services = &embedded.services;
    let started = Instant::now();
    let mut vectors = Vec::with_capacity(elements);
    let varied: Vec<_> = (0..elements).map(|at| base.vary(at)).collect();
    for batch in varied.chunks(COMMIT) {
        vectors.extend(
            batch.iter().map(|(element, vector)| ElementVectors { id: element.id.clone(), chunks: vec![vector.clone()] }),
        );
        services.records.commit(batch.iter().map(|(element, _)| Change::Put(Box::new(element.clone()))).collect()).await?;
    }
    embedded.catch_up_without_vectors().await?;
    let ingest_per_second = elements as f64 / started.elapsed().as_secs_f64();
    let last = services.records.last_seq().await?;
    for batch in vectors.chunks(COMMIT) {
        services.index.apply_vectors(batch, last).await?;
    }
    let mut times = Vec::new();
    let filter = pipeline::model::query::Filter::default();
    for asked in vectors.iter().step_by((elements / 100).max(1)).take(100) {
        let vector = asked.chunks.first().context("an element without a vector")?;
        let scan = Instant::now();
        services.index.semantic(vector, &filter, 100).await?;
        times.push(scan.elapsed().as_secs_f64() * 1_000.0);
    }
    times.sort_by(f64::total_cmp);
    Ok((ingest_per_second, times))
}

fn render(sizes: &[Size]) -> String {
    let ms = |value: f64| format!("{value:.1}");
    let mut head = vec!["measure"];
    let columns: Vec<String> = sizes.iter().map(|size| size.elements.to_string()).collect();
    head.extend(columns.iter().map(String::as_str));
    let row = |name: &str, value: &dyn Fn(&Size) -> String| [vec![name.to_owned()], sizes.iter().map(value).collect()].concat();
    let mut rows = vec![
        row("ingest, elements/s", &|size| format!("{:.0}", size.ingest_per_second)),
        row("start until ready, ms", &|size| ms(size.open_ms)),
        row("memory, MB", &|size| ms(size.memory_mb)),
        row("exact scan p50, ms", &|size| format!("{:.2}", size.scan_p50_ms)),
        row("exact scan p95, ms", &|size| format!("{:.2}", size.scan_p95_ms)),
    ];
    for (name, of) in [
        ("one client", (|size| &size.one_client) as fn(&Size) -> &load::Latency),
        ("one client, cold", |size| &size.one_client_cold),
    ] {
        rows.push(row(&format!("{name} p50, ms"), &|size| ms(of(size).p50_ms)));
        rows.push(row(&format!("{name} p95, ms"), &|size| ms(of(size).p95_ms)));
        rows.push(row(&format!("{name} p99, ms"), &|size| ms(of(size).p99_ms)));
    }
    for rate in RATES {
        let step = |size: &Size| {
            let found = size.under_load.iter().find(|step| step.offered_per_second == rate);
            found.map_or_else(
                || "-".to_owned(),
                |step| format!("{}/{}/{}", ms(step.latency.p50_ms), ms(step.latency.p95_ms), ms(step.latency.p99_ms)),
            )
        };
        rows.push(row(&format!("{rate}/s p50/p95/p99, ms"), &step));
    }
    rows.push(row("50/s cold p95, ms", &|size| ms(size.under_load_cold.latency.p95_ms)));
    rows.push(row("highest rate held", &|size| size.highest_rate_held.to_string()));
    rows.push(row("errors", &|size| size.under_load.iter().map(|step| step.errors).sum::<u64>().to_string()));
    format!(
        "{}\n\nA rate is held while p95 < {P95_BOUND_MS} ms and nothing fails; {CONNECTIONS} connections; load and server share the machine.",
        table::render(&head, &rows)
    )
}
