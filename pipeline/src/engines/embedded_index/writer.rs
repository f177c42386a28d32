//! Changes: prepared and made durable outside of the readers' lock, then swapped in.

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    sync::{Mutex, MutexGuard, PoisonError},
};

use rayon::prelude::*;

use super::{
    no_model,
    recent::Recent,
    state::{Shared, State, VectorPart, check_dimension},
};
use crate::{
    engines::{
        attributes::{Attributes, Entry},
        footprints::{Footprints, Prepared},
        tantivy::{TextChange, TextIndex},
        vectors::{Vectors, code::Code, log::VectorLog},
    },
    model::element::{Element, ElementId},
    ports::{
        PortError, PortResult, Seq,
        embedder::ModelIdentity,
        records::LoggedChange,
        search_index::{ElementVectors, IndexPart},
    },
};

const VECTOR_FILE: &str = "vectors.log";

/// The files. One change at a time.
pub struct Writer {
    files: Mutex<Files>,
}

struct Files {
    text: TextIndex,
    vectors: Option<VectorLog>,
    rows: FreeRows,
}

/// Rows no element has.
#[derive(Default)]
struct FreeRows {
    below: Vec<u32>,
    next: u32,
}

impl FreeRows {
    fn take(&mut self) -> u32 {
        self.below.pop().unwrap_or_else(|| {
            self.next += 1;
            self.next - 1
        })
    }
}

/// A public element that is put, all but its place in memory.
struct Put<'a> {
    element: &'a Element,
    row: u32,
    entry: Entry,
    footprint: Option<Prepared>,
}

impl Writer {
    pub fn open(dir: &Path, model: Option<ModelIdentity>) -> PortResult<(Self, State)> {
        fs::create_dir_all(dir).map_err(PortError::internal("index: make the folder"))?;
        let vectors = model.map(|model| VectorLog::open(&dir.join(VECTOR_FILE), &model)).transpose()?;
        let mut text = TextIndex::open(dir)?;
        let text_seq = text.checkpoint()?;
        let mut attributes = Attributes::default();
        let mut footprints = Footprints::default();
        let rows = fill(&text.elements()?, &mut attributes, &mut footprints);
        let (log, part) = match vectors {
            Some((log, mut vectors, seq)) => {
                vectors.place_all(|id| attributes.row(id));
                (Some(log), Some(VectorPart { vectors, seq }))
            }
            None => (None, None),
        };
        let snapshot = text.snapshot()?;
        let state = State {
            text: snapshot,
            attributes,
            footprints,
            text_seq,
            vectors: part,
            passing: Recent::default(),
            counted: Recent::default(),
            areas: Recent::default(),
        };
        Ok((Self { files: Mutex::new(Files { text, vectors: log, rows }) }, state))
    }

    pub fn apply(&self, shared: &Shared, changes: &[LoggedChange], upto: Seq) -> PortResult<()> {
        let mut files = self.files();
        // of several changes of an element the last one holds
        let newest: BTreeMap<&ElementId, &Element> = changes.iter().map(|change| (&change.element.id, &change.element)).collect();
        let (public, hidden): (Vec<&Element>, Vec<&Element>) = newest.into_values().partition(|element| element.is_public());
        let removed: Vec<ElementId> = hidden.into_iter().map(|element| element.id.clone()).collect();
        let known: Vec<Option<u32>> =
            shared.read(|state| Ok(public.iter().map(|element| state.attributes.row(&element.id.0)).collect()))?;
        let placed: Vec<(u32, &Element)> =
            public.into_iter().zip(known).map(|(element, row)| (row.unwrap_or_else(|| files.rows.take()), element)).collect();
        files.text.commit(&TextChange { put: &placed, removed: &removed, erase: false, upto })?;
        let puts: Vec<Put<'_>> = placed.into_iter().map(|(row, element)| Put::new(element, row)).collect();
        let snapshot = files.text.snapshot()?;
        let freed = shared.write(|state| {
            state.text = snapshot;
            state.text_seq = upto;
            puts.into_iter().for_each(|put| state.put(put));
            removed.iter().filter_map(|id| state.remove(&id.0)).collect::<Vec<u32>>()
        })?;
        files.rows.below.extend(freed);
        Ok(())
    }

    pub fn apply_vectors(&self, shared: &Shared, vectors: &[ElementVectors], upto: Seq) -> PortResult<()> {
        let mut files = self.files();
        let files = &mut *files;
        let log = files.vectors.as_mut().ok_or_else(no_model)?;
        let dimension = shared.read(|state| state.vectors.as_ref().map(|part| part.vectors.dimension()).ok_or_else(no_model))?;
        for chunk in vectors.iter().flat_map(|element| &element.chunks) {
            check_dimension(chunk.len(), dimension)?;
        }
        // one process writes to a folder at a time, to either part
        files.text.lock()?;
        let quantise =
            |element: &ElementVectors| (element.id.0.clone(), element.chunks.iter().map(|chunk| Code::of(chunk)).collect());
        let batch: Vec<(String, Vec<Code>)> = vectors.par_iter().map(quantise).collect();
        log.append(&batch, upto)?;
        let wants_rewrite = shared.write(|state| {
            let Some(part) = &mut state.vectors else { return false };
            for (id, chunks) in &batch {
                part.vectors.put(id, chunks, state.attributes.row(id));
            }
            part.seq = upto;
            log.wants_rewrite(&part.vectors)
        })?;
        if wants_rewrite {
            shared.read(|state| state.vectors.as_ref().map_or(Ok(()), |part| log.rewrite(&part.vectors, part.seq)))?;
        }
        Ok(())
    }

    pub fn reset(&self, shared: &Shared, part: IndexPart) -> PortResult<()> {
        let mut files = self.files();
        match part {
            IndexPart::Text => {
                files.text.commit(&TextChange { put: &[], removed: &[], erase: true, upto: 0 })?;
                files.rows = FreeRows::default();
                let snapshot = files.text.snapshot()?;
                shared.write(|state| {
                    state.text = snapshot;
                    state.text_seq = 0;
                    state.attributes = Attributes::default();
                    state.footprints = Footprints::default();
                    if let Some(part) = &mut state.vectors {
                        part.vectors.place_all(|_| None);
                    }
                })
            }
            IndexPart::Vectors => {
                files.text.lock()?;
                let log = files.vectors.as_mut().ok_or_else(no_model)?;
                let dimension =
                    shared.read(|state| state.vectors.as_ref().map(|part| part.vectors.dimension()).ok_or_else(no_model))?;
                log.rewrite(&Vectors::new(dimension), 0)?;
                shared.write(|state| state.vectors = Some(VectorPart { vectors: Vectors::new(dimension), seq: 0 }))
            }
        }
    }

    /// Whoever panicked while holding the files left them as after a crash, and they are made for that.
    fn files(&self) -> MutexGuard<'_, Files> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<'a> Put<'a> {
    fn new(element: &'a Element, row: u32) -> Self {
        Self { element, row, entry: Entry::new(element), footprint: element.spatial.as_ref().and_then(Prepared::new) }
    }
}

impl State {
    fn put(&mut self, put: Put<'_>) {
        self.footprints.remove(put.row);
        self.attributes.put(put.row, put.entry);
        if let Some(footprint) = put.footprint {
            self.footprints.put(put.row, footprint, &self.attributes);
        }
        if let Some(part) = &mut self.vectors {
            part.vectors.place(&put.element.id.0, Some(put.row));
        }
    }

    /// The row that is free now.
    fn remove(&mut self, id: &str) -> Option<u32> {
        if let Some(part) = &mut self.vectors {
            part.vectors.remove(id);
        }
        let row = self.attributes.row(id)?;
        self.footprints.remove(row);
        self.attributes.remove(id)
    }
}

/// Fills the memory from what the text index kept; returns the rows that are free.
fn fill(elements: &[(u32, Element)], attributes: &mut Attributes, footprints: &mut Footprints) -> FreeRows {
    let puts: Vec<Put<'_>> = elements.par_iter().map(|(row, element)| Put::new(element, *row)).collect();
    let next = elements.iter().map(|(row, _)| row + 1).max().unwrap_or(0);
    let mut prepared = Vec::new();
    for put in puts {
        attributes.put(put.row, put.entry);
        prepared.extend(put.footprint.map(|footprint| (put.row, footprint)));
    }
    footprints.fill(prepared, attributes);
    FreeRows { below: (0..next).filter(|row| !attributes.live().contains(*row)).collect(), next }
}
