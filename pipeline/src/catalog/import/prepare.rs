//! From the file to validated elements, without any engine: what runs on the reading thread.

use std::io::BufRead;

use serde_json::{Value, json};

use super::{
    Format, ImportError,
    detect::detect,
    draft::Draft,
    iguide,
    read::{RawRecord, RecordReader},
    stac,
};
use crate::catalog::{
    fault::{Fault, FaultKind},
    validate::{Validated, validate},
};

/// Records looked at to tell the format.
const LOOKED_AT: usize = 1_000;

/// A record ready to be committed, or why it cannot be.
pub(super) struct Prepared {
    pub number: u64,
    pub bytes_read: u64,
    /// The id as far as it could be told, for the report of a refused record.
    pub id: Option<String>,
    pub result: Result<Validated, Vec<Fault>>,
}

/// Reads the whole file and gives each record to `each` until that returns false.
///
/// # Errors
/// A file that cannot be read or is of no format we know.
pub(super) fn prepare(
    source: Box<dyn BufRead + Send>,
    format: Option<Format>,
    contributor: Option<&str>,
    each: &mut dyn FnMut(Prepared) -> bool,
) -> Result<Format, ImportError> {
    let mut records = RecordReader::open(source)?;
    let mut ahead = Vec::new();
    let format = match format {
        Some(format) => format,
        None => recognise(&mut records, &mut ahead)?,
    };
    let mut records = ahead.into_iter().map(Ok).chain(records);
    if format == Format::Iguide {
        prepare_iguide(&mut records, contributor, each)?;
        return Ok(format);
    }
    for record in records {
        let RawRecord { number, bytes_read, value } = record?;
        let drafts = match (value, format) {
            (Err(fault), _) => vec![Err(fault)],
            (Ok(value), Format::Stac) => stac::drafts(value),
            (Ok(Value::Object(record)), _) => vec![Ok(Draft { record, faults: Vec::new() })],
            (Ok(_), _) => vec![Err(Fault::new(FaultKind::NotAnObject, "", "a record is a JSON object"))],
        };
        for draft in drafts {
            if !each(prepared(number, bytes_read, draft, contributor)) {
                return Ok(format);
            }
        }
    }
    Ok(format)
}

/// I-GUIDE's edges need all resources at once; its files are small.
fn prepare_iguide(
    records: &mut dyn Iterator<Item = Result<RawRecord, ImportError>>,
    contributor: Option<&str>,
    each: &mut dyn FnMut(Prepared) -> bool,
) -> Result<(), ImportError> {
    let (mut places, mut values) = (Vec::new(), Vec::new());
    for record in records {
        let RawRecord { number, bytes_read, value } = record?;
        match value {
            Ok(value) => {
                places.push((number, bytes_read));
                values.push(value);
            }
            Err(fault) => {
                if !each(prepared(number, bytes_read, Err(fault), contributor)) {
                    return Ok(());
                }
            }
        }
    }
    for ((number, bytes_read), draft) in places.into_iter().zip(iguide::drafts(values)) {
        if !each(prepared(number, bytes_read, draft, contributor)) {
            return Ok(());
        }
    }
    Ok(())
}

fn prepared(number: u64, bytes_read: u64, draft: Result<Draft, Fault>, contributor: Option<&str>) -> Prepared {
    let Draft { mut record, faults } = match draft {
        Ok(draft) => draft,
        Err(fault) => return Prepared { number, bytes_read, id: None, result: Err(vec![fault]) },
    };
    let id = record.get("id").and_then(Value::as_str).map(|id| id.chars().take(200).collect());
    if let (Some(name), false) = (contributor, record.contains_key("contributor")) {
        record.insert("contributor".to_owned(), json!({"name": name}));
    }
    let result = match validate(Value::Object(record)) {
        Ok(mut validated) => {
            validated.warnings.splice(0..0, faults);
            Ok(validated)
        }
        Err(errors) => Err(errors),
    };
    Prepared { number, bytes_read, id, result }
}

/// The format of the first record that has one; the records read for it are put into `ahead`.
fn recognise(records: &mut RecordReader, ahead: &mut Vec<RawRecord>) -> Result<Format, ImportError> {
    let mut seen = None;
    for record in records.take(LOOKED_AT) {
        let record = record?;
        let format = record.value.as_ref().ok().and_then(detect);
        if let (None, Ok(value)) = (&seen, &record.value) {
            seen = Some(describe(value));
        }
        ahead.push(record);
        if let Some(format) = format {
            return Ok(format);
        }
    }
    let found = seen.unwrap_or_else(|| "no records".to_owned());
    Err(ImportError::Unrecognised(format!(
        "the file holds {found}, which is neither an element (kind, title), an I-GUIDE resource (_id, resource-type) nor STAC (stac_version); \
         name the format if it is one of them"
    )))
}

fn describe(value: &Value) -> String {
    let names = |map: &serde_json::Map<String, Value>| {
        let names: Vec<String> = map.keys().take(6).map(|name| name.chars().take(40).collect()).collect();
        names.join(", ")
    };
    match value {
        Value::Object(map) if map.is_empty() => "an object without fields".to_owned(),
        Value::Object(map) => format!("an object with {}", names(map)),
        other => crate::catalog::validate::fields::type_name(other).to_owned(),
    }
}
