//! The file of places that is built into the program, written by `scripts/gazetteer.py`.
//!
//! `CAIRNGZ1`, the unpacked length (u32), then zlib: counts of places, areas and names (u32 each) and the sections in the order of
//! [`Data::parse`], each with its length (u32). Integers are little endian; columns are stored byte plane by byte plane. Areas
//! (countries, regions, counties, physical features) come first and have boxes, text ids and perhaps geometry; cities follow, with
//! their GeoNames ids.

use std::io::Read;

use geojson::Geometry;

use crate::model::bbox::BBox;

/// An index of a place within the file.
pub(super) type PlaceIndex = u32;

/// How a name stands to a place; closest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Naming {
    /// Its own name.
    Name,
    /// Another name, also in other languages.
    OtherName,
    /// An abbreviation, or the name without its kind: `Ky.`, `Victoria` for Lake Victoria.
    ShortName,
    /// What its people and things are called: `Georgian`.
    Demonym,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Named {
    pub place: PlaceIndex,
    pub naming: Naming,
}

/// About 20 MB when open.
pub(super) struct Data {
    kinds: Vec<String>,
    countries: Vec<String>,
    names: Lines,
    area_ids: Lines,
    kind: Vec<u8>,
    country: Vec<u16>,
    region: Vec<u16>,
    longitude: Vec<i32>,
    latitude: Vec<i32>,
    population: Vec<u32>,
    city_ids: Vec<u32>,
    boxes: Vec<i32>,
    geometry_starts: Vec<u32>,
    geometries: Vec<u8>,
    /// Folded names in byte order.
    keys: Lines,
    posting_starts: Vec<u32>,
    postings: Vec<u8>,
}

const MAGIC: &[u8] = b"CAIRNGZ1";

impl Data {
    /// # Errors
    /// The file is not one of ours or is damaged.
    pub fn unpack(file: &[u8]) -> Result<Self, &'static str> {
        let rest = file.strip_prefix(MAGIC).ok_or("not a gazetteer file")?;
        let (length, packed) = rest.split_first_chunk::<4>().ok_or("the gazetteer file is cut off")?;
        let mut raw = Vec::with_capacity(u32::from_le_bytes(*length) as usize);
        flate2::read::ZlibDecoder::new(packed).read_to_end(&mut raw).map_err(|_| "the gazetteer file cannot be unpacked")?;
        Self::parse(&raw).ok_or("the gazetteer file is damaged")
    }

    fn parse(raw: &[u8]) -> Option<Self> {
        let mut reader = Sections { rest: raw };
        let (places, areas, names) = (reader.count()?, reader.count()?, reader.count()?);
        let cities = places.checked_sub(areas)?;
        let data = Self {
            kinds: reader.section()?.lines()?,
            countries: reader.section()?.lines()?,
            names: reader.section()?.text(places)?,
            area_ids: reader.section()?.text(areas)?,
            kind: reader.section()?.0.to_vec(),
            country: reader.section()?.column(places, u16::from_le_bytes)?,
            region: reader.section()?.column(places, u16::from_le_bytes)?,
            longitude: reader.section()?.column(places, i32::from_le_bytes)?,
            latitude: reader.section()?.column(places, i32::from_le_bytes)?,
            population: reader.section()?.column(places, u32::from_le_bytes)?,
            city_ids: reader.section()?.column(cities, u32::from_le_bytes)?,
            boxes: reader.section()?.column(areas * 4, i32::from_le_bytes)?,
            geometry_starts: starts(&reader.section()?.column(areas, u32::from_le_bytes)?),
            geometries: reader.section()?.0.to_vec(),
            keys: reader.section()?.text(names)?,
            posting_starts: Vec::new(),
            postings: reader.section()?.0.to_vec(),
        };
        let posting_starts = data.find_posting_starts(names)?;
        (data.kind.len() == places).then_some(Self { posting_starts, ..data })
    }

    fn find_posting_starts(&self, names: usize) -> Option<Vec<u32>> {
        let mut starts = Vec::with_capacity(names);
        let mut at = Varints { bytes: &self.postings };
        for _ in 0..names {
            starts.push((self.postings.len() - at.bytes.len()) as u32);
            for _ in 0..at.next()? {
                at.next()?;
            }
        }
        Some(starts)
    }

    /// What a folded name (see [`super::names::key`]) can mean, in no particular order.
    pub fn named(&self, key: &str) -> Vec<Named> {
        let Some(found) = self.keys.find(key) else { return Vec::new() };
        let start = self.posting_starts.get(found).copied().unwrap_or(u32::MAX) as usize;
        let mut varints = Varints { bytes: self.postings.get(start..).unwrap_or_default() };
        let count = varints.next().unwrap_or(0);
        let naming = |code: u32| match code & 3 {
            0 => Naming::Name,
            1 => Naming::OtherName,
            2 => Naming::ShortName,
            _ => Naming::Demonym,
        };
        (0..count).map_while(|_| varints.next()).map(|code| Named { place: code >> 2, naming: naming(code) }).collect()
    }

    #[cfg(test)]
    pub fn places(&self) -> PlaceIndex {
        self.names.len() as PlaceIndex
    }

    #[cfg(test)]
    pub fn areas(&self) -> PlaceIndex {
        self.area_ids.len() as PlaceIndex
    }

    pub fn name(&self, place: PlaceIndex) -> &str {
        self.names.get(place as usize)
    }

    pub fn kind(&self, place: PlaceIndex) -> &str {
        let code = self.kind.get(place as usize).copied().unwrap_or_default();
        self.kinds.get(usize::from(code)).map_or("", String::as_str)
    }

    /// ISO 3166-1 alpha-2, empty when unknown.
    pub fn country(&self, place: PlaceIndex) -> &str {
        let code = self.country.get(place as usize).copied().unwrap_or_default();
        self.countries.get(usize::from(code)).map_or("", String::as_str)
    }

    /// The first-level region it lies in.
    pub fn region(&self, place: PlaceIndex) -> Option<PlaceIndex> {
        self.region.get(place as usize).and_then(|code| code.checked_sub(1)).map(PlaceIndex::from)
    }

    /// Longitude, latitude.
    pub fn at(&self, place: PlaceIndex) -> [f64; 2] {
        let degrees = |column: &[i32]| f64::from(column.get(place as usize).copied().unwrap_or_default()) / 1e4;
        [degrees(&self.longitude), degrees(&self.latitude)]
    }

    /// 0 when unknown.
    pub fn population(&self, place: PlaceIndex) -> u32 {
        self.population.get(place as usize).copied().unwrap_or_default()
    }

    pub fn id(&self, place: PlaceIndex) -> String {
        match (place as usize).checked_sub(self.area_ids.len()) {
            None => self.area_ids.get(place as usize).to_owned(),
            Some(city) => format!("geonames:{}", self.city_ids.get(city).copied().unwrap_or_default()),
        }
    }

    pub fn with_id(&self, id: &str) -> Option<PlaceIndex> {
        let found = match id.strip_prefix("geonames:") {
            Some(number) => {
                let number: u32 = number.parse().ok()?;
                self.city_ids.iter().position(|city| *city == number)? + self.area_ids.len()
            }
            None => (0..self.area_ids.len()).find(|area| self.area_ids.get(*area) == id)?,
        };
        PlaceIndex::try_from(found).ok()
    }

    /// An area's own box; `None` for a city.
    pub fn area_box(&self, place: PlaceIndex) -> Option<BBox> {
        let start = (place as usize).checked_mul(4)?;
        let edge = |at: usize| self.boxes.get(start + at).map(|value| f64::from(*value) / 1e3);
        BBox::new(edge(0)?, edge(1)?, edge(2)?, edge(3)?).ok()
    }

    /// Simplified to a few kilometres, cut at the antimeridian.
    pub fn geometry(&self, place: PlaceIndex) -> Option<Geometry> {
        let start = *self.geometry_starts.get(place as usize)? as usize;
        let end = self.geometry_starts.get(place as usize + 1).map_or(self.geometries.len(), |next| *next as usize);
        let (form, bytes) = self.geometries.get(start..end)?.split_first()?;
        let mut varints = Varints { bytes };
        let mut parts = Vec::new();
        for _ in 0..varints.next()? {
            let rings: Option<Vec<_>> = (0..varints.next()?).map(|_| varints.line()).collect();
            parts.push(rings?);
        }
        Some(match form {
            1 => Geometry::new_multi_polygon(parts),
            _ => Geometry::new_multi_line_string(parts.into_iter().flatten()),
        })
    }
}

/// Lengths to where each begins.
fn starts(lengths: &[u32]) -> Vec<u32> {
    lengths.iter().scan(0, |sum, length| Some(std::mem::replace(sum, *sum + length))).collect()
}

/// Texts, one a line, found by number, or by value where they are in byte order.
struct Lines {
    text: String,
    starts: Vec<u32>,
}

impl Lines {
    fn len(&self) -> usize {
        self.starts.len()
    }

    fn get(&self, line: usize) -> &str {
        let Some(start) = self.starts.get(line) else { return "" };
        let end = self.starts.get(line + 1).map_or(self.text.len(), |next| *next as usize - 1);
        self.text.get(*start as usize..end).unwrap_or_default()
    }

    fn find(&self, wanted: &str) -> Option<usize> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            match self.get(middle).cmp(wanted) {
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }
}

struct Sections<'a> {
    rest: &'a [u8],
}

impl<'a> Sections<'a> {
    fn count(&mut self) -> Option<usize> {
        let (bytes, rest) = self.rest.split_first_chunk::<4>()?;
        self.rest = rest;
        Some(u32::from_le_bytes(*bytes) as usize)
    }

    fn section(&mut self) -> Option<Section<'a>> {
        let length = self.count()?;
        let (section, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(Section(section))
    }
}

struct Section<'a>(&'a [u8]);

impl Section<'_> {
    fn lines(&self) -> Option<Vec<String>> {
        Some(std::str::from_utf8(self.0).ok()?.split('\n').map(str::to_owned).collect())
    }

    fn text(&self, lines: usize) -> Option<Lines> {
        let text = std::str::from_utf8(self.0).ok()?.to_owned();
        let newlines = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at as u32 + 1);
        let starts: Vec<u32> = std::iter::once(0).chain(newlines).collect();
        (starts.len() == lines).then_some(Lines { text, starts })
    }

    fn column<const WIDTH: usize, T>(&self, rows: usize, read: fn([u8; WIDTH]) -> T) -> Option<Vec<T>> {
        (0..rows)
            .map(|row| {
                let mut value = [0; WIDTH];
                for (plane, byte) in value.iter_mut().enumerate() {
                    *byte = *self.0.get(plane * rows + row)?;
                }
                Some(read(value))
            })
            .collect()
    }
}

/// LEB128, as in protocol buffers.
struct Varints<'a> {
    bytes: &'a [u8],
}

impl Varints<'_> {
    fn next(&mut self) -> Option<u32> {
        let mut value = 0;
        for shift in (0..32).step_by(7) {
            let (byte, rest) = self.bytes.split_first()?;
            self.bytes = rest;
            value |= u32::from(byte & 127) << shift;
            if byte & 128 == 0 {
                return Some(value);
            }
        }
        None
    }

    fn signed(&mut self) -> Option<i32> {
        let value = self.next()?;
        Some((value >> 1) as i32 ^ -((value & 1) as i32))
    }

    fn line(&mut self) -> Option<Vec<[f64; 2]>> {
        let (mut x, mut y) = (0, 0);
        (0..self.next()?)
            .map(|_| {
                x += self.signed()?;
                y += self.signed()?;
                Some([f64::from(x) / 100.0, f64::from(y) / 100.0])
            })
            .collect()
    }
}
