//! Edges between I-GUIDE resources. They name each other in lists by kind, on one side or on both; ours have a direction.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::{
    super::draft::{text_of, texts_of},
    guessed_kind, stated_kind,
};
use crate::model::element::{Kind, RelatedRel};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Edge {
    pub rel: RelatedRel,
    /// `_id` of the other resource, which may be absent from the file.
    pub to: String,
}

/// Edges by the `_id` of the resource that states them.
#[derive(Debug, Default)]
pub(super) struct Edges {
    by_source: HashMap<String, Vec<Edge>>,
    seen: HashSet<(String, RelatedRel, String)>,
    to_themselves: HashSet<String>,
}

impl Edges {
    pub fn of(&self, id: &str) -> &[Edge] {
        self.by_source.get(id).map_or(&[], Vec::as_slice)
    }

    pub fn to_itself(&self, id: &str) -> bool {
        self.to_themselves.contains(id)
    }

    fn add(&mut self, from: &str, rel: RelatedRel, to: &str) {
        if from == to {
            self.to_themselves.insert(from.to_owned());
            return;
        }
        let stated_back = rel == RelatedRel::RelatedTo && self.seen.contains(&(to.to_owned(), rel, from.to_owned()));
        if !stated_back && self.seen.insert((from.to_owned(), rel, to.to_owned())) {
            self.by_source.entry(from.to_owned()).or_default().push(Edge { rel, to: to.to_owned() });
        }
    }
}

/// A dataset is used in a notebook or teaching resource, a notebook in a teaching resource, whichever of the two names the other. A
/// publication that names a publication cites it. Whether a publication used a dataset or a notebook the data does not say: those are
/// related. Where the user of a dataset is known but the dataset is not in the file, the edge cannot stand at the dataset; the user
/// states a relation instead.
pub(super) fn between(resources: &[Value]) -> Edges {
    let objects = || resources.iter().filter_map(Value::as_object);
    let kind = |object| stated_kind(object).unwrap_or_else(|| guessed_kind(object));
    let kinds: HashMap<&str, Kind> = objects().filter_map(|object| Some((text_of(object, "_id")?, kind(object)))).collect();
    let mut edges = Edges::default();
    for object in objects() {
        let Some(id) = text_of(object, "_id") else { continue };
        let own = kind(object);
        let lists = [
            ("related-datasets", Kind::Dataset),
            ("related-notebooks", Kind::Notebook),
            ("related-publications", Kind::Publication),
            ("related-oers", Kind::Oer),
        ];
        for (field, named) in lists {
            for other in texts_of(object.get(field)).into_iter().map(str::trim).filter(|other| !other.is_empty()) {
                let is_here = kinds.contains_key(other);
                if is_used_in(own, named) {
                    edges.add(id, RelatedRel::UsedIn, other);
                } else if is_used_in(named, own) && is_here {
                    edges.add(other, RelatedRel::UsedIn, id);
                } else if own == Kind::Publication && named == Kind::Publication {
                    edges.add(id, RelatedRel::Cites, other);
                } else {
                    edges.add(id, RelatedRel::RelatedTo, other);
                }
            }
        }
    }
    edges
}

fn is_used_in(used: Kind, user: Kind) -> bool {
    let is_program = |kind: Kind| matches!(kind, Kind::Notebook | Kind::Code);
    match user {
        Kind::Notebook | Kind::Code => used == Kind::Dataset,
        Kind::Oer => used == Kind::Dataset || is_program(used),
        Kind::Dataset | Kind::Publication | Kind::Map => false,
    }
}
