//! A search as its query string says it: the same on the page, in the API and in the terminal.

use std::{
    collections::hash_map::DefaultHasher,
    fmt,
    hash::{Hash, Hasher},
    str::FromStr,
};

use geojson::Geometry;
use serde::{Deserialize, Serialize};

use super::{
    bbox::BBox,
    cursor::Cursor,
    element::Kind,
    period::Interval,
    place::{Area, AreaFilter, Relation},
    problem::FieldError,
};

/// Cards a page.
pub const DEFAULT_LIMIT: usize = 20;
/// The most a caller may ask for at once.
pub const MAX_LIMIT: usize = 100;
/// What a question may be long at most, in bytes; longer ones are cut at a word, and the reply says so.
pub const MAX_QUESTION_BYTES: usize = 2_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Method {
    Keyword,
    Semantic,
    Spatial,
    Graph,
}

impl Method {
    pub const ALL: [Self; 4] = [Self::Keyword, Self::Semantic, Self::Spatial, Self::Graph];

    pub fn name(self) -> &'static str {
        match self {
            Self::Keyword => "keyword",
            Self::Semantic => "semantic",
            Self::Spatial => "spatial",
            Self::Graph => "graph",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Method {
    type Err = FieldError;

    fn from_str(text: &str) -> Result<Self, FieldError> {
        Self::ALL.into_iter().find(|method| method.name() == text).ok_or_else(|| {
            FieldError::new("method", format!("`{text}` is not a method; use keyword, semantic, spatial or graph"))
        })
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Sort {
    #[default]
    Relevance,
    /// Most viewed first.
    Popular,
    /// Last updated first.
    Newest,
    Title,
}

impl Sort {
    pub const ALL: [Self; 4] = [Self::Relevance, Self::Popular, Self::Newest, Self::Title];

    pub fn name(self) -> &'static str {
        match self {
            Self::Relevance => "relevance",
            Self::Popular => "popular",
            Self::Newest => "newest",
            Self::Title => "title",
        }
    }
}

impl FromStr for Sort {
    type Err = FieldError;

    fn from_str(text: &str) -> Result<Self, FieldError> {
        Self::ALL
            .into_iter()
            .find(|sort| sort.name() == text)
            .ok_or_else(|| FieldError::new("sort", format!("`{text}` is not an order; use relevance, popular, newest or title")))
    }
}

/// Conditions that hold on every method.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Filter {
    /// Any of them; empty is all.
    pub kinds: Vec<Kind>,
    /// All of them.
    pub tags: Vec<String>,
    /// Any of them, by name.
    pub contributors: Vec<String>,
    pub datetime: Option<Interval>,
    pub area: Option<AreaFilter>,
}

impl Filter {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A search with everything it may say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchQuery {
    /// What is looked for; may be empty to browse.
    pub q: String,
    pub filter: Filter,
    /// A place by name; geocoded into `filter.area` by the search, with the outcome in the reply.
    pub place: Option<String>,
    /// The id of the meaning of `place` a person chose.
    pub place_id: Option<String>,
    /// How footprints must lie to `place`, also used for `filter.area`.
    pub relation: Relation,
    /// Only these methods; empty is all.
    pub methods: Vec<Method>,
    pub sort: Sort,
    pub limit: Option<usize>,
    pub cursor: Option<Cursor>,
}

impl SearchQuery {
    /// Reads the parameters of a query string. Empty values are as good as absent (forms send them); `kind`, `tag`,
    /// `contributor` and `method` repeat; `kind` and `method` may also be comma-separated.
    /// `bbox_west`, `bbox_south`, `bbox_east`, `bbox_north` are the four fields of a form without JavaScript;
    /// `from` and `to` likewise the ends of `datetime`.
    ///
    /// # Errors
    /// Every fault found, by field; an unknown parameter is one.
    pub fn from_pairs<K: AsRef<str>, V: AsRef<str>>(pairs: impl IntoIterator<Item = (K, V)>) -> Result<Self, Vec<FieldError>> {
        let mut query = Self::default();
        let mut errors = Vec::new();
        let mut geometry = None;
        let mut bbox = None;
        let mut edges: [Option<String>; 4] = Default::default();
        let (mut from, mut to) = (None, None);
        for (name, value) in pairs {
            let (name, value) = (name.as_ref(), value.as_ref().trim());
            if value.is_empty() {
                continue;
            }
            let read = match name {
                "q" => {
                    value.clone_into(&mut query.q);
                    Ok(())
                }
                "bbox" => value.parse::<BBox>().map(|value| bbox = Some(value)),
                "geometry" => parse_geometry(value).map(|value| geometry = Some(value)),
                "relation" => value.parse().map(|value| query.relation = value),
                "place" => {
                    query.place = Some(value.to_owned());
                    Ok(())
                }
                "place_id" => {
                    query.place_id = Some(value.to_owned());
                    Ok(())
                }
                "datetime" => value.parse().map(|value| query.filter.datetime = Some(value)),
                "from" => value.parse().map(|value| from = Some(value)),
                "to" => value.parse().map(|value| to = Some(value)),
                "kind" => parse_list(value, &mut query.filter.kinds),
                "method" => parse_list(value, &mut query.methods),
                "tag" => {
                    push_new(&mut query.filter.tags, value.to_owned());
                    Ok(())
                }
                "contributor" => {
                    push_new(&mut query.filter.contributors, value.to_owned());
                    Ok(())
                }
                "sort" => value.parse().map(|value| query.sort = value),
                "limit" => parse_limit(value).map(|value| query.limit = Some(value)),
                "cursor" => Cursor::decode(value).map(|value| query.cursor = Some(value)),
                "bbox_west" | "bbox_south" | "bbox_east" | "bbox_north" => {
                    let at = ["bbox_west", "bbox_south", "bbox_east", "bbox_north"].iter().position(|edge| *edge == name);
                    if let Some(edge) = at.and_then(|at| edges.get_mut(at)) {
                        *edge = Some(value.to_owned());
                    }
                    Ok(())
                }
                other => Err(FieldError::new(other, "is not a parameter of a search")),
            };
            if let Err(error) = read {
                errors.push(error);
            }
        }
        match &edges {
            [None, None, None, None] => {}
            [Some(west), Some(south), Some(east), Some(north)] => match format!("{west},{south},{east},{north}").parse() {
                Ok(value) => bbox = Some(value),
                Err(error) => errors.push(error),
            },
            _ => errors.push(FieldError::new("bbox", "all four of west, south, east and north are needed")),
        }
        if from.is_some() || to.is_some() {
            match Interval::new(from, to) {
                Ok(interval) => query.filter.datetime = Some(interval),
                Err(error) => errors.push(error),
            }
        }
        let area = geometry.map(Area::Geometry).or(bbox.map(Area::Box));
        query.filter.area = area.map(|area| AreaFilter { area, relation: query.relation });
        if errors.is_empty() { Ok(query) } else { Err(errors) }
    }

    /// The parameters of the canonical query string, in a fixed order, without defaults.
    pub fn to_pairs(&self) -> Vec<(&'static str, String)> {
        let mut pairs = Vec::new();
        if !self.q.is_empty() {
            pairs.push(("q", self.q.clone()));
        }
        pairs.extend(self.filter.kinds.iter().map(|kind| ("kind", kind.name().to_owned())));
        pairs.extend(self.filter.tags.iter().map(|tag| ("tag", tag.clone())));
        pairs.extend(self.filter.contributors.iter().map(|name| ("contributor", name.clone())));
        match self.filter.area.as_ref().map(|filter| &filter.area) {
            Some(Area::Box(bbox)) => pairs.push(("bbox", bbox.to_string())),
            Some(Area::Geometry(geometry)) => pairs.push(("geometry", geometry.to_string())),
            None => {}
        }
        pairs.extend(self.place.iter().map(|place| ("place", place.clone())));
        pairs.extend(self.place_id.iter().map(|id| ("place_id", id.clone())));
        if self.relation != Relation::default() {
            pairs.push(("relation", self.relation.name().to_owned()));
        }
        pairs.extend(self.filter.datetime.iter().map(|interval| ("datetime", interval.to_string())));
        pairs.extend(self.methods.iter().map(|method| ("method", method.name().to_owned())));
        if self.sort != Sort::default() {
            pairs.push(("sort", self.sort.name().to_owned()));
        }
        pairs.extend(self.limit.iter().map(|limit| ("limit", limit.to_string())));
        pairs.extend(self.cursor.iter().map(|cursor| ("cursor", cursor.encode())));
        pairs
    }

    /// The canonical query string, without a leading `?`.
    pub fn to_query_string(&self) -> String {
        form_urlencoded::Serializer::new(String::new()).extend_pairs(self.to_pairs()).finish()
    }

    /// # Errors
    /// As [`Self::from_pairs`].
    pub fn from_query_string(text: &str) -> Result<Self, Vec<FieldError>> {
        Self::from_pairs(form_urlencoded::parse(text.trim_start_matches('?').as_bytes()))
    }

    pub fn limit(&self) -> usize {
        self.limit.unwrap_or(DEFAULT_LIMIT)
    }

    /// Whether this method takes part.
    pub fn wants(&self, method: Method) -> bool {
        self.methods.is_empty() || self.methods.contains(&method)
    }

    /// What a cursor is bound to: everything but cursor and limit.
    pub fn fingerprint(&self) -> u64 {
        let unpaged = Self { cursor: None, limit: None, ..self.clone() };
        let mut hasher = DefaultHasher::new();
        unpaged.to_pairs().hash(&mut hasher);
        hasher.finish()
    }
}

fn parse_geometry(text: &str) -> Result<Geometry, FieldError> {
    text.parse::<Geometry>().map_err(|_| {
        FieldError::new("geometry", "this is not a GeoJSON geometry; give one such as {\"type\":\"Polygon\",\"coordinates\":[…]}")
    })
}

fn parse_limit(text: &str) -> Result<usize, FieldError> {
    match text.parse() {
        Ok(limit) if (1..=MAX_LIMIT).contains(&limit) => Ok(limit),
        _ => Err(FieldError::new("limit", format!("limit is a number from 1 to {MAX_LIMIT}; use next_cursor for more"))),
    }
}

fn parse_list<T: FromStr<Err = FieldError> + PartialEq>(text: &str, list: &mut Vec<T>) -> Result<(), FieldError> {
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        push_new(list, part.parse()?);
    }
    Ok(())
}

fn push_new<T: PartialEq>(list: &mut Vec<T>, value: T) {
    if !list.contains(&value) {
        list.push(value);
    }
}
