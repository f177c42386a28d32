//! Elements for tests, in one line: `element("lake").title("Lake ice").author("Ada Lovelace").build()`.

use crate::model::{
    bbox::BBox,
    element::{Author, Element, ElementId, Kind, Person, Related, RelatedRel, Spatial, Visibility},
    period::Period,
};

/// A public dataset whose title is its id.
pub fn element(id: &str) -> ElementBuilder {
    ElementBuilder(Element::new(id, Kind::Dataset, id))
}

#[derive(Clone, Debug)]
pub struct ElementBuilder(Element);

impl ElementBuilder {
    pub fn kind(mut self, kind: Kind) -> Self {
        self.0.kind = kind;
        self
    }

    pub fn title(mut self, title: &str) -> Self {
        self.0.title = title.to_owned();
        self
    }

    pub fn description(mut self, markdown: &str) -> Self {
        self.0.description = markdown.to_owned();
        self
    }

    pub fn author(mut self, name: &str) -> Self {
        self.0.authors.push(Author { name: name.to_owned(), orcid: None });
        self
    }

    pub fn contributor(mut self, name: &str) -> Self {
        self.0.contributor = Some(Person { name: name.to_owned() });
        self
    }

    pub fn bookmarked_by(mut self, name: &str) -> Self {
        self.0.bookmarked_by.push(Person { name: name.to_owned() });
        self
    }

    pub fn tag(mut self, tag: &str) -> Self {
        self.0.tags.push(tag.to_owned());
        self
    }

    pub fn doi(mut self, doi: &str) -> Self {
        self.0.doi = Some(doi.to_owned());
        self
    }

    pub fn language(mut self, tag: &str) -> Self {
        self.0.language = Some(tag.to_owned());
        self
    }

    pub fn related(mut self, rel: RelatedRel, id: &str) -> Self {
        self.0.related.push(Related { rel, id: ElementId::from(id) });
        self
    }

    /// West, south, east, north.
    ///
    /// # Panics
    /// Not a box.
    pub fn bbox(mut self, west: f64, south: f64, east: f64, north: f64) -> Self {
        let bbox = BBox::new(west, south, east, north).unwrap();
        self.0.spatial.get_or_insert_with(Spatial::default).bbox = Some(bbox);
        self
    }

    pub fn place(mut self, name: &str) -> Self {
        self.0.spatial.get_or_insert_with(Spatial::default).places.push(name.to_owned());
        self
    }

    /// Dates as on the wire; an empty one is open.
    ///
    /// # Panics
    /// Not a date.
    pub fn period(mut self, start: &str, end: &str) -> Self {
        let date = |text: &str| if text.is_empty() { None } else { Some(text.parse().unwrap()) };
        self.0.temporal = Some(Period { start: date(start), end: date(end), text: None });
        self
    }

    pub fn clicks(mut self, click_count: u64) -> Self {
        self.0.click_count = click_count;
        self
    }

    pub fn created(mut self, moment: &str) -> Self {
        self.0.created = Some(moment.to_owned());
        self
    }

    pub fn updated(mut self, moment: &str) -> Self {
        self.0.updated = Some(moment.to_owned());
        self
    }

    pub fn visibility(mut self, visibility: Visibility) -> Self {
        self.0.visibility = visibility;
        self
    }

    pub fn private(self) -> Self {
        self.visibility(Visibility::Private)
    }

    pub fn build(self) -> Element {
        self.0
    }
}

impl From<ElementBuilder> for Element {
    fn from(builder: ElementBuilder) -> Self {
        builder.build()
    }
}
