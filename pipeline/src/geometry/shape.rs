use geo::{BoundingRect, Coord, Geometry, LineString, Point, Polygon, Rect};

use super::read;
use crate::model::{bbox::BBox, element::Spatial, place::Area, problem::FieldError};

/// A footprint or an area, ready for exact relations.
///
/// A box (also a polygon that is one) is kept as a box, so that the common case costs a few comparisons.
#[derive(Clone, Debug)]
pub struct Shape {
    bbox: BBox,
    form: Form,
}

#[derive(Clone, Debug)]
pub(super) enum Form {
    Rectangle,
    Pieces(Vec<Piece>),
}

/// A connected part within −180..=180: a point, a line or a polygon.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub geometry: Geometry<f64>,
    pub rect: Rect<f64>,
}

impl Piece {
    pub fn new(geometry: Geometry<f64>) -> Option<Self> {
        let rect = geometry.bounding_rect()?;
        Some(Self { geometry, rect })
    }

    fn bbox(&self) -> Option<BBox> {
        BBox::new(self.rect.min().x, self.rect.min().y, self.rect.max().x, self.rect.max().y).ok()
    }
}

impl Shape {
    pub fn from_bbox(bbox: BBox) -> Self {
        Self { bbox, form: Form::Rectangle }
    }

    /// Reads the area as [`super::read_geometry`] does, so that an area drawn across the antimeridian or with a ring left open is
    /// what was meant.
    ///
    /// # Errors
    /// A geometry that cannot be read, field `geometry`.
    pub fn from_area(area: &Area) -> Result<Self, FieldError> {
        match area {
            Area::Box(bbox) => Ok(Self::from_bbox(*bbox)),
            Area::Geometry(geometry) => {
                let reading = read::read(geometry)?;
                Ok(Self::from_pieces(reading.bbox, reading.pieces))
            }
        }
    }

    /// The geometry where there is one that can be read, the box otherwise; `None` without either.
    pub fn from_spatial(spatial: &Spatial) -> Option<Self> {
        let exact = spatial.geometry.as_ref().and_then(|geometry| read::read(geometry).ok());
        match exact {
            Some(reading) => Some(Self::from_pieces(reading.bbox, reading.pieces)),
            None => spatial.bbox.map(Self::from_bbox),
        }
    }

    /// `bbox` must be that of the pieces.
    fn from_pieces(bbox: BBox, geometries: Vec<Geometry<f64>>) -> Self {
        let form = if fill_the_box(&geometries, &bbox) {
            Form::Rectangle
        } else {
            Form::Pieces(geometries.into_iter().filter_map(Piece::new).collect())
        };
        Self { bbox, form }
    }

    /// West > east where the shape crosses the antimeridian.
    pub fn bbox(&self) -> BBox {
        self.bbox
    }

    /// Whether the shape is its box, so that boxes alone decide its relations to boxes.
    pub fn is_box(&self) -> bool {
        matches!(self.form, Form::Rectangle)
    }

    /// The connected parts of a shape that is not a box, each within −180..=180; none of a box.
    pub fn parts(&self) -> impl Iterator<Item = &Geometry<f64>> {
        let pieces = match &self.form {
            Form::Pieces(pieces) => pieces.as_slice(),
            Form::Rectangle => &[],
        };
        pieces.iter().map(|piece| &piece.geometry)
    }

    pub(super) fn form(&self) -> &Form {
        &self.form
    }

    /// The pieces of a box too.
    pub(super) fn pieces(&self) -> Vec<Piece> {
        match &self.form {
            Form::Pieces(pieces) => pieces.clone(),
            Form::Rectangle => self.bbox.split().iter().filter_map(|part| Piece::new(box_geometry(part))).collect(),
        }
    }

    pub(super) fn piece_boxes(&self) -> Vec<BBox> {
        match &self.form {
            Form::Pieces(pieces) => pieces.iter().filter_map(Piece::bbox).collect(),
            Form::Rectangle => vec![self.bbox],
        }
    }
}

/// A box that does not cross the antimeridian: a polygon, or the line or point it has shrunk to.
fn box_geometry(part: &BBox) -> Geometry<f64> {
    let (low, high) = (Coord { x: part.west(), y: part.south() }, Coord { x: part.east(), y: part.north() });
    match (part.width() == 0.0, part.height() == 0.0) {
        (true, true) => Geometry::Point(Point::from(low)),
        (false, false) => Geometry::Polygon(Rect::new(low, high).to_polygon()),
        _ => Geometry::LineString(LineString::from(vec![low, high])),
    }
}

/// Whether the pieces are exactly the box, in one part or the two of a box across the antimeridian.
fn fill_the_box(pieces: &[Geometry<f64>], bbox: &BBox) -> bool {
    let parts = bbox.split();
    pieces.len() == parts.len()
        && pieces.iter().all(|piece| match piece {
            Geometry::Polygon(polygon) => {
                is_rectangle(polygon) && parts.iter().any(|part| polygon.bounding_rect() == Some(rect_of(part)))
            }
            Geometry::Point(_) => true,
            _ => false,
        })
}

fn rect_of(part: &BBox) -> Rect<f64> {
    Rect::new(Coord { x: part.west(), y: part.south() }, Coord { x: part.east(), y: part.north() })
}

/// Four corners at the four corners of its bounding rectangle, no hole.
pub(super) fn is_rectangle(polygon: &Polygon<f64>) -> bool {
    let Some(rect) = polygon.bounding_rect() else { return false };
    let at_corner = |corner: &Coord<f64>| {
        (corner.x == rect.min().x || corner.x == rect.max().x) && (corner.y == rect.min().y || corner.y == rect.max().y)
    };
    let corners = &polygon.exterior().0;
    let sides_are_straight = corners.windows(2).all(|side| matches!(side, [a, b] if (a.x == b.x) != (a.y == b.y)));
    polygon.interiors().is_empty() && corners.len() == 5 && corners.iter().all(at_corner) && sides_are_straight
}

/// The smallest box around pieces of −180..=180: it leaves out the widest gap between them, and crosses the antimeridian when that
/// gap lies elsewhere.
pub(super) fn bbox_of(pieces: &[Geometry<f64>]) -> Option<BBox> {
    let mut spans: Vec<Rect<f64>> = pieces.iter().filter_map(BoundingRect::bounding_rect).collect();
    spans.sort_by(|a, b| a.min().x.total_cmp(&b.min().x));
    let south = spans.iter().map(|span| span.min().y).reduce(f64::min)?;
    let north = spans.iter().map(|span| span.max().y).reduce(f64::max)?;
    let west = spans.first()?.min().x;
    let mut reach = west;
    let mut widest_inner: Option<(f64, f64)> = None;
    for span in &spans {
        let gap = span.min().x - reach;
        if gap > 0.0 && widest_inner.is_none_or(|(from, to)| gap > to - from) {
            widest_inner = Some((reach, span.min().x));
        }
        reach = reach.max(span.max().x);
    }
    let gap_at_the_antimeridian = west + 360.0 - reach;
    match widest_inner {
        Some((from, to)) if to - from > gap_at_the_antimeridian => BBox::new(to, south, from, north).ok(),
        _ => BBox::new(west, south, reach, north).ok(),
    }
}
