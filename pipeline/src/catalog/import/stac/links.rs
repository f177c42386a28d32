//! Links and assets of STAC, by what they lead to.

use serde_json::{Map, Value};

use super::super::draft::{Draft, text_of, texts_of};
use crate::catalog::{
    fault::FaultKind,
    validate::{MAX_LINKS, is_http_address},
};

/// Assets of one item beyond this many are single bands and tiles.
const MAX_ASSETS: usize = 60;

pub(super) fn set_links(draft: &mut Draft, object: &Map<String, Value>) {
    let links = object.get("links").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_object);
    for link in links.take(MAX_LINKS / 2) {
        let relation = text_of(link, "rel").unwrap_or_default();
        let (Some(href), Some(rel)) = (text_of(link, "href"), rel_of_link(relation)) else { continue };
        // within a static catalogue relative addresses are usual, and lead nowhere from here
        if relation == "self" && !is_http_address(href) {
            continue;
        }
        let title = text_of(link, "title").or((relation == "license").then_some("Licence"));
        draft.link("links", href, rel, text_of(link, "type"), title);
    }
    let assets = object.get("assets").and_then(Value::as_object).into_iter().flatten();
    let mut left_out: Vec<&str> = Vec::new();
    for (name, asset) in assets.filter_map(|(name, asset)| Some((name, asset.as_object()?))).take(MAX_ASSETS) {
        let Some(href) = text_of(asset, "href") else { continue };
        if is_http_address(href) {
            let title = text_of(asset, "title").unwrap_or(name);
            draft.link("assets", href, rel_of_asset(asset), text_of(asset, "type"), Some(title));
        } else {
            left_out.push(name);
        }
    }
    if !left_out.is_empty() {
        let message = format!("these assets have no http or https address and were left out: {}", left_out.join(", "));
        draft.fault(FaultKind::LinkNotHttp, "assets", message);
    }
}

/// `None` for links that only lead through the catalogue.
fn rel_of_link(relation: &str) -> Option<&'static str> {
    Some(match relation {
        "root"
        | "parent"
        | "child"
        | "item"
        | "items"
        | "collection"
        | "next"
        | "prev"
        | "first"
        | "last"
        | "search"
        | "data"
        | "conformance"
        | "queryables"
        | "http://www.opengis.net/def/rel/ogc/1.0/queryables" => return None,
        "describedby" | "cite-as" | "about" | "via" | "canonical" | "alternate" | "self" => "about",
        "enclosure" | "download" => "download",
        "preview" | "thumbnail" | "icon" | "overview" => "preview",
        "wms" | "wmts" | "wfs" | "wcs" | "xyz" | "tilejson" | "tiles" | "service" | "service-desc" | "service-doc"
        | "3d-tiles" | "pmtiles" => "service",
        "code" | "source" | "repository" | "vcs-git" | "processing-software" => "repository",
        _ => "related",
    })
}

fn rel_of_asset(asset: &Map<String, Value>) -> &'static str {
    let roles = texts_of(asset.get("roles"));
    let has = |role: &str| roles.contains(&role);
    match () {
        () if has("thumbnail") || has("overview") || has("visual") => "preview",
        () if has("metadata") || has("documentation") => "about",
        () => "download",
    }
}
