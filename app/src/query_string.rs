//! Between the address bar, the search form and a [`SearchQuery`].

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use pipeline::model::{
    conversation::ConversationId, element::ElementId, place::Area, problem::FieldError, query::SearchQuery, round::RoundId,
};

/// What may stand unescaped in a path segment.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The round that is shown beside the cards; no part of the search.
const ROUND: &str = "round";

/// The name–value pairs of a search's query string, without empty values.
pub fn pairs(search: &str) -> Vec<(String, String)> {
    let mut pairs = all_pairs(search);
    pairs.retain(|(name, _)| name != ROUND);
    pairs
}

fn all_pairs(search: &str) -> Vec<(String, String)> {
    form_urlencoded::parse(search.trim_start_matches('?').as_bytes())
        .filter(|(_, value)| !value.trim().is_empty())
        .map(|(name, value)| (name.into_owned(), value.into_owned()))
        .collect()
}

/// The search and the round that the address of the search page names.
pub fn split_round(search: &str) -> (String, Option<RoundId>) {
    match all_pairs(search).into_iter().find(|(name, _)| name == ROUND) {
        Some((_, id)) => {
            let rest = form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs(search)).finish();
            (rest, Some(RoundId(id)))
        }
        None => (search.to_owned(), None),
    }
}

/// The address of the search page that shows a round beside the cards.
pub fn round_beside_cards(search: &str, id: &RoundId) -> String {
    let mut pairs = pairs(search);
    pairs.push((ROUND.to_owned(), id.0.clone()));
    format!("/?{}", form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish())
}

/// # Errors
/// As [`SearchQuery::from_pairs`].
pub fn read(search: &str) -> Result<SearchQuery, Vec<FieldError>> {
    SearchQuery::from_pairs(pairs(search))
}

/// The address of a search; `/` when nothing is asked.
pub fn search_address(query: &SearchQuery) -> String {
    address("/", query.to_pairs())
}

pub fn address<V: AsRef<str>>(path: &str, pairs: impl IntoIterator<Item = (&'static str, V)>) -> String {
    let encoded = form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
    if encoded.is_empty() { path.to_owned() } else { format!("{path}?{encoded}") }
}

/// Where a form leads: canonical when it can be read, else as it was typed, so that the page can say what is wrong.
#[cfg_attr(not(any(feature = "hydrate", test)), expect(dead_code, reason = "forms are read in the browser"))]
pub fn form_address(mut pairs: Vec<(String, String)>) -> String {
    pairs.retain(|(_, value)| !value.trim().is_empty());
    match SearchQuery::from_pairs(pairs.iter().map(|(name, value)| (name, value))) {
        Ok(query) => search_address(&query),
        Err(_) => format!("/?{}", form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()),
    }
}

pub fn element_address(id: &ElementId) -> String {
    format!("/elements/{}", segment(&id.0))
}

pub fn element_api_address(id: &ElementId) -> String {
    format!("/api/v1{}", element_address(id))
}

pub fn round_address(id: &RoundId) -> String {
    format!("/rounds/{}", segment(&id.0))
}

/// The address of a round for whoever has the key.
pub fn shared_round_address(id: &RoundId, key: &str) -> String {
    format!("{}?key={}", round_address(id), segment(key))
}

pub fn conversation_address(id: &ConversationId) -> String {
    format!("/conversations/{}", segment(&id.0))
}

/// Text as one segment of a path.
pub fn segment(text: &str) -> impl std::fmt::Display {
    utf8_percent_encode(text, SEGMENT)
}

/// The same search from its first page.
pub fn first_page(query: &SearchQuery) -> SearchQuery {
    SearchQuery { cursor: None, ..query.clone() }
}

/// The search from its first page with another area; a place name gives way to it.
pub fn with_area(query: &SearchQuery, area: Option<Area>) -> SearchQuery {
    let mut changed = first_page(query);
    changed.place = None;
    changed.place_id = None;
    changed.filter.area = area.map(|area| pipeline::model::place::AreaFilter { area, relation: query.relation });
    changed
}

/// The search from its first page without what a parameter asks; unknown parameters change nothing.
pub fn without(query: &SearchQuery, parameter: &str) -> SearchQuery {
    let mut changed = first_page(query);
    match parameter {
        "q" => changed.q.clear(),
        "kind" => changed.filter.kinds.clear(),
        "tag" => changed.filter.tags.clear(),
        "contributor" => changed.filter.contributors.clear(),
        "datetime" => changed.filter.datetime = None,
        "bbox" | "geometry" | "area" => changed.filter.area = None,
        "place" => {
            changed.place = None;
            changed.place_id = None;
        }
        "relation" => changed = with_relation(changed),
        "method" => changed.methods.clear(),
        _ => {}
    }
    changed
}

fn with_relation(mut query: SearchQuery) -> SearchQuery {
    query.relation = pipeline::model::place::Relation::default();
    if let Some(filter) = &mut query.filter.area {
        filter.relation = query.relation;
    }
    query
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_leads_to_the_canonical_address() {
        let check = |form: &[(&str, &str)], expected: &str| {
            let pairs = form.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
            assert_eq!(form_address(pairs), expected);
        };
        check(&[("q", ""), ("place", " ")], "/");
        check(
            &[("q", "sea ice 100%"), ("kind", "dataset"), ("from", ""), ("to", "2015")],
            "/?q=sea+ice+100%25&kind=dataset&datetime=..%2F2015",
        );
        check(
            &[("bbox_west", "170"), ("bbox_south", "-20"), ("bbox_east", "-170"), ("bbox_north", "0")],
            "/?bbox=170%2C-20%2C-170%2C0",
        );
        check(&[("q", "x"), ("from", "soon")], "/?q=x&from=soon");
    }

    #[test]
    fn lifting_a_filter_leaves_the_others() {
        let query = read("q=ice&kind=dataset&tag=a&tag=b&place=Georgia&place_id=ne:1&datetime=2015&relation=within&bbox=1,2,3,4")
            .unwrap();
        let check = |parameter: &str, gone: &[&str]| {
            let before = query.to_pairs();
            let after = without(&query, parameter).to_pairs();
            let missing: Vec<&str> = before.iter().filter(|pair| !after.contains(pair)).map(|(name, _)| *name).collect();
            assert_eq!(missing, gone, "without {parameter}");
        };
        check("kind", &["kind"]);
        check("tag", &["tag", "tag"]);
        check("place", &["place", "place_id"]);
        check("bbox", &["bbox"]);
        check("datetime", &["datetime"]);
        check("relation", &["relation"]);
    }

    #[test]
    fn a_round_is_no_part_of_the_search() {
        let check = |search: &str, rest: &str, round: Option<&str>| {
            assert_eq!(split_round(search), (rest.to_owned(), round.map(|id| RoundId(id.to_owned()))), "{search}");
        };
        check("?q=sea+ice&round=r1&kind=map", "q=sea+ice&kind=map", Some("r1"));
        check("?q=a%20b", "?q=a%20b", None);
        check("round=&q=a", "round=&q=a", None);
        assert_eq!(read("q=ice&round=r1").unwrap(), read("q=ice").unwrap());
        assert_eq!(search_address(&without(&read("q=ice&kind=map&round=r1").unwrap(), "kind")), "/?q=ice");
        let beside = round_beside_cards("?q=100%25&round=old", &RoundId("a&b".to_owned()));
        assert_eq!(beside, "/?q=100%25&round=a%26b");
        assert_eq!(split_round(beside.trim_start_matches('/')).1, Some(RoundId("a&b".to_owned())));
    }

    #[test]
    fn an_id_is_one_path_segment() {
        assert_eq!(element_address(&ElementId::from("a/b c?d#e")), "/elements/a%2Fb%20c%3Fd%23e");
    }
}
