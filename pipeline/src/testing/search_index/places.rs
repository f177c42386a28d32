//! Spatial retrieval and the area of a filter.

use serde_json::json;

use super::{at, dataset, fill, ids, sorted_ids};
use crate::{
    geometry::relations_golden::GOLDEN,
    model::{
        bbox::BBox,
        element::{Element, Spatial},
        place::{Area, AreaFilter, Relation},
        query::Filter,
    },
    ports::{ErrorKind, SearchIndex, search_index::RankList},
};

/// Boxes are in brackets, geometries in GeoJSON.
fn area(text: &str) -> Area {
    if text.starts_with('[') { Area::Box(serde_json::from_str(text).unwrap()) } else { Area::Geometry(text.parse().unwrap()) }
}

fn spatial(text: &str) -> Spatial {
    match area(text) {
        Area::Box(bbox) => Spatial { geometry: None, bbox: Some(bbox), places: Vec::new() },
        Area::Geometry(geometry) => Spatial { geometry: Some(geometry), bbox: None, places: Vec::new() },
    }
}

async fn related(index: &dyn SearchIndex, area: &Area, relation: Relation) -> RankList {
    let filter = AreaFilter { area: area.clone(), relation };
    index.spatial(&filter, &Filter::default(), 1_000).await.unwrap()
}

/// Every footprint of the table against every area of it, by method and by filter.
pub async fn relations_are_those_of_the_table(index: &dyn SearchIndex) {
    let elements: Vec<Element> =
        GOLDEN.iter().map(|case| Element { spatial: Some(spatial(case.footprint)), ..dataset(case.name, case.name) }).collect();
    fill(index, &elements).await;
    for case in GOLDEN {
        let area = area(case.area);
        for relation in Relation::ALL {
            let list = related(index, &area, relation).await;
            assert_eq!(ids(&list).contains(&case.name), case.expected(relation), "{} {relation}", case.name);
            assert_eq!(list.total, list.hits.len() as u64);
            let filter = Filter { area: Some(AreaFilter { area: area.clone(), relation }), ..Filter::default() };
            let by_method = sorted_ids(&list).into_iter().map(str::to_owned).collect::<Vec<_>>();
            let by_filter = index.browse(&filter, Default::default(), 0, 1_000).await.unwrap();
            assert_eq!(sorted_ids(&by_filter), by_method, "{} {relation}", case.name);
            assert_eq!(index.count(&filter).await.unwrap(), list.total);
        }
        let apart = related(index, &area, Relation::Disjoint).await.total;
        let meeting = related(index, &area, Relation::Intersects).await.total;
        assert_eq!(apart + meeting, GOLDEN.len() as u64, "{}", case.name);
    }
}

pub async fn best_fit_comes_first(index: &dyn SearchIndex) {
    let world = [-180.0, -90.0, 180.0, 90.0];
    let elements = [
        at("world-2", world),
        at("around", [-10.0, 30.0, 20.0, 60.0]),
        at("same-b", [0.0, 40.0, 10.0, 50.0]),
        at("world-1", world),
        at("inside", [2.0, 42.0, 6.0, 47.0]),
        at("same-a", [0.0, 40.0, 10.0, 50.0]),
        at("apart", [50.0, 0.0, 60.0, 10.0]),
        at("world-3", world),
    ];
    fill(index, &elements).await;
    let area = Area::Box(BBox::new(0.0, 40.0, 10.0, 50.0).unwrap());
    let list = related(index, &area, Relation::Intersects).await;
    assert_eq!(ids(&list), ["same-a", "same-b", "inside", "around", "world-1", "world-2", "world-3"]);
    assert!(list.hits.windows(2).all(|pair| pair[0].score >= pair[1].score));
    for limit in 0..=7 {
        let filter = AreaFilter { area: area.clone(), relation: Relation::Intersects };
        let few = index.spatial(&filter, &Filter::default(), limit).await.unwrap();
        assert_eq!(ids(&few), ids(&list)[..limit], "limit {limit}");
        assert_eq!(few.total, 7);
    }
}

pub async fn what_has_no_footprint_is_counted(index: &dyn SearchIndex) {
    let tagged = |element: Element| Element { tags: vec!["tagged".to_owned()], ..element };
    fill(
        index,
        &[at("a", [0.0, 0.0, 1.0, 1.0]), dataset("b", "b"), tagged(dataset("c", "c")), tagged(at("d", [5.0, 5.0, 6.0, 6.0]))],
    )
    .await;
    let area = AreaFilter { area: Area::Box(BBox::new(0.0, 0.0, 2.0, 2.0).unwrap()), relation: Relation::Intersects };
    let filter = Filter { area: Some(area.clone()), ..Filter::default() };
    assert_eq!(index.count(&filter).await.unwrap(), 1);
    assert_eq!(index.count_without_footprint(&filter).await.unwrap(), 2);
    let of_tag = Filter { tags: vec!["tagged".to_owned()], ..filter.clone() };
    assert_eq!(index.count_without_footprint(&of_tag).await.unwrap(), 1);
    let apart = AreaFilter { relation: Relation::Disjoint, ..area };
    assert_eq!(ids(&index.spatial(&apart, &Filter::default(), 10).await.unwrap()), ["d"], "no footprint is not apart");
}

pub async fn an_area_that_cannot_be_read_is_invalid(index: &dyn SearchIndex) {
    fill(index, &[at("a", [0.0, 0.0, 1.0, 1.0])]).await;
    let geometry =
        serde_json::from_value(json!({"type": "Polygon", "coordinates": [[[0, 0], [10, 95], [10, 0], [0, 0]]]})).unwrap();
    let area = AreaFilter { area: Area::Geometry(geometry), relation: Relation::Intersects };
    assert_eq!(index.spatial(&area, &Filter::default(), 10).await.unwrap_err().kind, ErrorKind::Invalid);
    let filter = Filter { area: Some(area), ..Filter::default() };
    assert_eq!(index.keyword("a", &filter, 10).await.unwrap_err().kind, ErrorKind::Invalid);
    assert_eq!(index.count(&filter).await.unwrap_err().kind, ErrorKind::Invalid);
}
