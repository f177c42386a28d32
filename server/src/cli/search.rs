//! `cairn search`.

use std::{path::Path, process::ExitCode};

use clap::Args;
use pipeline::{
    model::{
        query::{MAX_LIMIT, SearchQuery},
        results::{Marked, MethodStatus, ResultItem, SearchResults},
    },
    search::search,
};
use serde_json::Value;

use super::{
    failure::Failure,
    output::{Output, plain, shortened},
};
use crate::{config::Config, wiring::Cairn};

const EXCERPT_WIDTH: usize = 160;
const SHOWN_AUTHORS: usize = 3;

#[derive(Args)]
pub struct Arguments {
    /// What is looked for; leave it out to browse
    #[arg(default_value = "")]
    text: String,
    #[command(flatten)]
    filters: Filters,
    /// relevance, popular, newest or title
    #[arg(long)]
    sort: Option<String>,
    /// How many to show
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=MAX_LIMIT as u64))]
    limit: u64,
    /// Start after this page: the cursor it ended with
    #[arg(long)]
    cursor: Option<String>,
    /// One JSON object, as the HTTP API gives it
    #[arg(long)]
    json: bool,
}

/// What a search or a question may be narrowed by.
#[derive(Args)]
pub struct Filters {
    /// A place by name: footprints that touch it
    #[arg(long, value_name = "PLACE")]
    near: Option<String>,
    /// west,south,east,north in degrees: footprints that touch the box
    #[arg(long, allow_hyphen_values = true)]
    bbox: Option<String>,
    /// A GeoJSON file, or a box: footprints that lie within
    #[arg(long, value_name = "FILE|BBOX", allow_hyphen_values = true, conflicts_with = "bbox")]
    within: Option<String>,
    /// First date: 2015, 2015-02 or 2015-02-18
    #[arg(long, value_name = "DATE", allow_hyphen_values = true)]
    from: Option<String>,
    /// Last date, inclusive
    #[arg(long, value_name = "DATE", allow_hyphen_values = true)]
    to: Option<String>,
    /// dataset, notebook, publication, map, code or oer; repeat it for several
    #[arg(long)]
    kind: Vec<String>,
    /// Repeat it for elements that have all of several
    #[arg(long)]
    tag: Vec<String>,
    #[arg(long)]
    contributor: Vec<String>,
    /// Only these methods: keyword, semantic, spatial, graph
    #[arg(long)]
    method: Vec<String>,
}

impl Filters {
    /// The same as parameters of a query string, so that there is one reading of them.
    ///
    /// # Errors
    /// A file that is no GeoJSON.
    pub fn into_pairs(self) -> Result<Vec<(&'static str, String)>, Failure> {
        let mut pairs = Vec::new();
        pairs.extend(self.near.map(|value| ("place", value)));
        pairs.extend(self.bbox.map(|value| ("bbox", value)));
        pairs.extend(self.from.map(|value| ("from", value)));
        pairs.extend(self.to.map(|value| ("to", value)));
        pairs.extend(self.kind.into_iter().map(|value| ("kind", value)));
        pairs.extend(self.tag.into_iter().map(|value| ("tag", value)));
        pairs.extend(self.contributor.into_iter().map(|value| ("contributor", value)));
        pairs.extend(self.method.into_iter().map(|value| ("method", value)));
        if let Some(within) = self.within {
            let file = Path::new(&within);
            pairs.push(if file.is_file() { ("geometry", geometry_of(file)?) } else { ("bbox", within) });
            pairs.push(("relation", "within".to_owned()));
        }
        Ok(pairs)
    }
}

/// The geometry of a GeoJSON file: itself, its feature's, or all of its features' together.
fn geometry_of(file: &Path) -> Result<String, Failure> {
    let unreadable =
        || Failure::usage(format!("{} is not GeoJSON. Give a geometry, a feature or a collection of features.", file.display()));
    let text = std::fs::read_to_string(file).map_err(|error| unreadable().because(error))?;
    let json: Value = serde_json::from_str(text.trim_start_matches('\u{feff}')).map_err(|error| unreadable().because(error))?;
    match json.get("type").and_then(Value::as_str) {
        Some("Feature") => {
            json.get("geometry").filter(|geometry| geometry.is_object()).map(Value::to_string).ok_or_else(unreadable)
        }
        Some("FeatureCollection") => {
            let features = json.get("features").and_then(Value::as_array).ok_or_else(unreadable)?;
            let mut geometries: Vec<Value> =
                features.iter().filter_map(|feature| feature.get("geometry").cloned()).filter(Value::is_object).collect();
            match (geometries.pop(), geometries.is_empty()) {
                (None, _) => Err(unreadable()),
                (Some(only), true) => Ok(only.to_string()),
                (Some(last), false) => {
                    geometries.push(last);
                    Ok(serde_json::json!({ "type": "GeometryCollection", "geometries": geometries }).to_string())
                }
            }
        }
        Some(_) => Ok(json.to_string()),
        None => Err(unreadable()),
    }
}

pub async fn run(config: &Config, arguments: Arguments, output: &mut Output) -> Result<ExitCode, Failure> {
    let mut pairs = vec![("q", arguments.text), ("limit", arguments.limit.to_string())];
    pairs.extend(arguments.filters.into_pairs()?);
    pairs.extend(arguments.sort.map(|value| ("sort", value)));
    pairs.extend(arguments.cursor.map(|value| ("cursor", value)));
    let query = SearchQuery::from_pairs(pairs).map_err(|errors| Failure::invalid(&errors))?;

    let cairn = Cairn::open(config, "search").await?;
    let found = find(&cairn, config, &query).await;
    cairn.close().await;
    let results = found?;
    if arguments.json {
        output.json(&results)?;
    } else {
        show(&results, output)?;
    }
    Ok(ExitCode::SUCCESS)
}

async fn find(cairn: &Cairn, config: &Config, query: &SearchQuery) -> Result<SearchResults, Failure> {
    refuse_empty(cairn, config).await?;
    cairn.caught_up_but_vectors().await?;
    Ok(search(&cairn.services, query).await?)
}

/// # Errors
/// There is nothing to search: says how to import.
pub async fn refuse_empty(cairn: &Cairn, config: &Config) -> Result<(), Failure> {
    if cairn.services.records.count().await? > 0 {
        return Ok(());
    }
    let folder = config.data.dir.display();
    Err(Failure::new(format!(
        "The catalogue in {folder} is empty. Import a file with `cairn import FILE`, or start `cairn serve` once to load the demo elements."
    )))
}

fn show(results: &SearchResults, output: &mut Output) -> Result<(), Failure> {
    let methods: Vec<String> = results
        .methods
        .iter()
        .filter_map(|method| match method.status {
            MethodStatus::Ok => Some(format!("{} {}", method.name, method.count)),
            MethodStatus::Degraded => Some(format!("{} degraded", method.name)),
            MethodStatus::Skipped => None,
        })
        .collect();
    let found = if results.total == 1 { "element" } else { "elements" };
    output.line(format_args!("{} {found} · {} · {:.1} ms", results.total, methods.join(", "), results.elapsed_ms))?;
    for method in results.methods.iter().filter(|method| method.status == MethodStatus::Degraded) {
        let reason = method.reason.as_deref().unwrap_or("it did not answer");
        output.line(output.faint(format_args!("{} is degraded: {}", method.name, plain(reason))))?;
    }
    if let Some(place) = &results.place {
        output.line(output.faint(plain(&place.reason)))?;
        let others: Vec<String> = place.alternatives.iter().take(5).map(|place| plain(&place.label)).collect();
        if !others.is_empty() {
            output.line(output.faint(format_args!("  it could also mean {}", others.join("; "))))?;
        }
    }
    if results.without_footprint > 0 {
        output.line(output.faint(format_args!(
            "{} more have no footprint, so the area could not be asked of them",
            results.without_footprint
        )))?;
    }
    for item in &results.items {
        output.line("")?;
        show_card(item, output)?;
    }
    for effect in &results.removed_by {
        output.line(format_args!("Without the filter {} there would be {}.", effect.parameter, effect.found_without))?;
    }
    if let Some(cursor) = &results.next_cursor {
        output.line(format_args!("\nMore: the same with --cursor {cursor}"))?;
    }
    Ok(())
}

fn show_card(item: &ResultItem, output: &mut Output) -> Result<(), Failure> {
    output.line(format_args!(
        "{:>3}  {}  {}",
        item.position,
        output.strong(plain(&item.title)),
        output.faint(item.kind.label())
    ))?;
    let facts = facts_of(item);
    if !facts.is_empty() {
        output.line(format_args!("     {}", facts.join(" · ")))?;
    }
    let excerpt = marked_text(&item.excerpt, output);
    if !excerpt.is_empty() {
        output.line(format_args!("     {excerpt}"))?;
    }
    let ranks: Vec<String> = item.ranks.iter().map(|(method, rank)| format!("{method} {rank}")).collect();
    let why = ranks.into_iter().chain(item.because.iter().map(|reason| plain(reason))).collect::<Vec<_>>().join(" · ");
    output.line(format_args!("     {}", output.faint(format_args!("{why}  {}", item.id))))?;
    Ok(())
}

fn facts_of(item: &ResultItem) -> Vec<String> {
    let mut authors: Vec<String> = item.authors.iter().take(SHOWN_AUTHORS).map(|author| plain(&author.name)).collect();
    if item.authors.len() > SHOWN_AUTHORS {
        authors.push("…".to_owned());
    }
    let mut facts = Vec::new();
    if !authors.is_empty() {
        facts.push(authors.join(", "));
    }
    let period = item.temporal.as_ref().map(|period| match (&period.text, period.start, period.end) {
        (_, None, None) => period.text.clone().unwrap_or_default(),
        (_, start, end) => {
            let end_of = |date: Option<_>| {
                date.map_or_else(|| "..".to_owned(), |date: pipeline::model::period::PartialDate| date.to_string())
            };
            format!("{}/{}", end_of(start), end_of(end))
        }
    });
    facts.extend(period.or_else(|| item.year.map(|year| year.to_string())).map(|period| plain(&period)));
    facts.extend(item.places.first().map(|place| plain(place)));
    facts.extend(item.license.as_deref().map(plain));
    facts.extend(item.doi.as_ref().map(|doi| format!("doi:{}", plain(doi))));
    facts
}

fn marked_text(text: &Marked, output: &Output) -> String {
    let plain_text: String = text.0.iter().map(|part| plain(&part.text)).collect();
    if plain_text.chars().count() > EXCERPT_WIDTH {
        return shortened(&plain_text, EXCERPT_WIDTH);
    }
    text.0.iter().map(|part| if part.marked { output.strong(plain(&part.text)) } else { plain(&part.text) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn geometry(json: &str) -> Result<String, String> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("area.geojson");
        std::fs::write(&file, json).unwrap();
        geometry_of(&file).map_err(|failure| failure.sentence)
    }

    #[test]
    fn any_geojson_is_an_area() {
        let point = r#"{"type":"Point","coordinates":[1,2]}"#;
        let feature = format!(r#"{{"type":"Feature","geometry":{point},"properties":{{}}}}"#);
        assert_eq!(geometry(point).unwrap(), point);
        assert_eq!(geometry(&format!("\u{feff}{feature}")).unwrap(), point);
        let of = |features: &str| geometry(&format!(r#"{{"type":"FeatureCollection","features":[{features}]}}"#));
        assert_eq!(of(&feature).unwrap(), point);
        assert_eq!(
            of(&format!("{feature},{feature}")).unwrap(),
            format!(r#"{{"type":"GeometryCollection","geometries":[{point},{point}]}}"#)
        );
        for wrong in ["", "[]", "{}", r#"{"type":"Feature","geometry":null}"#, r#"{"type":"FeatureCollection","features":[]}"#] {
            assert!(geometry(wrong).unwrap_err().contains("GeoJSON"), "{wrong}");
        }
    }
}
