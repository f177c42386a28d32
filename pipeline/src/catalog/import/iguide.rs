//! Resource JSON of the I-GUIDE platform. <https://github.com/I-GUIDE/iguide-ue-backend>

mod edges;

use serde_json::{Map, Value, json};

use super::draft::{Draft, text_of, texts_of};
use crate::{
    catalog::{
        fault::{Fault, FaultKind},
        validate::{MAX_EXTRA_BYTES, identity::id_from_foreign, is_http_address},
    },
    model::element::Kind,
    text::identifiers::{find_dois, normalise_doi},
};

const CONTRIBUTOR: &str = "I-GUIDE";
/// Fields that a draft takes from; the others are kept under `extra.iguide`.
const TAKEN: [&str; 14] = [
    "_id",
    "resource-type",
    "title",
    "authors",
    "tags",
    "contents",
    "external-link",
    "direct-download-link",
    "external-link-publication",
    "external-link-oer",
    "notebook-repo",
    "notebook-file",
    "html-notebook",
    "oer-external-links",
];

/// The elements of all resources of a file. They are taken together since a resource names those it uses, where our edges stand at
/// the one that is used.
pub(super) fn drafts(resources: Vec<Value>) -> Vec<Result<Draft, Fault>> {
    let edges = edges::between(&resources);
    resources
        .into_iter()
        .map(|resource| match resource {
            Value::Object(object) => Ok(draft(object, &edges)),
            _ => Err(Fault::new(FaultKind::NotAnObject, "", "an I-GUIDE resource is a JSON object")),
        })
        .collect()
}

/// The element id of a resource.
fn element_id(source_id: &str) -> String {
    id_from_foreign(source_id.trim())
}

fn draft(mut object: Map<String, Value>, edges: &edges::Edges) -> Draft {
    let mut draft = Draft::default();
    let source_id = text_of(&object, "_id").unwrap_or_default().to_owned();
    if !source_id.is_empty() {
        draft.set("id", element_id(&source_id));
    }
    let kind = set_kind(&mut draft, &object);
    set_text(&mut draft, &object, &source_id);
    for name in texts_of(object.get("authors")).into_iter().map(str::trim).filter(|name| !name.is_empty()) {
        draft.push("authors", json!({"name": name}));
    }
    draft.set_tags(texts_of(object.get("tags")));
    set_links(&mut draft, &object, kind);
    if let Some(doi) = own_doi(&object, kind) {
        draft.set("doi", doi);
    }
    set_details(&mut draft, &object, kind);
    for edge in edges.of(&source_id) {
        draft.push("related", json!({"rel": edge.rel, "id": element_id(&edge.to)}));
    }
    if edges.to_itself(&source_id) {
        draft.fault(FaultKind::RelatedToItself, "related", "the resource names itself as related; that edge was left out");
    }
    draft.set("contributor", json!({"name": CONTRIBUTOR}));
    object.retain(|name, value| !TAKEN.contains(&name.as_str()) && !name.starts_with("related-") && has_content(value));
    let bytes = serde_json::to_vec(&object).map_or(usize::MAX, |text| text.len());
    if bytes > MAX_EXTRA_BYTES / 2 {
        draft.fault(FaultKind::TooLong, "extra", format!("{bytes} bytes of further fields were left out"));
    } else if !object.is_empty() {
        draft.keep_aside("iguide", Value::Object(object));
    }
    draft
}

fn has_content(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::String(text) => !text.trim().is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(map) => !map.is_empty(),
        Value::Bool(_) | Value::Number(_) => true,
    }
}

/// The stated type; `None` when there is none or none of ours.
fn stated_kind(object: &Map<String, Value>) -> Option<Kind> {
    text_of(object, "resource-type")?.to_lowercase().parse().ok()
}

/// What the fields of the resource point to.
fn guessed_kind(object: &Map<String, Value>) -> Kind {
    let has = |field: &str| text_of(object, field).is_some();
    match () {
        () if has("notebook-repo") || has("notebook-file") => Kind::Notebook,
        () if has("external-link-publication") => Kind::Publication,
        () if has("external-link-oer") || object.get("oer-external-links").is_some_and(has_content) => Kind::Oer,
        () => Kind::Dataset,
    }
}

fn set_kind(draft: &mut Draft, object: &Map<String, Value>) -> Kind {
    let kind = stated_kind(object).unwrap_or_else(|| {
        let guess = guessed_kind(object);
        let said = match text_of(object, "resource-type") {
            Some(text) => format!("the resource-type `{}` is none of ours", text.chars().take(60).collect::<String>()),
            None => "there is no resource-type".to_owned(),
        };
        draft.fault(FaultKind::KindGuessed, "resource-type", format!("{said}; {guess} was taken"));
        guess
    });
    draft.set("kind", kind.name());
    kind
}

/// A resource that says nothing (a form that was saved empty) is kept, but not shown to anybody.
fn set_text(draft: &mut Draft, object: &Map<String, Value>, source_id: &str) {
    let contents = text_of(object, "contents");
    if let Some(contents) = contents {
        draft.set("description", contents);
    }
    match text_of(object, "title") {
        Some(title) => draft.set("title", title),
        None => {
            let stand_in = format!("Untitled resource {source_id}");
            draft.fault(FaultKind::MissingTitle, "title", format!("there is no title; `{stand_in}` was put in its place"));
            draft.set("title", stand_in);
            if contents.is_none() {
                draft.fault(FaultKind::EmptyRecord, "", "neither title nor contents; the resource was kept as private");
                draft.set("visibility", "private");
            }
        }
    }
}

fn set_links(draft: &mut Draft, object: &Map<String, Value>, kind: Kind) {
    let publication_rel = if kind == Kind::Publication { "about" } else { "related" };
    let file = text_of(object, "notebook-file");
    let links = [
        ("external-link", "about", None),
        ("external-link-publication", publication_rel, None),
        ("external-link-oer", "about", None),
        ("direct-download-link", "download", None),
        ("notebook-repo", "repository", file),
        ("html-notebook", "preview", file),
    ];
    for (field, rel, title) in links {
        if let Some(href) = text_of(object, field) {
            draft.link(field, href, rel, None, title);
        }
    }
    for link in object.get("oer-external-links").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_object) {
        let title = match (text_of(link, "title"), text_of(link, "type")) {
            (Some(title), Some(form)) => Some(format!("{title} ({form})")),
            (title, form) => title.or(form).map(str::to_owned),
        };
        draft.link("oer-external-links", text_of(link, "url").unwrap_or_default(), "related", None, title.as_deref());
    }
    // others are paths on the platform's own server
    if let Some(image) = text_of(object, "thumbnail-image").filter(|image| is_http_address(image)) {
        draft.link("thumbnail-image", image, "preview", None, Some("Thumbnail"));
    }
}

/// The DOI in an address that leads to the resource itself. A notebook's links lead to its publication, whose DOI is not its own.
fn own_doi(object: &Map<String, Value>, kind: Kind) -> Option<String> {
    let fields: &[&str] = match kind {
        Kind::Publication => &["external-link-publication", "external-link"],
        Kind::Dataset | Kind::Map => &["external-link", "direct-download-link"],
        Kind::Oer => &["external-link-oer", "external-link"],
        Kind::Notebook | Kind::Code => &[],
    };
    let addresses = fields.iter().filter_map(|field| text_of(object, field)).filter(|address| is_http_address(address));
    addresses.into_iter().find_map(doi_in_address)
}

/// Publishers put the DOI at the end of the path: `/doi/full/10.1080/…`, `/article/10.1088/…`.
fn doi_in_address(address: &str) -> Option<String> {
    let path = address.split(['?', '#']).next().unwrap_or(address);
    normalise_doi(path).or_else(|| find_dois(path).into_iter().next().map(|found| found.doi))
}

fn set_details(draft: &mut Draft, object: &Map<String, Value>, kind: Kind) {
    let mut details = Map::new();
    if let Some(bytes) = text_of(object, "size").and_then(size_bytes) {
        details.insert("size_bytes".to_owned(), bytes.into());
    }
    if matches!(kind, Kind::Notebook | Kind::Code) {
        // the address stands among the links; this is the path within it
        let place = text_of(object, "notebook-file").or(text_of(object, "notebook-repo"));
        details.extend(place.map(|place| ("repository".to_owned(), place.into())));
    }
    if !details.is_empty() {
        draft.set("details", details);
    }
}

/// `2.25 MB` in bytes, with the decimal prefixes of the SI.
fn size_bytes(text: &str) -> Option<u64> {
    let split = text.find(|letter: char| letter.is_alphabetic())?;
    let number: f64 = text.get(..split)?.trim().replace(',', "").parse().ok()?;
    let factor = match text.get(split..)?.trim().to_ascii_uppercase().as_str() {
        "B" | "BYTES" => 1.0,
        "KB" => 1e3,
        "MB" => 1e6,
        "GB" => 1e9,
        "TB" => 1e12,
        _ => return None,
    };
    let bytes = (number * factor).round();
    (bytes.is_finite() && (0.0..9e15).contains(&bytes)).then_some(bytes as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        let check = |text: &str, expected: Option<u64>| assert_eq!(size_bytes(text), expected, "{text}");
        check("2.25 MB", Some(2_250_000));
        check("1,024 B", Some(1_024));
        check("3GB", Some(3_000_000_000));
        check("", None);
        check("big", None);
        check("-1 MB", None);
        check("NaN MB", None);
    }

    #[test]
    fn dois_in_addresses() {
        let check = |address: &str, expected: Option<&str>| assert_eq!(doi_in_address(address).as_deref(), expected, "{address}");
        check("https://www.tandfonline.com/doi/full/10.1080/13658816.2024.2343063", Some("10.1080/13658816.2024.2343063"));
        check("https://agupubs.onlinelibrary.wiley.com/doi/full/10.1029/2022EF002942", Some("10.1029/2022ef002942"));
        check("https://iopscience.iop.org/article/10.1088/1748-9326/acd269", Some("10.1088/1748-9326/acd269"));
        check("https://epubs.siam.org/doi/abs/10.1137/1.9781611978032.55", Some("10.1137/1.9781611978032.55"));
        check("https://doi.org/10.7927/d1x1-d702", Some("10.7927/d1x1-d702"));
        check("https://zenodo.org/records/7038935", None);
        check("https://www.nature.com/articles/s41597-024-03159-6", None);
    }
}
