//! Bringing a file into the catalogue: any of our formats, record by record, the faulty ones reported and the rest kept.

mod detect;
mod draft;
mod iguide;
mod license;
mod prepare;
mod read;
mod report;
mod stac;
mod suggest;

use std::{
    collections::HashMap,
    io::{BufRead, BufReader},
    path::Path,
};

use tokio::sync::mpsc;

use self::prepare::{Prepared, prepare};
pub use self::{
    detect::{Format, detect},
    report::{FaultCount, ImportReport, Missing, PlaceSuggestion, RecordFault},
};
use super::{
    duplicates,
    fault::{Fault, FaultKind},
};
use crate::{
    model::element::{Element, ElementId},
    ports::{
        Geocoder, PortError, Records,
        records::{Change, Committed},
    },
};

/// Elements a transaction.
const BATCH: usize = 500;
/// Records validated ahead of the commits.
const AHEAD: usize = 1_000;

#[derive(Clone, Debug)]
pub struct ImportOptions {
    /// Found by content when absent.
    pub format: Option<Format>,
    /// Who contributes the elements that name no contributor.
    pub contributor: Option<String>,
    /// Whether to look for place names in elements without a footprint, and for duplicates.
    pub suggestions: bool,
}

impl Default for ImportOptions {
    fn default() -> Self {
        Self { format: None, contributor: None, suggestions: true }
    }
}

/// How far an import is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImportProgress {
    /// Records read and committed.
    pub records: u64,
    pub bytes: u64,
}

#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    #[error("the file cannot be read")]
    Read(#[source] std::io::Error),
    #[error("the file is empty")]
    Empty,
    #[error("the file is not JSON; NDJSON of elements, I-GUIDE resource JSON and STAC can be imported")]
    NotJson(#[source] serde_json::Error),
    #[error("{0}")]
    Unrecognised(String),
    #[error("a document that is not one record a line may have at most {most} bytes; split it or write one record a line")]
    TooLarge { most: usize },
    /// What was committed before stays; running the import again goes on.
    #[error("the import stopped after {} records", report.read)]
    Stopped {
        #[source]
        source: PortError,
        report: Box<ImportReport>,
    },
}

/// [`import`] of a file.
///
/// # Errors
/// As there.
pub async fn import_file(
    records: &dyn Records,
    geocoder: &dyn Geocoder,
    path: &Path,
    options: &ImportOptions,
    progress: &(dyn Fn(ImportProgress) + Sync),
) -> Result<ImportReport, ImportError> {
    let file = std::fs::File::open(path).map_err(ImportError::Read)?;
    import(records, geocoder, Box::new(BufReader::with_capacity(1 << 20, file)), options, progress).await
}

/// Reads records, validates them and commits them in batches. A faulty record is reported and the rest imported; the same file again
/// changes nothing. `progress` is called after each batch. Reading and validating run on a thread of their own. Dropping the
/// future ends the import after the batch in hand.
///
/// # Errors
/// A file that cannot be read or is of no format we know; records that cannot be written.
pub async fn import(
    records: &dyn Records,
    geocoder: &dyn Geocoder,
    source: Box<dyn BufRead + Send>,
    options: &ImportOptions,
    progress: &(dyn Fn(ImportProgress) + Sync),
) -> Result<ImportReport, ImportError> {
    let (sender, mut receiver) = mpsc::channel(AHEAD);
    let (format, contributor) = (options.format, options.contributor.clone());
    let reading = tokio::task::spawn_blocking(move || {
        prepare(source, format, contributor.as_deref(), &mut |prepared| sender.blocking_send(prepared).is_ok())
    });
    let mut intake = Intake::new(records);
    let mut batch = Vec::with_capacity(BATCH);
    while receiver.recv_many(&mut batch, BATCH).await > 0 {
        let bytes = batch.last().map_or(0, |prepared: &Prepared| prepared.bytes_read);
        intake.take(std::mem::take(&mut batch)).await?;
        progress(ImportProgress { records: intake.report.read, bytes });
    }
    let format = reading.await.map_err(|error| ImportError::Read(std::io::Error::other(error)))??;
    intake.report.format = format;
    intake.finish(geocoder, options.suggestions).await
}

/// Commits what was prepared and keeps the account.
struct Intake<'a> {
    records: &'a dyn Records,
    report: ImportReport,
    /// The record of the file that has each id.
    seen: HashMap<ElementId, u64>,
    /// Which records name each related id.
    named: HashMap<ElementId, Vec<(u64, ElementId)>>,
    created: Vec<ElementId>,
    without_footprint: Vec<ElementId>,
    /// Elements with a footprint and names of places, and the record of each.
    placed: Vec<(u64, ElementId)>,
}

impl<'a> Intake<'a> {
    fn new(records: &'a dyn Records) -> Self {
        Self {
            records,
            report: ImportReport::new(Format::Ndjson),
            seen: HashMap::new(),
            named: HashMap::new(),
            created: Vec::new(),
            without_footprint: Vec::new(),
            placed: Vec::new(),
        }
    }

    async fn take(&mut self, batch: Vec<Prepared>) -> Result<(), ImportError> {
        let mut elements = Vec::with_capacity(batch.len());
        for prepared in batch {
            self.report.read += 1;
            let id = prepared.id.map(ElementId);
            match prepared.result {
                Ok(validated) => {
                    for fault in validated.warnings {
                        self.report.warn(prepared.number, Some(&validated.element.id), fault);
                    }
                    elements.extend(self.admit(prepared.number, validated.element));
                }
                Err(faults) => self.report.refuse(prepared.number, id.as_ref(), faults),
            }
        }
        let ids: Vec<ElementId> = elements.iter().map(|element| element.id.clone()).collect();
        let changes = elements.into_iter().map(|element| Change::Put(Box::new(element))).collect();
        let committed = match self.records.commit(changes).await {
            Ok(committed) => committed,
            Err(source) => return Err(self.stopped(source)),
        };
        for (outcome, id) in committed.into_iter().zip(ids) {
            match outcome {
                Committed::Created(_) => {
                    self.report.created += 1;
                    self.created.push(id);
                }
                Committed::Updated(_) => self.report.updated += 1,
                Committed::Unchanged | Committed::Absent => self.report.unchanged += 1,
            }
        }
        Ok(())
    }

    /// The element, unless an earlier record of the file has its id.
    fn admit(&mut self, number: u64, element: Element) -> Option<Element> {
        if let Some(earlier) = self.seen.get(&element.id) {
            let message = format!("record {earlier} of the file has this id already; this one was not imported");
            self.report.refuse(number, Some(&element.id), vec![Fault::new(FaultKind::RepeatedId, "id", message)]);
            return None;
        }
        self.seen.insert(element.id.clone(), number);
        self.report.missing.look_at(&element);
        if element.bbox().is_none() {
            self.without_footprint.push(element.id.clone());
        } else if element.spatial.as_ref().is_some_and(|spatial| !spatial.places.is_empty()) {
            self.placed.push((number, element.id.clone()));
        }
        for related in &element.related {
            self.named.entry(related.id.clone()).or_default().push((number, element.id.clone()));
        }
        Some(element)
    }

    async fn finish(mut self, geocoder: &dyn Geocoder, suggestions: bool) -> Result<ImportReport, ImportError> {
        if let Err(source) = self.report_dangling().await {
            return Err(self.stopped(source));
        }
        if suggestions && let Err(error) = self.suggest(geocoder).await {
            tracing::warn!(operation = error.operation, kind = ?error.kind, "no suggestions for an import");
            self.report.without_suggestions = Some(format!("suggestions could not be made: {}", error.source));
        }
        Ok(self.report)
    }

    async fn report_dangling(&mut self) -> Result<(), PortError> {
        self.named.retain(|id, _| !self.seen.contains_key(id));
        let ids: Vec<ElementId> = self.named.keys().cloned().collect();
        for chunk in ids.chunks(BATCH) {
            for element in self.records.elements(chunk).await? {
                self.named.remove(&element.id);
            }
        }
        let open = self.named.drain().flat_map(|(to, from)| from.into_iter().map(move |(record, id)| (record, id, to.clone())));
        let mut open: Vec<(u64, ElementId, ElementId)> = open.collect();
        open.sort();
        for (record, from, to) in open {
            let message = format!("`{to}` is not in the catalogue; the edge shows once it is");
            self.report.warn(record, Some(&from), Fault::new(FaultKind::DanglingRelation, "related", message));
        }
        Ok(())
    }

    async fn suggest(&mut self, geocoder: &dyn Geocoder) -> Result<(), PortError> {
        self.report.duplicates = duplicates::suggest(self.records, &self.created).await?;
        for (record, id, fault) in suggest::elsewhere(self.records, geocoder, &self.placed).await? {
            self.report.warn(record, Some(&id), fault);
        }
        self.report.suggested_places = suggest::places(self.records, geocoder, &self.without_footprint).await?;
        Ok(())
    }

    fn stopped(&mut self, source: PortError) -> ImportError {
        let report = std::mem::replace(&mut self.report, ImportReport::new(Format::Ndjson));
        ImportError::Stopped { source, report: Box::new(report) }
    }
}
