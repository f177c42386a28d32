//! An offline gazetteer: Natural Earth's countries, regions, waters and landscapes and GeoNames' cities, built into the program.

mod context;
mod data;
mod meaning;
mod names;
mod ordinary;
mod rank;
mod scan;

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;

use self::{context::Context, data::Data, names::readings, scan::Written};
use crate::{
    model::place::Place,
    ports::{
        ErrorKind, Geocoder, PortError, PortResult,
        geocoder::{Mention, PlaceContext},
    },
};

const FILE: &[u8] = include_bytes!("../../data/gazetteer/gazetteer.bin");

/// Longer texts are read up to here: what a text is about shows early.
const MOST_CONTEXT_BYTES: usize = 20_000;
/// Meanings that come with a mention.
const MEANINGS_A_MENTION: usize = 8;

/// Everything is in memory (about 25 MB), unpacked once when opened.
pub struct Gazetteer {
    data: Data,
    /// The last text that names were asked in: usually several are asked of one.
    last_context: Mutex<Option<(String, Arc<Context>)>>,
}

impl Gazetteer {
    /// Takes about a fifth of a second.
    ///
    /// # Errors
    /// `Incompatible` when the file built into the program is damaged.
    pub fn open() -> PortResult<Self> {
        let data = Data::unpack(FILE).map_err(|fault| PortError::new(ErrorKind::Incompatible, "gazetteer: open", fault))?;
        Ok(Self { data, last_context: Mutex::new(None) })
    }

    fn context(&self, text: &str) -> Arc<Context> {
        let text = text.get(..text.floor_char_boundary(MOST_CONTEXT_BYTES)).unwrap_or(text);
        let mut last = self.last_context.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, context)) = last.as_ref()
            && known == text
        {
            return context.clone();
        }
        let context = Arc::new(Context::of(&self.data, text));
        *last = Some((text.to_owned(), context.clone()));
        context
    }

    fn ranked(&self, name: &str, context: &Context, countries: &[String], limit: usize) -> Vec<Place> {
        rank::ranked(&self.data, &readings(name), context, countries, limit)
            .into_iter()
            .filter_map(|candidate| meaning::place(&self.data, candidate.place, candidate.because))
            .collect()
    }
}

#[async_trait]
impl Geocoder for Gazetteer {
    async fn candidates(&self, name: &str, context: &PlaceContext, limit: usize) -> PortResult<Vec<Place>> {
        Ok(self.ranked(name, &self.context(&context.text), &context.countries, limit))
    }

    async fn mentions(&self, text: &str) -> PortResult<Vec<Mention>> {
        let context = self.context(text);
        let mut mentions: Vec<Mention> = Vec::new();
        for span in scan::spans(&self.data, text) {
            let within_last = mentions.last().is_some_and(|last| span.start < last.end);
            if within_last || !scan::is_certain(&self.data, &span) {
                continue;
            }
            let end = if span.written == Written::Capitalised { span.qualified_end } else { span.end };
            let Some(name) = text.get(span.start..end) else { continue };
            let candidates = self.ranked(name, &context, &[], MEANINGS_A_MENTION);
            if !candidates.is_empty() {
                mentions.push(Mention { start: span.start, end, name: name.to_owned(), candidates });
            }
        }
        Ok(mentions)
    }

    async fn place(&self, id: &str) -> PortResult<Option<Place>> {
        let Some(index) = self.data.with_id(id) else { return Ok(None) };
        let place = meaning::place(&self.data, index, "chosen by its id".to_owned());
        Ok(place.map(|place| Place { geometry: self.data.geometry(index), ..place }))
    }
}

#[cfg(test)]
mod tests;
