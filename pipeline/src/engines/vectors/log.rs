//! Vectors on disk: a file of frames, each a batch with the checkpoint it leads to and a checksum.
//!
//! A frame counts wholly or not at all: reading ends at the first one that is cut off or damaged, so a crash while writing costs
//! the last batch, which the checkpoint then asks for again. When most of the file is outdated it is written anew beside the
//! old one and renamed over it.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, BufWriter, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{Vectors, code::Code};
use crate::ports::{ErrorKind, PortError, PortResult, Seq, embedder::ModelIdentity};

const FORMAT: u32 = 1;
const CHECKSUM_BYTES: usize = 8;
/// Elements a frame when the file is written anew.
const REWRITE_FRAME: usize = 1_000;
/// A file below this size is never written anew.
const SMALL_FILE_BYTES: u64 = 4 << 20;

/// The vectors of an element as they are written; without chunks it has none.
pub type Batch = [(String, Vec<Code>)];

pub struct VectorLog {
    path: PathBuf,
    header: Header,
    /// The bytes that hold whole frames.
    length: u64,
    /// Opened at the first write: whoever only reads leaves the file as it is.
    file: Option<File>,
}

/// The first line of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Header {
    format: u32,
    model: String,
    dimension: usize,
}

impl VectorLog {
    /// Reads the vectors and how far they have come; an absent file is an empty one.
    ///
    /// # Errors
    /// `Incompatible` when the file holds another model's vectors or is not of this format.
    pub fn open(path: &Path, model: &ModelIdentity) -> PortResult<(Self, Vectors, Seq)> {
        let header = Header { format: FORMAT, model: model.name.clone(), dimension: model.dimension };
        let mut vectors = Vectors::new(model.dimension);
        let mut log = Self { path: path.to_owned(), header, length: 0, file: None };
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((log, vectors, 0)),
            Err(error) => return Err(PortError::new(ErrorKind::Internal, "vectors: read", error)),
        };
        // without a whole first line the file is from a crash while it was made
        let Some(line_end) = bytes.iter().position(|byte| *byte == b'\n') else { return Ok((log, vectors, 0)) };
        let found: Header = serde_json::from_slice(bytes.get(..line_end).unwrap_or_default())
            .map_err(|error| PortError::new(ErrorKind::Incompatible, "vectors: read the first line", error))?;
        if found != log.header {
            return Err(incompatible(&found, &log.header));
        }
        let mut seq = 0;
        let mut rest = bytes.get(line_end + 1..).unwrap_or_default();
        while let Some((frame_seq, batch)) = read_frame(&mut rest, model.dimension) {
            for (id, chunks) in &batch {
                vectors.put(id, chunks, None);
            }
            seq = frame_seq;
        }
        log.length = (bytes.len() - rest.len()) as u64;
        Ok((log, vectors, seq))
    }

    /// Durable when it returns.
    pub fn append(&mut self, batch: &Batch, seq: Seq) -> PortResult<()> {
        self.try_append(batch, seq).map_err(|error| {
            self.file = None;
            PortError::new(ErrorKind::Internal, "vectors: append", error)
        })
    }

    /// Whether most of the file is outdated.
    pub fn wants_rewrite(&self, vectors: &Vectors) -> bool {
        let live = vectors.len() as u64 * (self.header.dimension as u64 + 40);
        self.length > SMALL_FILE_BYTES && self.length > 2 * live
    }

    /// Writes the file anew with these vectors only.
    pub fn rewrite(&mut self, vectors: &Vectors, seq: Seq) -> PortResult<()> {
        self.file = None;
        self.try_rewrite(vectors, seq).map_err(PortError::internal("vectors: rewrite"))
    }

    fn try_append(&mut self, batch: &Batch, seq: Seq) -> io::Result<()> {
        let frame = frame(batch, seq);
        let file = match &mut self.file {
            Some(file) => file,
            None => {
                let mut file = OpenOptions::new().create(true).truncate(false).write(true).open(&self.path)?;
                file.set_len(self.length)?;
                file.seek(SeekFrom::End(0))?;
                if self.length == 0 {
                    let line = header_line(&self.header)?;
                    file.write_all(&line)?;
                    self.length = line.len() as u64;
                }
                self.file.insert(file)
            }
        };
        file.write_all(&frame)?;
        file.sync_data()?;
        self.length += frame.len() as u64;
        Ok(())
    }

    fn try_rewrite(&mut self, vectors: &Vectors, seq: Seq) -> io::Result<()> {
        let beside = self.path.with_extension("new");
        let mut writer = BufWriter::new(File::create(&beside)?);
        writer.write_all(&header_line(&self.header)?)?;
        let mut batch = Vec::new();
        for (id, chunks) in vectors.elements() {
            batch.push((id.to_owned(), chunks));
            if batch.len() == REWRITE_FRAME {
                // only the last frame tells how far the file has come
                writer.write_all(&frame(&batch, 0))?;
                batch.clear();
            }
        }
        writer.write_all(&frame(&batch, seq))?;
        let file = writer.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.sync_all()?;
        fs::rename(&beside, &self.path)?;
        if let Some(folder) = self.path.parent() {
            File::open(folder)?.sync_all()?;
        }
        self.length = fs::metadata(&self.path)?.len();
        Ok(())
    }
}

fn incompatible(found: &Header, wanted: &Header) -> PortError {
    let text = format!(
        "the index holds vectors of {} ({} dimensions), the configured model is {} ({} dimensions); run `cairn reindex`",
        found.model, found.dimension, wanted.model, wanted.dimension
    );
    PortError::new(ErrorKind::Incompatible, "vectors: open", text)
}

fn header_line(header: &Header) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(header)?;
    line.push(b'\n');
    Ok(line)
}

/// Length, checksum, then: sequence number, and per element its id, its number of chunks, and per chunk scale and values.
/// All numbers little-endian.
fn frame(batch: &Batch, seq: Seq) -> Vec<u8> {
    let mut content = Vec::new();
    content.extend_from_slice(&seq.to_le_bytes());
    for (id, chunks) in batch {
        content.extend_from_slice(&(id.len() as u32).to_le_bytes());
        content.extend_from_slice(id.as_bytes());
        content.extend_from_slice(&(chunks.len() as u32).to_le_bytes());
        for chunk in chunks {
            content.extend_from_slice(&chunk.scale.to_le_bytes());
            content.extend(chunk.values.iter().map(|value| value.cast_unsigned()));
        }
    }
    let mut frame = Vec::with_capacity(content.len() + 16);
    frame.extend_from_slice(&(content.len() as u32).to_le_bytes());
    frame.extend_from_slice(&checksum(&content));
    frame.extend_from_slice(&content);
    frame
}

fn checksum(content: &[u8]) -> [u8; CHECKSUM_BYTES] {
    let mut checksum = [0; CHECKSUM_BYTES];
    checksum.iter_mut().zip(Sha256::digest(content)).for_each(|(byte, digest)| *byte = digest);
    checksum
}

type Frame = (Seq, Vec<(String, Vec<Code>)>);

/// Takes the next frame off `bytes`; where there is no whole one, `bytes` stays as it is.
fn read_frame(bytes: &mut &[u8], dimension: usize) -> Option<Frame> {
    let mut rest = *bytes;
    let length = u32::from_le_bytes(take(&mut rest)?) as usize;
    let expected: [u8; CHECKSUM_BYTES] = take(&mut rest)?;
    let (mut content, after) = rest.split_at_checked(length)?;
    if checksum(content) != expected {
        return None;
    }
    let seq = Seq::from_le_bytes(take(&mut content)?);
    let mut batch = Vec::new();
    while !content.is_empty() {
        let id_length = u32::from_le_bytes(take(&mut content)?) as usize;
        let (id, after_id) = content.split_at_checked(id_length)?;
        content = after_id;
        let count = u32::from_le_bytes(take(&mut content)?);
        let mut chunks = Vec::new();
        for _ in 0..count {
            let scale = f32::from_le_bytes(take(&mut content)?);
            let (values, after_values) = content.split_at_checked(dimension)?;
            content = after_values;
            chunks.push(Code { values: values.iter().map(|byte| byte.cast_signed()).collect(), scale });
        }
        batch.push((String::from_utf8(id.to_vec()).ok()?, chunks));
    }
    *bytes = after;
    Some((seq, batch))
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let mut taken = [0; N];
    bytes.read_exact(&mut taken).ok()?;
    Some(taken)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(name: &str, dimension: usize) -> ModelIdentity {
        ModelIdentity { name: name.to_owned(), dimension }
    }

    fn batch(ids: &[&str]) -> Vec<(String, Vec<Code>)> {
        ids.iter().map(|id| ((*id).to_owned(), vec![Code::of(&[0.6, -0.8]), Code::of(&[1.0, 0.0])])).collect()
    }

    fn ids(vectors: &Vectors) -> Vec<String> {
        vectors.elements().map(|(id, _)| id.to_owned()).collect()
    }

    #[test]
    fn every_cut_of_the_file_leaves_whole_batches() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("vectors");
        let model = model("m", 2);
        let (mut log, _, _) = VectorLog::open(&path, &model).unwrap();
        log.append(&batch(&["a", "b"]), 2).unwrap();
        let after_first = fs::metadata(&path).unwrap().len();
        log.append(&batch(&["c"]), 3).unwrap();
        let whole = fs::read(&path).unwrap();
        for length in 0..whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            let (mut log, vectors, seq) = VectorLog::open(&path, &model).unwrap();
            let first_is_there = length as u64 >= after_first;
            assert_eq!(seq, if first_is_there { 2 } else { 0 }, "cut at {length}");
            assert_eq!(ids(&vectors).len(), if first_is_there { 2 } else { 0 });
            log.append(&batch(&["d"]), 9).unwrap();
            let (_, vectors, seq) = VectorLog::open(&path, &model).unwrap();
            assert_eq!((seq, ids(&vectors).last().map(String::as_str)), (9, Some("d")), "cut at {length}");
        }
        let mut damaged = whole.clone();
        let last = damaged.len() - 1;
        damaged[last] ^= 1;
        fs::write(&path, damaged).unwrap();
        assert_eq!(VectorLog::open(&path, &model).unwrap().2, 2);
    }

    #[test]
    fn a_rewritten_file_holds_the_same_vectors() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("vectors");
        let (mut log, mut vectors, _) = VectorLog::open(&path, &model("m", 2)).unwrap();
        let many: Vec<String> = (0..2_500).map(|number| format!("e{number}")).collect();
        for (id, chunks) in batch(&many.iter().map(String::as_str).collect::<Vec<_>>()) {
            vectors.put(&id, &chunks, None);
        }
        vectors.remove("e7");
        log.rewrite(&vectors, 41).unwrap();
        log.append(&[("e8".to_owned(), Vec::new())], 42).unwrap();
        let (_, read, seq) = VectorLog::open(&path, &model("m", 2)).unwrap();
        vectors.remove("e8");
        assert_eq!(seq, 42);
        assert_eq!(ids(&read), ids(&vectors));
        assert!(read.elements().all(|(_, chunks)| chunks == batch(&["x"])[0].1));
    }

    #[test]
    fn another_model_is_refused_with_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("vectors");
        VectorLog::open(&path, &model("m", 2)).unwrap().0.append(&batch(&["a"]), 1).unwrap();
        for other in [model("n", 2), model("m", 3)] {
            let error = VectorLog::open(&path, &other).err().unwrap();
            assert_eq!(error.kind, ErrorKind::Incompatible);
            assert!(error.source.to_string().contains("cairn reindex"), "{}", error.source);
        }
    }
}
