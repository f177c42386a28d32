//! Filters on every method, and what no method may show.

use super::{at, axis, fill, fill_vectors, ids, person, puts, sorted_ids};
use crate::{
    model::{
        bbox::BBox,
        element::{Element, Kind, Visibility},
        period::Period,
        place::{Area, AreaFilter, Relation},
        query::{Filter, Sort},
    },
    ports::{
        SearchIndex, Seq,
        search_index::{FacetScope, RankList},
    },
};

const WORLD: AreaFilter = AreaFilter { area: Area::Box(BBox::WORLD), relation: Relation::Intersects };

/// The same question to every method.
async fn every_method(index: &dyn SearchIndex, filter: &Filter, dimension: usize) -> Vec<(&'static str, RankList)> {
    vec![
        ("keyword", index.keyword("snow", filter, 100).await.unwrap()),
        ("semantic", index.semantic(&axis(0, dimension), filter, 100).await.unwrap()),
        ("spatial", index.spatial(&WORLD, filter, 100).await.unwrap()),
        ("browse", index.browse(filter, Sort::Title, 0, 100).await.unwrap()),
    ]
}

fn snow(id: &str, kind: Kind, tags: &[&str], contributor: &str, period: (&str, &str)) -> Element {
    let date = |text: &str| (!text.is_empty()).then(|| text.parse().unwrap());
    let east = id.len() as f64 * 10.0;
    Element {
        kind,
        title: format!("Snow {id}"),
        tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
        contributor: person(contributor),
        temporal: Some(Period { start: date(period.0), end: date(period.1), text: None }),
        ..at(id, [east, 0.0, east + 5.0, 5.0])
    }
}

pub async fn filters_hold_on_every_method(index: &dyn SearchIndex, dimension: usize) {
    let elements = [
        snow("a", Kind::Dataset, &["Schnee", "Höhe"], "Ana Costa", ("2000", "2010")),
        snow("bb", Kind::Map, &["schnee"], "Bo Li", ("2005", "")),
        snow("ccc", Kind::Code, &["hohe"], "ANA COSTA", ("", "1990")),
    ];
    fill(index, &elements).await;
    fill_vectors(index, &elements, dimension).await;
    let tags = |tags: &[&str]| Filter { tags: tags.iter().map(|tag| (*tag).to_owned()).collect(), ..Filter::default() };
    let contributors =
        |names: &[&str]| Filter { contributors: names.iter().map(|name| (*name).to_owned()).collect(), ..Filter::default() };
    let kinds = |kinds: &[Kind]| Filter { kinds: kinds.to_vec(), ..Filter::default() };
    let west = AreaFilter { area: Area::Box(BBox::new(0.0, 0.0, 22.0, 5.0).unwrap()), relation: Relation::Intersects };
    let cases: Vec<(Filter, &[&str])> = vec![
        (Filter::default(), &["a", "bb", "ccc"]),
        (kinds(&[Kind::Map]), &["bb"]),
        (kinds(&[Kind::Map, Kind::Code]), &["bb", "ccc"]),
        (kinds(&[Kind::Oer]), &[]),
        (tags(&["schnee"]), &["a", "bb"]),
        (tags(&["SCHNEE", "höhe"]), &["a"]),
        (tags(&["schnee", "nobody has this"]), &[]),
        (contributors(&["Ana Costa"]), &["a", "ccc"]),
        (contributors(&["ana costa", "Bo Li"]), &["a", "bb", "ccc"]),
        (contributors(&["nobody"]), &[]),
        (Filter { datetime: Some("2008/2012".parse().unwrap()), ..Filter::default() }, &["a", "bb"]),
        (Filter { area: Some(west.clone()), ..Filter::default() }, &["a", "bb"]),
        (Filter { area: Some(west.clone()), kinds: vec![Kind::Map], ..tags(&["schnee"]) }, &["bb"]),
        (Filter { area: Some(west), kinds: vec![Kind::Code], ..Filter::default() }, &[]),
    ];
    for (filter, expected) in cases {
        for (method, list) in every_method(index, &filter, dimension).await {
            assert_eq!(sorted_ids(&list), expected, "{method} {filter:?}");
            assert_eq!(list.total, expected.len() as u64, "{method} {filter:?}");
        }
        assert_eq!(index.count(&filter).await.unwrap(), expected.len() as u64);
        let facets = index.facets(FacetScope::Filter(&filter), 10).await.unwrap();
        assert_eq!(facets.kinds.iter().map(|facet| facet.count).sum::<u64>(), expected.len() as u64, "{filter:?}");
    }
}

pub async fn times_are_inclusive_and_may_be_open(index: &dyn SearchIndex) {
    let words_only = Element {
        temporal: Some(Period { start: None, end: None, text: Some("Holocene".to_owned()) }),
        ..snow("words", Kind::Dataset, &[], "x", ("2000", "2000"))
    };
    let elements = [
        snow("nineties", Kind::Dataset, &[], "x", ("1990", "1999-12")),
        snow("since", Kind::Dataset, &[], "x", ("2000-02-18", "")),
        snow("until", Kind::Dataset, &[], "x", ("", "-9999")),
        words_only,
    ];
    fill(index, &elements).await;
    let cases: &[(&str, &[&str])] = &[
        ("1999-12-31", &["nineties"]),
        ("1999-12-31T23:59:59Z", &["nineties"]),
        ("2000", &["since"]),
        ("2000-02-18T00:00:00Z", &["since"]),
        ("2000-02-17", &[]),
        ("2015/..", &["since"]),
        ("../1990", &["nineties", "until"]),
        ("/-9999", &["until"]),
        ("-9998/1989", &[]),
        ("-20000/..", &["nineties", "since", "until"]),
    ];
    for (interval, expected) in cases {
        let filter = Filter { datetime: Some(interval.parse().unwrap()), ..Filter::default() };
        assert_eq!(sorted_ids(&index.browse(&filter, Sort::Title, 0, 10).await.unwrap()), *expected, "{interval}");
    }
}

pub async fn hidden_elements_are_nowhere(index: &dyn SearchIndex, dimension: usize) {
    let mut elements = [
        snow("a", Kind::Dataset, &["open"], "Ana Costa", ("2001", "2001")),
        snow("bb", Kind::Map, &["secret"], "Bo Li", ("1951", "1951")),
        snow("ccc", Kind::Code, &["secret"], "Bo Li", ("1951", "1951")),
    ];
    fill(index, &elements).await;
    fill_vectors(index, &elements, dimension).await;
    elements[1].visibility = Visibility::Private;
    elements[2].visibility = Visibility::Withdrawn;
    index.apply(&puts(&elements), 3).await.unwrap();
    for _ in 0..2 {
        for (method, list) in every_method(index, &Filter::default(), dimension).await {
            assert_eq!(ids(&list), ["a"], "{method}");
            assert_eq!(list.total, 1, "{method}");
        }
        let secret = Filter { tags: vec!["secret".to_owned()], ..Filter::default() };
        assert_eq!(index.count(&secret).await.unwrap(), 0);
        let all: Vec<_> = elements.iter().map(|element| element.id.clone()).collect();
        for scope in [FacetScope::Elements(&all), FacetScope::Filter(&Filter::default())] {
            let facets = index.facets(scope, 10).await.unwrap();
            let values: Vec<&str> = [&facets.kinds, &facets.tags, &facets.contributors, &facets.decades]
                .into_iter()
                .flatten()
                .map(|facet| facet.value.as_str())
                .collect();
            assert_eq!(values, ["dataset", "open", "Ana Costa", "2000"]);
        }
        // vectors that arrive late do not bring a hidden element back
        fill_vectors(index, &elements, dimension).await;
    }
    elements[1].visibility = Visibility::Public;
    index.apply(&puts(&elements), 3 as Seq).await.unwrap();
    for (method, list) in every_method(index, &Filter::default(), dimension).await {
        assert_eq!(sorted_ids(&list), ["a", "bb"], "{method}");
    }
}
