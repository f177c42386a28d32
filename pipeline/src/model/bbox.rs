//! A box on the globe that knows the antimeridian.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::problem::FieldError;

/// Beyond this a number is degrees no more: one and a half turns leave room for every way to write a longitude.
const MOST_DEGREES: f64 = 540.0;
/// Fill values such as 1e20 or 9.96e36 mark what is missing in netCDF files.
const FILL_VALUE: f64 = 1e15;

/// West, south, east, north in degrees (WGS 84). West > east crosses the antimeridian. Latitudes lie in −90..=90,
/// longitudes in −180..=180: the constructors see to it. On the wire: `[west, south, east, north]`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "[f64; 4]", into = "[f64; 4]")]
pub struct BBox {
    west: f64,
    south: f64,
    east: f64,
    north: f64,
}

impl BBox {
    pub const WORLD: Self = Self { west: -180.0, south: -90.0, east: 180.0, north: 90.0 };

    /// Longitudes beyond ±180 are normalised; a width of 360 or more is the whole parallel.
    ///
    /// # Errors
    /// Not finite, |latitude| > 90 (with a hint that the order looks swapped), or south > north.
    pub fn new(west: f64, south: f64, east: f64, north: f64) -> Result<Self, FieldError> {
        let fault = |message: String| Err(FieldError::new("bbox", message));
        if ![west, south, east, north].iter().all(|value| value.is_finite()) {
            return fault("every number of a box must be finite".to_owned());
        }
        if [west, south, east, north].iter().any(|value| value.abs() >= FILL_VALUE) {
            return fault(
                "a number of the box is a fill value, not a coordinate; leave the box out where there is none".to_owned(),
            );
        }
        if [west, south, east, north].iter().any(|value| value.abs() > MOST_DEGREES) {
            return fault(format!(
                "{west},{south},{east},{north} are not degrees: this looks like a box in a projected CRS; give longitudes and latitudes in WGS 84"
            ));
        }
        if south.abs() > 90.0 || north.abs() > 90.0 {
            let swapped = west.abs() <= 90.0 && east.abs() <= 90.0;
            let hint = if swapped { "; the order looks swapped, it is west,south,east,north" } else { "" };
            return fault(format!("latitudes lie between -90 and 90, got {south} and {north}{hint}"));
        }
        if south > north {
            return fault(format!("south ({south}) is north of north ({north}); the order is west,south,east,north"));
        }
        if east - west >= 360.0 {
            return Ok(Self { west: -180.0, south, east: 180.0, north });
        }
        let (mut west, mut east) = (normalise_longitude(west), normalise_longitude(east));
        // A box that only touches the antimeridian is written on its own side of it.
        if west == 180.0 && east < 180.0 {
            west = -180.0;
        } else if east == -180.0 && west > -180.0 {
            east = 180.0;
        }
        Ok(Self { west, south, east, north })
    }

    pub fn point(longitude: f64, latitude: f64) -> Result<Self, FieldError> {
        Self::new(longitude, latitude, longitude, latitude)
    }

    pub fn west(&self) -> f64 {
        self.west
    }

    pub fn south(&self) -> f64 {
        self.south
    }

    pub fn east(&self) -> f64 {
        self.east
    }

    pub fn north(&self) -> f64 {
        self.north
    }

    pub fn crosses_antimeridian(&self) -> bool {
        self.west > self.east
    }

    /// One box, or two that do not cross the antimeridian: what a planar engine can take.
    pub fn split(&self) -> Vec<Self> {
        if !self.crosses_antimeridian() {
            return vec![*self];
        }
        vec![Self { east: 180.0, ..*self }, Self { west: -180.0, ..*self }]
    }

    /// Degrees of longitude covered, 0..=360.
    pub fn width(&self) -> f64 {
        if self.crosses_antimeridian() { 360.0 - self.west + self.east } else { self.east - self.west }
    }

    pub fn height(&self) -> f64 {
        self.north - self.south
    }

    /// Longitude and latitude of the middle; right over the antimeridian too.
    pub fn centre(&self) -> (f64, f64) {
        (normalise_longitude(self.west + self.width() / 2.0), f64::midpoint(self.south, self.north))
    }

    /// Area on the unit sphere in steradians: Δλ · (sin φ₂ − sin φ₁).
    pub fn area(&self) -> f64 {
        self.width().to_radians() * (self.north.to_radians().sin() - self.south.to_radians().sin())
    }

    /// Edges are inside; −180 and 180 are one meridian, a pole is one point whatever its longitude.
    pub fn contains_point(&self, longitude: f64, latitude: f64) -> bool {
        if (latitude == 90.0 && self.north == 90.0) || (latitude == -90.0 && self.south == -90.0) {
            return true;
        }
        let longitude = normalise_longitude(longitude);
        let inside_longitude = if self.crosses_antimeridian() {
            longitude >= self.west || longitude <= self.east
        } else {
            // −180 and 180 are the same meridian
            (self.west..=self.east).contains(&longitude)
                || (longitude.abs() == 180.0 && (self.west == -180.0 || self.east == 180.0))
        };
        inside_longitude && (self.south..=self.north).contains(&latitude)
    }

    /// A shared edge, corner or pole is enough.
    pub fn intersects(&self, other: &Self) -> bool {
        if (self.north == 90.0 && other.north == 90.0) || (self.south == -90.0 && other.south == -90.0) {
            return true;
        }
        self.split().iter().any(|a| {
            other.split().iter().any(|b| {
                let touches_antimeridian = (a.east == 180.0 && b.west == -180.0) || (a.west == -180.0 && b.east == 180.0);
                let longitudes = (a.west <= b.east && b.west <= a.east) || touches_antimeridian;
                longitudes && a.south <= b.north && b.south <= a.north
            })
        })
    }

    /// Every point of `other` lies in this box, edges included.
    pub fn contains(&self, other: &Self) -> bool {
        if other.south < self.south || other.north > self.north {
            return false;
        }
        let at_a_pole = (other.south == 90.0 && self.north == 90.0) || (other.north == -90.0 && self.south == -90.0);
        if at_a_pole || self.width() >= 360.0 {
            return true;
        }
        let offset = (other.west - self.west).rem_euclid(360.0);
        offset + other.width() <= self.width() + 1e-9
    }

    /// The common part's area in steradians.
    pub fn intersection_area(&self, other: &Self) -> f64 {
        let mut area = 0.0;
        for a in self.split() {
            for b in other.split() {
                let (west, east) = (a.west.max(b.west), a.east.min(b.east));
                let (south, north) = (a.south.max(b.south), a.north.min(b.north));
                if west < east && south < north {
                    area += Self { west, south, east, north }.area();
                }
            }
        }
        area
    }
}

/// −180..=180; both ends are kept as given.
pub fn normalise_longitude(longitude: f64) -> f64 {
    if (-180.0..=180.0).contains(&longitude) { longitude } else { (longitude + 180.0).rem_euclid(360.0) - 180.0 }
}

impl TryFrom<[f64; 4]> for BBox {
    type Error = FieldError;

    fn try_from([west, south, east, north]: [f64; 4]) -> Result<Self, FieldError> {
        Self::new(west, south, east, north)
    }
}

impl From<BBox> for [f64; 4] {
    fn from(bbox: BBox) -> Self {
        [bbox.west, bbox.south, bbox.east, bbox.north]
    }
}

/// `west,south,east,north`, as OGC APIs write it.
impl FromStr for BBox {
    type Err = FieldError;

    fn from_str(text: &str) -> Result<Self, FieldError> {
        let numbers: Result<Vec<f64>, _> = text.split(',').map(|part| part.trim().parse::<f64>()).collect();
        match numbers.as_deref() {
            Ok([west, south, east, north]) => Self::new(*west, *south, *east, *north),
            _ => Err(FieldError::new("bbox", format!("`{text}` is not four numbers west,south,east,north"))),
        }
    }
}

impl std::fmt::Display for BBox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{},{},{},{}", self.west, self.south, self.east, self.north)
    }
}
