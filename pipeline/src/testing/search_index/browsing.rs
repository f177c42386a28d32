//! Orders, pages and facets.

use super::{dataset, fill, ids, person};
use crate::{
    model::{
        element::{Element, Kind},
        period::Period,
        query::{Filter, Sort},
    },
    ports::{SearchIndex, search_index::FacetScope},
};

pub async fn orders_are_stable_and_pages_complete(index: &dyn SearchIndex) {
    let element = |id: &str, title: &str, click_count, updated: Option<&str>| Element {
        click_count,
        updated: updated.map(str::to_owned),
        ..dataset(id, title)
    };
    let elements = [
        element("d", "beta", 3, Some("2026-01-02T00:00:00Z")),
        element("b", "Äther", 3, Some("2026-01-02T03:00:00+02:00")),
        element("c", "alpha", 10, None),
        element("a", "Beta", 3, Some("2026-01-02T00:00:00.5Z")),
        element("e", "zeta", 0, Some("2025-12-31T00:00:00Z")),
    ];
    fill(index, &elements).await;
    let orders = [
        (Sort::Popular, ["c", "a", "b", "d", "e"]),
        (Sort::Relevance, ["c", "a", "b", "d", "e"]),
        (Sort::Newest, ["b", "a", "d", "e", "c"]),
        (Sort::Title, ["c", "b", "a", "d", "e"]),
    ];
    for (sort, expected) in orders {
        let whole = index.browse(&Filter::default(), sort, 0, 100).await.unwrap();
        assert_eq!(ids(&whole), expected, "{sort:?}");
        let mut paged = Vec::new();
        for offset in (0..6).step_by(2) {
            let page = index.browse(&Filter::default(), sort, offset, 2).await.unwrap();
            assert_eq!(page.total, 5);
            paged.extend(page.hits);
        }
        assert_eq!(paged, whole.hits, "{sort:?}");
        assert!(index.browse(&Filter::default(), sort, 1_000_000, 2).await.unwrap().hits.is_empty());
    }
    let clicks: Vec<u64> =
        index.browse(&Filter::default(), Sort::Popular, 0, 2).await.unwrap().hits.iter().map(|hit| hit.click_count).collect();
    assert_eq!(clicks, [10, 3]);
}

pub async fn facets_count(index: &dyn SearchIndex) {
    let element = |id: &str, kind, tags: &[&str], contributor: &str, start: &str, end: &str| Element {
        kind,
        tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
        contributor: person(contributor),
        temporal: Some(Period { start: start.parse().ok(), end: end.parse().ok(), text: None }),
        ..dataset(id, id)
    };
    let elements = [
        element("a", Kind::Map, &["snow", "ice", "snow"], "Ana", "2009", "2011"),
        element("b", Kind::Map, &["Snow", "water"], "Bo", "2011-05", "2011-06"),
        element("c", Kind::Oer, &["ice"], "ana", "2031", "2031"),
        element("d", Kind::Code, &[], "Cy", "-10000", "-9995"),
    ];
    fill(index, &elements).await;
    let counts = |facet: &[crate::model::results::FacetCount]| {
        facet.iter().map(|facet| format!("{} {}", facet.value, facet.count)).collect::<Vec<_>>()
    };
    let all = index.facets(FacetScope::Filter(&Filter::default()), 10).await.unwrap();
    assert_eq!(counts(&all.kinds), ["map 2", "code 1", "oer 1"]);
    assert_eq!(counts(&all.tags), ["ice 2", "snow 2", "water 1"]);
    assert_eq!(counts(&all.contributors), ["Ana 2", "Bo 1", "Cy 1"]);
    assert_eq!(counts(&all.decades), ["2010 2", "-10000 1", "2000 1", "2030 1"]);
    let few = index.facets(FacetScope::Filter(&Filter::default()), 2).await.unwrap();
    assert_eq!(
        (counts(&few.tags), counts(&few.contributors)),
        (vec!["ice 2".to_owned(), "snow 2".to_owned()], vec!["Ana 2".to_owned(), "Bo 1".to_owned()])
    );
    assert_eq!((few.kinds.len(), few.decades.len()), (3, 2));
    let of_two = index.facets(FacetScope::Elements(&["b".into(), "c".into(), "absent".into()]), 10).await.unwrap();
    assert_eq!(counts(&of_two.kinds), ["map 1", "oer 1"]);
    assert_eq!(counts(&of_two.tags), ["ice 1", "snow 1", "water 1"]);
    let open = [element("open", Kind::Map, &[], "Ana", "1995", "")];
    fill(index, &open).await;
    let decades = index.facets(FacetScope::Filter(&Filter::default()), 100).await.unwrap().decades;
    let values: Vec<&str> = decades.iter().map(|facet| facet.value.as_str()).collect();
    assert!(values.starts_with(&["1990", "2000", "2010", "2020"]) && values.len() < 12, "{values:?}");
}
