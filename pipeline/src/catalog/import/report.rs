//! What an import did, in numbers and record by record.

use std::collections::BTreeMap;

use serde::Serialize;

use super::detect::Format;
use crate::{
    catalog::{
        duplicates::DuplicateSuggestion,
        fault::{Fault, FaultKind},
    },
    model::element::{Element, ElementId},
};

/// Faults listed one by one; beyond, they are counted only.
const MAX_LISTED: usize = 100_000;

#[derive(Clone, Debug, Serialize)]
pub struct ImportReport {
    pub format: Format,
    /// Records found in the file, the faulty ones included.
    pub read: u64,
    pub created: u64,
    pub updated: u64,
    /// The same content was there already.
    pub unchanged: u64,
    /// Records that were not imported.
    pub refused: u64,
    /// Why they were not: one entry a fault.
    pub failed: Vec<RecordFault>,
    /// What was repaired or left out in records that were imported.
    pub warnings: Vec<RecordFault>,
    /// Faults beyond the listed ones.
    pub not_listed: u64,
    pub missing: Missing,
    /// Places named in elements without a footprint: for a person to decide, never taken as a footprint.
    pub suggested_places: Vec<PlaceSuggestion>,
    /// Elements that may be the same: for a person to decide, never merged.
    pub duplicates: Vec<DuplicateSuggestion>,
    /// Set when suggestions could not be made, with the reason.
    pub without_suggestions: Option<String>,
    counts: BTreeMap<FaultKind, u64>,
}

/// One fault of one record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RecordFault {
    /// The line of the file, or the place in the document's list, from 1.
    pub record: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<ElementId>,
    #[serde(flatten)]
    pub fault: Fault,
}

/// How many imported elements lack what makes them easy to find and use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Missing {
    pub footprint: u64,
    pub period: u64,
    pub description: u64,
    pub authors: u64,
    pub license: u64,
    pub doi: u64,
    pub links: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlaceSuggestion {
    pub id: ElementId,
    pub title: String,
    /// Such as `Chicago, United States (city)`.
    pub places: Vec<String>,
}

/// All faults of a kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FaultCount {
    pub kind: FaultKind,
    pub sentence: &'static str,
    pub count: u64,
}

impl ImportReport {
    pub(super) fn new(format: Format) -> Self {
        Self {
            format,
            read: 0,
            created: 0,
            updated: 0,
            unchanged: 0,
            refused: 0,
            failed: Vec::new(),
            warnings: Vec::new(),
            not_listed: 0,
            missing: Missing::default(),
            suggested_places: Vec::new(),
            duplicates: Vec::new(),
            without_suggestions: None,
            counts: BTreeMap::new(),
        }
    }

    /// Records that are in the catalogue now.
    pub fn imported(&self) -> u64 {
        self.created + self.updated + self.unchanged
    }

    /// Faults by kind, most frequent first.
    pub fn faults_by_kind(&self) -> Vec<FaultCount> {
        let mut counts: Vec<FaultCount> = self
            .counts
            .iter()
            .map(|(kind, count)| FaultCount { kind: *kind, sentence: kind.sentence(), count: *count })
            .collect();
        counts.sort_by_key(|entry| (std::cmp::Reverse(entry.count), entry.kind.name()));
        counts
    }

    pub fn count_of(&self, kind: FaultKind) -> u64 {
        self.counts.get(&kind).copied().unwrap_or_default()
    }

    pub(super) fn refuse(&mut self, record: u64, id: Option<&ElementId>, faults: Vec<Fault>) {
        self.refused += 1;
        for fault in faults {
            let entry = self.entry(record, id, fault);
            self.failed.extend(entry);
        }
    }

    pub(super) fn warn(&mut self, record: u64, id: Option<&ElementId>, fault: Fault) {
        let entry = self.entry(record, id, fault);
        self.warnings.extend(entry);
    }

    fn entry(&mut self, record: u64, id: Option<&ElementId>, fault: Fault) -> Option<RecordFault> {
        *self.counts.entry(fault.kind).or_default() += 1;
        if self.failed.len() + self.warnings.len() >= MAX_LISTED {
            self.not_listed += 1;
            return None;
        }
        Some(RecordFault { record, id: id.cloned(), fault })
    }
}

impl Missing {
    pub(super) fn look_at(&mut self, element: &Element) {
        self.footprint += u64::from(element.bbox().is_none());
        self.period += u64::from(element.temporal.is_none());
        self.description += u64::from(element.description.is_empty());
        self.authors += u64::from(element.authors.is_empty());
        self.license += u64::from(element.license.is_none());
        self.doi += u64::from(element.doi.is_none());
        self.links += u64::from(element.links.is_empty());
    }
}
