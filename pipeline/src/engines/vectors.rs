//! Nearest neighbours by an exact scan over quantised vectors: true recall at a few milliseconds a hundred thousand vectors.

pub mod code;
pub mod log;

use std::{collections::HashMap, sync::Arc};

use rayon::prelude::*;

use crate::engines::attributes::{Attributes, best::Best, row_set::RowSet};
use code::{Code, Question};

/// From this many vectors on a scan is shared among the cores: below, handing it out costs more than it saves, and under load
/// the cores are busy with other requests anyway.
const PARALLEL_FROM: usize = 40_000;
/// Elements a task of a parallel scan.
const TASK: usize = 4_096;

/// An element that has vectors but is not (or not yet) public.
const NO_ROW: u32 = u32::MAX;

/// The vectors of all elements, those of one element side by side.
pub struct Vectors {
    dimension: usize,
    codes: Vec<i8>,
    scales: Vec<f32>,
    spans: Vec<Span>,
    /// Where an element's span is.
    places: HashMap<Arc<str>, usize>,
    /// Vectors in spans that were replaced or removed.
    dead: usize,
}

struct Span {
    id: Arc<str>,
    row: u32,
    first: usize,
    /// None once it was replaced or removed.
    count: usize,
}

impl Vectors {
    pub fn new(dimension: usize) -> Self {
        Self { dimension, codes: Vec::new(), scales: Vec::new(), spans: Vec::new(), places: HashMap::new(), dead: 0 }
    }

    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// Puts an element's vectors in place of those it had. Without chunks it has none. `row` is where the element is public.
    pub fn put(&mut self, id: &str, chunks: &[Code], row: Option<u32>) {
        self.remove(id);
        if chunks.is_empty() {
            return;
        }
        let id: Arc<str> = Arc::from(id);
        self.places.insert(Arc::clone(&id), self.spans.len());
        self.spans.push(Span { id, row: row.unwrap_or(NO_ROW), first: self.scales.len(), count: chunks.len() });
        for chunk in chunks {
            self.codes.extend_from_slice(&chunk.values);
            self.scales.push(chunk.scale);
        }
    }

    pub fn remove(&mut self, id: &str) {
        let Some(place) = self.places.remove(id) else { return };
        if let Some(span) = self.spans.get_mut(place) {
            self.dead += span.count;
            span.count = 0;
        }
        if self.dead > 1_000 && self.dead > self.scales.len() / 4 {
            self.compact();
        }
    }

    /// Tells where an element is public now.
    pub fn place(&mut self, id: &str, row: Option<u32>) {
        if let Some(span) = self.places.get(id).and_then(|place| self.spans.get_mut(*place)) {
            span.row = row.unwrap_or(NO_ROW);
        }
    }

    /// Tells of every element where it is public.
    pub fn place_all(&mut self, row_of: impl Fn(&str) -> Option<u32>) {
        for span in &mut self.spans {
            span.row = row_of(&span.id).unwrap_or(NO_ROW);
        }
    }

    /// Elements with vectors among `rows`.
    pub fn count(&self, rows: &RowSet) -> u64 {
        self.spans.iter().filter(|span| span.count > 0 && rows.contains(span.row)).count() as u64
    }

    /// The nearest elements among `rows` by cosine, each by its best chunk. `vector` has the index's dimension.
    pub fn nearest(&self, vector: &[f32], rows: &RowSet, attributes: &Attributes, limit: usize) -> Vec<(u32, f32)> {
        let question = Question::new(vector);
        let scan = |spans: &[Span]| {
            let mut best = Best::new(attributes, limit);
            for span in spans.iter().filter(|span| span.count > 0 && rows.contains(span.row)) {
                let score = self.best_chunk(span, &question);
                best.push(span.row, score);
            }
            best
        };
        if self.scales.len() < PARALLEL_FROM {
            return scan(&self.spans).finish();
        }
        let best = self.spans.par_chunks(TASK).map(scan).reduce_with(Best::merged);
        best.map(Best::finish).unwrap_or_default()
    }

    fn best_chunk(&self, span: &Span, question: &Question) -> f32 {
        let end = span.first + span.count;
        let codes = self.codes.get(span.first * self.dimension..end * self.dimension).unwrap_or_default();
        let scales = self.scales.get(span.first..end).unwrap_or_default();
        let scores = codes.chunks_exact(self.dimension.max(1)).zip(scales).map(|(code, scale)| question.cosine(code, *scale));
        scores.fold(f32::NEG_INFINITY, f32::max)
    }

    /// The elements with their vectors, in the order they were put.
    pub fn elements(&self) -> impl Iterator<Item = (&str, Vec<Code>)> {
        self.spans.iter().filter(|span| span.count > 0).map(|span| (&*span.id, self.chunks(span)))
    }

    /// Vectors held, those of elements that are not public included.
    pub fn len(&self) -> usize {
        self.scales.len() - self.dead
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn chunks(&self, span: &Span) -> Vec<Code> {
        let vectors = span.first..span.first + span.count;
        vectors
            .map(|at| Code {
                values: self.codes.get(at * self.dimension..(at + 1) * self.dimension).unwrap_or_default().to_vec(),
                scale: self.scales.get(at).copied().unwrap_or_default(),
            })
            .collect()
    }

    fn compact(&mut self) {
        let mut compacted = Self::new(self.dimension);
        compacted.codes.reserve(self.codes.len() - self.dead * self.dimension);
        for span in self.spans.iter().filter(|span| span.count > 0) {
            let row = (span.row != NO_ROW).then_some(span.row);
            compacted.put(&span.id, &self.chunks(span), row);
        }
        *self = compacted;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engines::attributes::Entry,
        model::element::{Element, Kind},
    };

    /// A unit vector that is the same for the same seed.
    fn unit_vector(seed: u64, dimension: usize) -> Vec<f32> {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let values: Vec<f32> = (0..dimension)
            .map(|_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                (state >> 40) as f32 / (1 << 24) as f32 - 0.5
            })
            .collect();
        let length = values.iter().map(|value| value * value).sum::<f32>().sqrt();
        values.into_iter().map(|value| value / length).collect()
    }

    fn attributes(count: u32) -> Attributes {
        let mut attributes = Attributes::default();
        for row in 0..count {
            attributes.put(row, Entry::new(&Element::new(&format!("e{row:06}"), Kind::Dataset, "")));
        }
        attributes
    }

    fn filled(count: u32, dimension: usize) -> Vectors {
        let mut vectors = Vectors::new(dimension);
        for row in 0..count {
            vectors.put(&format!("e{row:06}"), &[Code::of(&unit_vector(u64::from(row) + 1, dimension))], Some(row));
        }
        vectors
    }

    #[test]
    fn agrees_with_floating_point_and_parallel_with_serial() {
        let dimension = 100; // not a multiple of a SIMD register
        let count = PARALLEL_FROM as u32 + 5;
        let (attributes, vectors) = (attributes(count), filled(count, dimension));
        let question = unit_vector(999_999, dimension);
        let found = vectors.nearest(&question, attributes.live(), &attributes, 10);
        let mut exact: Vec<(u32, f32)> = (0..count)
            .map(|row| {
                let vector = unit_vector(u64::from(row) + 1, dimension);
                (row, vector.iter().zip(&question).map(|(a, b)| a * b).sum())
            })
            .collect();
        exact.sort_by(|a, b| b.1.total_cmp(&a.1));
        assert_eq!(found.len(), 10);
        for ((_, score), (_, exact_score)) in found.iter().zip(&exact) {
            assert!((score - exact_score).abs() < 0.005, "{score} {exact_score}");
        }
        assert_eq!(found.first().map(|(row, _)| row), exact.first().map(|(row, _)| row));
    }

    #[test]
    fn replaced_and_removed_vectors_are_gone_and_space_is_taken_back() {
        let dimension = 32;
        let attributes = attributes(3_000);
        let mut vectors = filled(3_000, dimension);
        for row in 0..2_000_u32 {
            vectors.remove(&format!("e{row:06}"));
        }
        assert!(vectors.scales.len() < 2_000, "{} vectors kept", vectors.scales.len());
        assert_eq!(vectors.count(attributes.live()), 1_000);
        let found = vectors.nearest(&unit_vector(2_501, dimension), attributes.live(), &attributes, 5_000);
        assert_eq!(found.len(), 1_000);
        assert_eq!(found.first().map(|(row, _)| *row), Some(2_500));
    }
}
