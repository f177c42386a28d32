//! What the fields of the search form show. Read from the address without judging it, so that a search that cannot be run
//! comes back as it was typed.

use std::collections::BTreeSet;

use pipeline::model::{bbox::BBox, period::Interval};

use crate::query_string;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FormValues {
    pub q: String,
    pub kinds: BTreeSet<String>,
    pub tags: Vec<String>,
    pub contributors: Vec<String>,
    pub from: String,
    pub to: String,
    pub place: String,
    pub place_id: String,
    pub relation: String,
    /// West, south, east, north.
    pub edges: [String; 4],
    /// GeoJSON, when the area is not a box.
    pub geometry: String,
    pub methods: Vec<String>,
    pub sort: String,
    pub limit: String,
}

impl FormValues {
    pub fn read(search: &str) -> Self {
        let mut values = Self::default();
        for (name, value) in query_string::pairs(search) {
            match name.as_str() {
                "q" => values.q = value,
                "kind" => values.kinds.extend(value.split(',').map(|kind| kind.trim().to_owned())),
                "tag" => values.tags.push(value),
                "contributor" => values.contributors.push(value),
                "from" => values.from = value,
                "to" => values.to = value,
                "datetime" => (values.from, values.to) = ends(&value),
                "place" => values.place = value,
                "place_id" => values.place_id = value,
                "relation" => values.relation = value,
                "bbox" => values.edges = edges(&value),
                "bbox_west" => values.edges[0] = value,
                "bbox_south" => values.edges[1] = value,
                "bbox_east" => values.edges[2] = value,
                "bbox_north" => values.edges[3] = value,
                "geometry" => values.geometry = value,
                "method" => values.methods.push(value),
                "sort" => values.sort = value,
                "limit" => values.limit = value,
                _ => {}
            }
        }
        values
    }
}

fn ends(datetime: &str) -> (String, String) {
    let Ok(interval) = datetime.parse::<Interval>() else { return (datetime.to_owned(), String::new()) };
    let text = |end: Option<pipeline::model::period::PartialDate>| end.map(|date| date.to_string()).unwrap_or_default();
    (text(interval.start()), text(interval.end()))
}

fn edges(bbox: &str) -> [String; 4] {
    match bbox.parse::<BBox>() {
        Ok(bbox) => <[f64; 4]>::from(bbox).map(|edge| edge.to_string()),
        Err(_) => [bbox.to_owned(), String::new(), String::new(), String::new()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_show_what_the_address_says() {
        let values = FormValues::read("?q=sea+ice&kind=dataset,map&datetime=2015/..&bbox=170,-20,-170,0&tag=a&tag=b");
        assert_eq!(values.q, "sea ice");
        assert_eq!(values.kinds, BTreeSet::from(["dataset".to_owned(), "map".to_owned()]));
        assert_eq!((values.from.as_str(), values.to.as_str()), ("2015", ""));
        assert_eq!(values.edges, ["170", "-20", "-170", "0"]);
        assert_eq!(values.tags, ["a", "b"]);
    }

    #[test]
    fn what_cannot_be_read_comes_back_as_typed() {
        let values = FormValues::read("from=soon&bbox=here&bbox_north=91&kind=picture");
        assert_eq!(values.from, "soon");
        assert_eq!(values.edges, ["here", "", "", "91"]);
        assert_eq!(values.kinds, BTreeSet::from(["picture".to_owned()]));
    }
}
