//! A catalogue of any size made from real collections: repeated, with varied words, places, people and vectors.

use std::path::Path;

use anyhow::{Result, anyhow};
use pipeline::model::{
    bbox::BBox,
    element::{Author, Element, ElementId, Kind, Person, Spatial},
    query::{Method, SearchQuery},
};

use crate::embedded::Embedded;

const PEOPLE: usize = 400;
const GIVEN: [&str; 20] = [
    "Ana", "Bo", "Chidi", "Dana", "Emre", "Fatou", "Goran", "Hana", "Ivo", "Jun", "Kaja", "Luis", "Mina", "Noor", "Olga",
    "Pavel", "Qi", "Rosa", "Sami", "Tala",
];
const FAMILY: [&str; 20] = [
    "Abara", "Brandt", "Costa", "Dvorak", "Eriksen", "Ferrari", "Garcia", "Haddad", "Ito", "Jansen", "Kovacs", "Larsen",
    "Moreau", "Nguyen", "Okafor", "Petrov", "Quispe", "Rossi", "Silva", "Tanaka",
];

pub struct Base {
    elements: Vec<(Element, Vec<f32>)>,
}

/// Imports the collections as a user would, and embeds each once.
pub async fn read(collections: &Path) -> Result<Base> {
    let folder = tempfile::tempdir()?;
    let embedded = Embedded::open(folder.path()).await?;
    embedded.import(collections).await?;
    let elements = embedded.services.records.page(None, usize::MAX >> 1).await?;
    anyhow::ensure!(!elements.is_empty(), "{} holds no collections", collections.display());
    let embedder = embedded.services.embedder.as_ref().map_err(|reason| anyhow!("the embedding model is needed: {reason}"))?;
    let texts: Vec<String> = elements.iter().map(pipeline::catalog::projection::embedding_text).collect();
    let vectors = embedder.embed(&texts).await?;
    Ok(Base { elements: elements.into_iter().zip(vectors).collect() })
}

impl Base {
    /// The `at`-th element: another one's title words mixed in, a shifted box, people of a fixed set, a vector nearby.
    pub fn vary(&self, at: usize) -> (Element, Vec<f32>) {
        let mut random = Random(at as u64);
        let count = self.elements.len();
        let (base, vector) = self.get(at % count);
        let (other, _) = self.get(random.below(count));
        let mut element = base.clone();
        element.id = ElementId(format!("{}-{at}", base.id));
        element.kind = Kind::ALL.get(random.below(12)).copied().unwrap_or(Kind::Dataset);
        let own: Vec<&str> = base.title.split_whitespace().collect();
        let mixed: Vec<&str> = other.title.split_whitespace().take(2).chain(own.iter().copied()).collect();
        element.title = mixed.join(" ");
        element.description = format!("{}\n\n{}", base.description, other.title);
        element.doi = None;
        element.links.clear();
        element.authors = vec![Author { name: person(random.below(PEOPLE)), orcid: None }];
        element.contributor = Some(Person { name: person(random.below(PEOPLE / 8)) });
        element.click_count = random.below(500) as u64;
        element.spatial = varied_footprint(base, &mut random);
        (element, nearby(vector, &mut random))
    }

    fn get(&self, at: usize) -> &(Element, Vec<f32>) {
        // `at` is always taken modulo the length, which is not zero
        self.elements.get(at).unwrap_or_else(|| unreachable!("an index beyond the base"))
    }

    /// Query strings that every method answers: words of real titles, a person, a box.
    pub fn queries(&self, seed: u64, count: usize) -> Vec<String> {
        let mut random = Random(seed.wrapping_add(77));
        (0..count)
            .map(|_| {
                let (element, _) = self.get(random.below(self.elements.len()));
                let words: Vec<&str> = element.title.split_whitespace().filter(|word| word.len() > 3).collect();
                let topic: Vec<&str> = (0..3).filter_map(|_| words.get(random.below(words.len().max(1))).copied()).collect();
                let (west, south) = (random.between(-180.0, 120.0), random.between(-80.0, 40.0));
                let bbox = BBox::new(west, south, west + random.between(5.0, 60.0), south + random.between(5.0, 40.0)).ok();
                let mut query = SearchQuery {
                    q: format!("{} by {}", topic.join(" "), person(random.below(PEOPLE))),
                    ..SearchQuery::default()
                };
                query.methods = Method::ALL.to_vec();
                let mut text = query.to_query_string();
                if let Some(bbox) = bbox {
                    text.push_str(&format!("&bbox={bbox}"));
                }
                text
            })
            .collect()
    }
}

fn person(at: usize) -> String {
    let given = GIVEN.get(at % GIVEN.len()).copied().unwrap_or_default();
    let family = FAMILY.get(at / GIVEN.len() % FAMILY.len()).copied().unwrap_or_default();
    format!("{given} {family}")
}

/// A third keeps what it has (mostly the whole world), the rest get a box somewhere.
fn varied_footprint(base: &Element, random: &mut Random) -> Option<Spatial> {
    if random.below(3) == 0 {
        return base.spatial.clone();
    }
    let (west, south) = (random.between(-180.0, 180.0), random.between(-85.0, 70.0));
    let (width, height) = (random.between(0.2, 40.0), random.between(0.2, 15.0));
    let bbox = BBox::new(west, south, west + width, south + height).ok();
    Some(Spatial { geometry: None, bbox, places: Vec::new() })
}

fn nearby(vector: &[f32], random: &mut Random) -> Vec<f32> {
    let noisy: Vec<f32> = vector.iter().map(|value| value + random.between(-0.03, 0.03) as f32).collect();
    let norm = noisy.iter().map(|value| value * value).sum::<f32>().sqrt();
    noisy.into_iter().map(|value| value / norm).collect()
}

/// SplitMix64: the same numbers on every run. Source: Steele, Lea, Flood (2014), "Fast splittable pseudorandom number generators".
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}
