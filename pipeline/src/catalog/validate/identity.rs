//! Ids: what one may look like, and which one a record without an id gets.

use sha2::{Digest, Sha256};

use crate::{
    model::element::{Element, Link, LinkRel},
    text::fold::fold,
};

pub const MAX_ID_BYTES: usize = 200;
const MAX_SLUG_BYTES: usize = 60;

/// Letters and digits of ASCII and `- _ . : ~`, which stand in an address as they are; not starting with a dot.
pub fn is_id(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b':' | b'~');
    (1..=MAX_ID_BYTES).contains(&text.len())
        && !text.starts_with('.')
        && text.bytes().all(fits)
        && text.bytes().any(|byte| byte.is_ascii_alphanumeric())
}

/// The id a record without one gets, from what identifies it best, so that importing it again finds it: its DOI, else its
/// address with its title (one page often describes several resources), else its title and authors.
pub fn assign_id(element: &Element) -> String {
    if let Some(doi) = &element.doi {
        return slug_with_hash(doi, &["doi", doi]);
    }
    let title = fold(&element.title);
    let landing_page = element.links.iter().find(|link| link.rel == LinkRel::About).or(element.links.first());
    if let Some(link) = landing_page {
        return slug_with_hash(&title, &["address", &canonical_address(&link.href), &title]);
    }
    let authors: Vec<String> = element.authors.iter().map(|author| fold(&author.name)).collect();
    slug_with_hash(&title, &["title", &title, &authors.join("\n")])
}

/// The id for something whose own id cannot be one of ours, such as `S2 L2A/2020`.
pub fn id_from_foreign(foreign: &str) -> String {
    if is_id(foreign) { foreign.to_owned() } else { slug_with_hash(foreign, &["foreign", foreign]) }
}

fn slug_with_hash(text: &str, basis: &[&str]) -> String {
    let mut hasher = Sha256::new();
    for part in basis {
        hasher.update(part.as_bytes());
        hasher.update([0]);
    }
    let hash: String = hasher.finalize().iter().take(6).map(|byte| format!("{byte:02x}")).collect();
    let slug = slug(text);
    if slug.is_empty() { format!("element-{hash}") } else { format!("{slug}-{hash}") }
}

/// Lower-case ASCII words joined by hyphens, cut between words where possible.
fn slug(text: &str) -> String {
    let folded = fold(text);
    let mut slug = String::new();
    for word in folded.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty()) {
        let room = MAX_SLUG_BYTES - slug.len();
        if slug.is_empty() {
            slug.push_str(word.get(..word.len().min(room)).unwrap_or_default());
        } else if word.len() < room {
            slug.push('-');
            slug.push_str(word);
        } else {
            break;
        }
    }
    slug
}

/// An address for comparing: without scheme, `www.`, fragment, trailing slash and the parameters that only count visits.
pub fn canonical_address(href: &str) -> String {
    let without_scheme = href.split_once("://").map_or(href, |(_, rest)| rest);
    let without_fragment = without_scheme.split('#').next().unwrap_or_default();
    let (path, query) = without_fragment.split_once('?').unwrap_or((without_fragment, ""));
    let (host, path) = path.split_once('/').unwrap_or((path, ""));
    let host = host.to_ascii_lowercase();
    let host = host.strip_prefix("www.").unwrap_or(&host);
    let mut address = format!("{host}/{}", path.trim_end_matches('/'));
    let kept = query
        .split('&')
        .filter(|parameter| !parameter.is_empty() && !parameter.starts_with("utm_") && !parameter.starts_with("via="));
    for (at, parameter) in kept.enumerate() {
        address.push(if at == 0 { '?' } else { '&' });
        address.push_str(parameter);
    }
    address.trim_end_matches('/').to_owned()
}

/// The addresses that tell elements apart: pages about them and files, not repositories that hold many.
pub fn own_addresses(links: &[Link]) -> impl Iterator<Item = String> + '_ {
    links.iter().filter(|link| matches!(link.rel, LinkRel::About | LinkRel::Download)).map(|link| canonical_address(&link.href))
}
