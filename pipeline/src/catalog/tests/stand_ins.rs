//! Records in memory and geocoders of a few words: the importers need no more.

use std::{collections::BTreeMap, io::Cursor, sync::Mutex};

use async_trait::async_trait;

use crate::{
    catalog::import::{Format, ImportError, ImportOptions, ImportReport, import},
    model::{
        bbox::BBox,
        element::{Element, ElementId},
        place::Place,
    },
    ports::{
        ErrorKind, Geocoder, PortError, PortResult, Records, Seq,
        geocoder::{Mention, PlaceContext},
        records::{Change, Committed, LoggedChange},
    },
};

/// Elements by id; a commit fails once more than `capacity` are there.
pub struct MemoryRecords {
    elements: Mutex<BTreeMap<ElementId, Element>>,
    capacity: usize,
}

impl MemoryRecords {
    pub fn new() -> Self {
        Self::that_holds(usize::MAX)
    }

    pub fn that_holds(capacity: usize) -> Self {
        Self { elements: Mutex::default(), capacity }
    }

    pub fn all(&self) -> Vec<Element> {
        self.elements.lock().unwrap().values().cloned().collect()
    }

    pub fn get(&self, id: &str) -> Element {
        self.elements.lock().unwrap().get(&ElementId::from(id)).unwrap_or_else(|| panic!("no element {id}")).clone()
    }
}

#[async_trait]
impl Records for MemoryRecords {
    async fn commit(&self, changes: Vec<Change>) -> PortResult<Vec<Committed>> {
        let mut elements = self.elements.lock().unwrap();
        if elements.len() + changes.len() > self.capacity {
            return Err(PortError::new(ErrorKind::Unavailable, "memory: commit", "full"));
        }
        let put = |change| match change {
            Change::Put(element) => match elements.insert(element.id.clone(), (*element).clone()) {
                None => Committed::Created(1),
                Some(earlier) if earlier == *element => Committed::Unchanged,
                Some(_) => Committed::Updated(1),
            },
            Change::Withdraw(_) => Committed::Absent,
        };
        Ok(changes.into_iter().map(put).collect())
    }

    async fn element(&self, id: &ElementId) -> PortResult<Option<Element>> {
        Ok(self.elements.lock().unwrap().get(id).cloned())
    }

    async fn elements(&self, ids: &[ElementId]) -> PortResult<Vec<Element>> {
        let elements = self.elements.lock().unwrap();
        Ok(ids.iter().filter_map(|id| elements.get(id).cloned()).collect())
    }

    async fn page(&self, after: Option<&ElementId>, limit: usize) -> PortResult<Vec<Element>> {
        let elements = self.elements.lock().unwrap();
        Ok(elements.values().filter(|element| after.is_none_or(|after| element.id > *after)).take(limit).cloned().collect())
    }

    async fn with_doi(&self, doi: &str) -> PortResult<Vec<ElementId>> {
        Ok(self.all().into_iter().filter(|element| element.doi.as_deref() == Some(doi)).map(|element| element.id).collect())
    }

    async fn changes(&self, _: Seq, _: usize) -> PortResult<Vec<LoggedChange>> {
        Ok(Vec::new())
    }

    async fn last_seq(&self) -> PortResult<Seq> {
        Ok(0)
    }

    async fn count(&self) -> PortResult<u64> {
        Ok(self.all().len() as u64)
    }

    async fn click(&self, _: &ElementId, _: &str, _: u32) -> PortResult<bool> {
        Ok(false)
    }

    async fn wait_beyond(&self, _: Seq) {}
}

/// Knows two places.
pub struct WordGeocoder;

const PLACES: [(&str, &str, [f64; 4]); 2] = [
    ("Chicago", "Chicago, United States (city)", [-87.9, 41.6, -87.5, 42.0]),
    ("Iceland", "Iceland (country)", [-24.5, 63.3, -13.5, 66.5]),
];

fn place(name: &str, label: &str, bbox: [f64; 4]) -> Place {
    let bbox = BBox::try_from(bbox).unwrap();
    Place {
        id: name.to_owned(),
        name: name.to_owned(),
        kind: "place".to_owned(),
        countries: Vec::new(),
        label: label.to_owned(),
        bbox,
        geometry: None,
        centroid: bbox.centre().into(),
        population: None,
        because: String::new(),
    }
}

#[async_trait]
impl Geocoder for WordGeocoder {
    async fn candidates(&self, asked: &str, _: &PlaceContext, _: usize) -> PortResult<Vec<Place>> {
        Ok(PLACES.into_iter().filter(|(name, ..)| *name == asked).map(|(name, label, bbox)| place(name, label, bbox)).collect())
    }

    async fn mentions(&self, text: &str) -> PortResult<Vec<Mention>> {
        let mut mentions: Vec<Mention> = Vec::new();
        for (name, label, bbox) in PLACES {
            mentions.extend(text.match_indices(name).map(|(start, _)| Mention {
                start,
                end: start + name.len(),
                name: name.to_owned(),
                candidates: vec![place(name, label, bbox)],
            }));
        }
        mentions.sort_by_key(|mention| mention.start);
        Ok(mentions)
    }

    async fn place(&self, _: &str) -> PortResult<Option<Place>> {
        Ok(None)
    }
}

/// Imports bytes into `records`.
pub async fn import_bytes(
    records: &MemoryRecords,
    bytes: impl Into<Vec<u8>>,
    format: Option<Format>,
) -> Result<ImportReport, ImportError> {
    let options = ImportOptions { format, ..ImportOptions::default() };
    import(records, &WordGeocoder, Box::new(Cursor::new(bytes.into())), &options, &|_| {}).await
}
