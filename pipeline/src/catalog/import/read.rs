//! The JSON values of a file one after the other: lines where the file has one value a line, else the one document.

use std::io::{BufRead, Cursor, Read};

use serde_json::Value;

use super::ImportError;
use crate::catalog::fault::{Fault, FaultKind};

/// Longer lines are refused one by one; the rest of the file is read.
const MAX_LINE_BYTES: usize = 32_000_000;
/// A document that is not one value a line has to be read whole.
const MAX_DOCUMENT_BYTES: usize = 500_000_000;
/// How many lines are tried before a file that begins with broken ones is given up.
const LINES_TRIED: usize = 1_000;

/// One value as it stands in the file.
pub(super) struct RawRecord {
    /// The line, or the place in the list of the document, from 1.
    pub number: u64,
    /// How far the file has been read.
    pub bytes_read: u64,
    pub value: Result<Value, Fault>,
}

/// Iterates over the values of a file.
pub(super) struct RecordReader {
    source: Box<dyn BufRead + Send>,
    /// The values of a document, or that of the first line.
    ahead: std::vec::IntoIter<Value>,
    /// Where the value of the first line stands.
    first_line: u64,
    number: u64,
    bytes_read: u64,
    lines_follow: bool,
}

impl RecordReader {
    /// # Errors
    /// A file that cannot be read, is empty, or holds no JSON.
    pub fn open(source: Box<dyn BufRead + Send>) -> Result<Self, ImportError> {
        let mut reader =
            Self { source, ahead: Vec::new().into_iter(), first_line: 0, number: 0, bytes_read: 0, lines_follow: true };
        let mut first = Vec::new();
        while first.iter().all(u8::is_ascii_whitespace) {
            first.clear();
            if reader.line(&mut first, MAX_DOCUMENT_BYTES)? == Line::End {
                return Err(ImportError::Empty);
            }
            if reader.number == 1 && first.starts_with("\u{feff}".as_bytes()) {
                first.drain(..3);
            }
        }
        reader.first_line = reader.number;
        match serde_json::from_slice(&first) {
            Ok(Value::Array(items)) if !reader.more_follows()? => Ok(reader.with_document(items)),
            Ok(value) => {
                reader.ahead = vec![value].into_iter();
                Ok(reader)
            }
            Err(_) => reader.open_document(first),
        }
    }

    fn with_document(mut self, items: Vec<Value>) -> Self {
        self.number = 0;
        self.ahead = items.into_iter();
        self.lines_follow = false;
        self
    }

    /// Whether anything but white space is left; that is passed over.
    fn more_follows(&mut self) -> Result<bool, ImportError> {
        loop {
            let buffer = self.source.fill_buf().map_err(ImportError::Read)?;
            let blank = buffer.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            let is_end = buffer.is_empty();
            let found = blank < buffer.len();
            self.number += buffer.iter().take(blank).filter(|byte| **byte == b'\n').count() as u64;
            self.source.consume(blank);
            self.bytes_read += blank as u64;
            if found || is_end {
                return Ok(found);
            }
        }
    }

    /// The first line is no value: either the file is one document over several lines, or the line is broken.
    fn open_document(mut self, first: Vec<u8>) -> Result<Self, ImportError> {
        let first_line = self.number;
        let mut document = first;
        let limit = u64::try_from(MAX_DOCUMENT_BYTES).unwrap_or(u64::MAX);
        let rest = self.source.by_ref().take(limit).read_to_end(&mut document).map_err(ImportError::Read)?;
        self.bytes_read += rest as u64;
        if rest >= MAX_DOCUMENT_BYTES {
            return Err(ImportError::TooLarge { most: MAX_DOCUMENT_BYTES });
        }
        let error = match serde_json::from_slice(&document) {
            Ok(Value::Array(items)) => return Ok(self.with_document(items)),
            Ok(value) => return Ok(self.with_document(vec![value])),
            Err(error) => error,
        };
        let is_object = |line: &[u8]| serde_json::from_slice::<Value>(line).is_ok_and(|value| value.is_object());
        if !document.split(|byte| *byte == b'\n').take(LINES_TRIED).any(is_object) {
            return Err(ImportError::NotJson(error));
        }
        self.source = Box::new(Cursor::new(document));
        self.number = first_line - 1;
        Ok(self)
    }

    /// Reads one line without its end, at most `limit` bytes of it.
    fn line(&mut self, line: &mut Vec<u8>, limit: usize) -> Result<Line, ImportError> {
        let most = u64::try_from(limit).unwrap_or(u64::MAX);
        let mut read = self.source.by_ref().take(most).read_until(b'\n', line).map_err(ImportError::Read)?;
        if read == 0 {
            return Ok(Line::End);
        }
        self.number += 1;
        let cut = read == limit && line.last() != Some(&b'\n');
        if cut {
            read += self.source.skip_until(b'\n').map_err(ImportError::Read)?;
        }
        self.bytes_read += read as u64;
        Ok(if cut { Line::Cut } else { Line::Whole })
    }
}

#[derive(PartialEq, Eq)]
enum Line {
    Whole,
    Cut,
    End,
}

impl Iterator for RecordReader {
    type Item = Result<RawRecord, ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(value) = self.ahead.next() {
            let number = if self.lines_follow {
                self.first_line
            } else {
                self.number += 1;
                self.number
            };
            return Some(Ok(RawRecord { number, bytes_read: self.bytes_read, value: Ok(value) }));
        }
        if !self.lines_follow {
            return None;
        }
        let mut line = Vec::new();
        loop {
            line.clear();
            let value = match self.line(&mut line, MAX_LINE_BYTES) {
                Err(error) => {
                    self.lines_follow = false;
                    return Some(Err(error));
                }
                Ok(Line::End) => return None,
                Ok(Line::Cut) => {
                    let message = format!("the line is longer than {MAX_LINE_BYTES} bytes");
                    Err(Fault::new(FaultKind::RecordTooLong, "", message))
                }
                Ok(Line::Whole) if line.iter().all(u8::is_ascii_whitespace) => continue,
                Ok(Line::Whole) => serde_json::from_slice(&line).map_err(|error| {
                    let message = format!("this is not JSON: {} at column {}", reason(&error), error.column());
                    Fault::new(FaultKind::NotJson, "", message)
                }),
            };
            return Some(Ok(RawRecord { number: self.number, bytes_read: self.bytes_read, value }));
        }
    }
}

/// The reason alone; serde_json adds line and column to it.
pub(super) fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rfind(" at line ").and_then(|at| text.get(..at)).unwrap_or(&text).to_owned()
}
