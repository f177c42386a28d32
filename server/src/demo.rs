//! The demo catalogue: what the first start of an empty server shows.

use pipeline::{
    catalog::import::{ImportOptions, import},
    services::Services,
};

const ELEMENTS: &[u8] = include_bytes!("../demo/elements.ndjson");

/// Imports the demo elements where there are none at all. A failure leaves the catalogue as it is: an empty one works too.
pub async fn fill_empty_catalogue(services: &Services) {
    let is_empty = match services.records.last_seq().await {
        Ok(seq) => seq == 0,
        Err(error) => {
            tracing::warn!(%error, cause = %error.source, "whether the catalogue is empty could not be told; no demo elements");
            return;
        }
    };
    if !is_empty {
        return;
    }
    tracing::info!("the catalogue is empty: loading the demo elements (turn this off with --no-demo)");
    let options = ImportOptions { suggestions: false, ..ImportOptions::default() };
    match import(&*services.records, &*services.geocoder, Box::new(ELEMENTS), &options, &|_| {}).await {
        Ok(report) => tracing::info!(created = report.created, refused = report.refused, "loaded the demo elements"),
        Err(error) => tracing::warn!(%error, "the demo elements could not be loaded"),
    }
}
