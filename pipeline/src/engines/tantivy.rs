//! Words and codes in Tantivy, with the elements as attributes and footprints need them and the checkpoint beside them: one commit
//! moves all of it.

mod analyzer;
mod document;
mod query;
mod schema;
mod stop_words;

use std::{
    collections::HashMap,
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use rayon::prelude::*;
use tantivy::{
    Index, IndexReader, IndexSettings, IndexWriter, ReloadPolicy, Searcher, TantivyDocument, TantivyError, Term,
    directory::{MmapDirectory, error::LockError},
    index::SegmentId,
    query::EnableScoring,
    schema::Value,
};

use crate::{
    engines::attributes::{best::Best, row_set::RowSet},
    model::element::{Element, ElementId},
    ports::{ErrorKind, PortError, PortResult, Seq},
};
use document::document;
use schema::{Fields, SCHEMA_VERSION};

/// What the writer gathers before it writes a segment.
const WRITER_BUDGET_BYTES: usize = 64 << 20;
const FOLDER: &str = "text-v";

/// The folder of the text index, open.
pub struct TextIndex {
    index: Index,
    reader: IndexReader,
    fields: Fields,
    /// Opened at the first change, since it locks the folder: whoever only searches needs no lock.
    writer: Option<IndexWriter>,
    rows: RowsBySegment,
}

/// Which row each document of a segment belongs to.
type RowsBySegment = HashMap<SegmentId, Arc<[u32]>>;

/// The index as it was at a commit.
pub struct TextSnapshot {
    searcher: Searcher,
    fields: Fields,
    /// In the order of the searcher's segments.
    rows: Vec<Arc<[u32]>>,
}

/// What one commit changes.
pub struct TextChange<'a> {
    pub put: &'a [(u32, &'a Element)],
    pub removed: &'a [ElementId],
    pub erase: bool,
    pub upto: Seq,
}

impl TextIndex {
    /// Opens the folder of this version below `dir` or makes it; folders of other versions are removed.
    pub fn open(dir: &Path) -> PortResult<Self> {
        let folder = folder(dir).map_err(PortError::internal("tantivy: open the folder"))?;
        let (schema, fields) = Fields::schema();
        let directory = MmapDirectory::open(folder).map_err(PortError::internal("tantivy: open the folder"))?;
        let builder = Index::builder().schema(schema).settings(IndexSettings::default()).tokenizers(analyzer::analyzers());
        let index = builder.open_or_create(directory).map_err(error("tantivy: open"))?;
        let reader =
            index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into().map_err(error("tantivy: open a reader"))?;
        Ok(Self { index, reader, fields, writer: None, rows: RowsBySegment::new() })
    }

    /// How far the last commit has come.
    pub fn checkpoint(&self) -> PortResult<Seq> {
        let payload = self.index.load_metas().map_err(error("tantivy: read the checkpoint"))?.payload;
        match payload {
            Some(seq) => seq.parse().map_err(PortError::internal("tantivy: read the checkpoint")),
            None => Ok(0),
        }
    }

    /// The elements of the last commit with their rows.
    pub fn elements(&self) -> PortResult<Vec<(u32, Element)>> {
        const OPERATION: &str = "tantivy: read the elements";
        let searcher = self.reader.searcher();
        let mut elements = Vec::new();
        for segment in searcher.segment_readers() {
            let rows = segment.fast_fields().column_first_or_default::<u64>("row").map_err(error(OPERATION))?;
            let store = segment.get_store_reader(1).map_err(PortError::internal(OPERATION))?;
            let alive = segment.doc_ids_alive().map(|doc| rows.get_val(doc) as u32);
            let documents: Vec<TantivyDocument> =
                store.iter(segment.alive_bitset()).collect::<Result<_, _>>().map_err(error(OPERATION))?;
            let rows: Vec<u32> = alive.collect();
            let read: Result<Vec<(u32, Element)>, PortError> = rows
                .into_par_iter()
                .zip(documents)
                .map(|(row, document)| {
                    let bytes = document.get_first(self.fields.element).and_then(|value| value.as_bytes()).unwrap_or_default();
                    let element = serde_json::from_slice(bytes).map_err(PortError::internal(OPERATION))?;
                    Ok((row, element))
                })
                .collect();
            elements.extend(read?);
        }
        Ok(elements)
    }

    /// Commits; durable when it returns, and what [`Self::snapshot`] shows next. After an error nothing has changed.
    pub fn commit(&mut self, change: &TextChange<'_>) -> PortResult<()> {
        let result = self.try_commit(change);
        if result.is_err() {
            // dropped without a commit, so that the next one starts from the last commit
            self.writer = None;
        }
        result
    }

    pub fn snapshot(&mut self) -> PortResult<TextSnapshot> {
        self.reader.reload().map_err(error("tantivy: reload"))?;
        let searcher = self.reader.searcher();
        let mut known = RowsBySegment::new();
        let mut rows = Vec::new();
        for segment in searcher.segment_readers() {
            let id = segment.segment_id();
            let of_segment = match self.rows.get(&id) {
                Some(of_segment) => Arc::clone(of_segment),
                None => {
                    let column =
                        segment.fast_fields().column_first_or_default::<u64>("row").map_err(error("tantivy: read the rows"))?;
                    (0..segment.max_doc()).map(|doc| column.get_val(doc) as u32).collect()
                }
            };
            known.insert(id, Arc::clone(&of_segment));
            rows.push(of_segment);
        }
        self.rows = known;
        Ok(TextSnapshot { searcher, fields: self.fields, rows })
    }

    /// Takes the folder for this process until it ends.
    ///
    /// # Errors
    /// `Unavailable` when another process has it.
    pub fn lock(&mut self) -> PortResult<()> {
        self.writer().map(|_| ())
    }

    fn try_commit(&mut self, change: &TextChange<'_>) -> PortResult<()> {
        let fields = self.fields;
        let writer = self.writer()?;
        if change.erase {
            writer.delete_all_documents().map_err(error("tantivy: erase"))?;
        }
        for id in change.removed {
            writer.delete_term(Term::from_field_text(fields.id, &id.0));
        }
        for (row, element) in change.put {
            writer.delete_term(Term::from_field_text(fields.id, &element.id.0));
            writer.add_document(document(&fields, element, *row)?).map_err(error("tantivy: add"))?;
        }
        let mut commit = writer.prepare_commit().map_err(error("tantivy: commit"))?;
        commit.set_payload(&change.upto.to_string());
        commit.commit().map_err(error("tantivy: commit"))?;
        Ok(())
    }

    fn writer(&mut self) -> PortResult<&mut IndexWriter> {
        match &mut self.writer {
            Some(writer) => Ok(writer),
            writer => {
                let opened =
                    self.index.writer_with_num_threads(1, WRITER_BUDGET_BYTES).map_err(error("tantivy: open the writer"))?;
                Ok(writer.insert(opened))
            }
        }
    }
}

impl TextSnapshot {
    /// Shows `best` every element of `among` that the text finds; returns how many.
    pub fn search(&self, text: &str, among: &RowSet, best: &mut Best<'_>) -> PortResult<u64> {
        self.try_search(text, among, best).map_err(error("tantivy: search"))
    }

    fn try_search(&self, text: &str, among: &RowSet, best: &mut Best<'_>) -> tantivy::Result<u64> {
        let query = query::build(text, &self.fields, &self.searcher)?;
        let weight = query.weight(EnableScoring::enabled_from_searcher(&self.searcher))?;
        let mut total = 0;
        for (segment, rows) in self.searcher.segment_readers().iter().zip(&self.rows) {
            let alive = segment.alive_bitset();
            weight.for_each(segment, &mut |doc, score| {
                if alive.is_some_and(|alive| !alive.is_alive(doc)) {
                    return;
                }
                let Some(row) = rows.get(doc as usize).copied().filter(|row| among.contains(*row)) else { return };
                total += 1;
                best.push(row, score);
            })?;
        }
        Ok(total)
    }
}

fn folder(dir: &Path) -> io::Result<PathBuf> {
    let name = format!("{FOLDER}{SCHEMA_VERSION}");
    let folder = dir.join(&name);
    fs::create_dir_all(&folder)?;
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let is_of_another_version = entry.file_name().to_str().is_some_and(|other| other.starts_with(FOLDER) && other != name);
        if is_of_another_version {
            fs::remove_dir_all(entry.path())?;
        }
    }
    Ok(folder)
}

fn error(operation: &'static str) -> impl FnOnce(TantivyError) -> PortError {
    move |error| match error {
        TantivyError::LockFailure(LockError::LockBusy, _) => PortError::new(
            ErrorKind::Unavailable,
            operation,
            "another cairn process is writing to this data folder; stop it or wait for it",
        ),
        error => PortError::new(ErrorKind::Internal, operation, error),
    }
}
