use crate::{
    catalog::projection,
    engines::embedded,
    model::{element::Kind, query::SearchQuery, results::FacetCount},
    ports::records::Change,
    services::Services,
    testing::builders::element,
};

use super::{DEPTH, search};

async fn two_elements(folder: &std::path::Path) -> Services {
    let services = embedded::open(folder, Err("no model in this test".into())).await.unwrap();
    let elements = [
        element("reef").kind(Kind::Map).bbox(177.0, -19.0, -179.0, -16.0).build(),
        element("glacier").kind(Kind::Dataset).bbox(-150.0, 60.0, -140.0, 65.0).build(),
    ];
    let changes = elements.map(|element| Change::Put(Box::new(element))).into();
    services.records.commit(changes).await.unwrap();
    projection::catch_up(&services).await.unwrap();
    services
}

fn counted(facet: &[FacetCount]) -> Vec<(&str, u64)> {
    facet.iter().filter(|count| count.count > 0).map(|count| (count.value.as_str(), count.count)).collect()
}

/// The facets are those of the list that is shown, whichever way the list came about.
#[tokio::test]
async fn facets_count_what_is_listed() {
    let folder = tempfile::tempdir().unwrap();
    let services = two_elements(folder.path()).await;
    for (query, expected) in [
        ("q=glacier", [("dataset", 1)].as_slice()),
        // no word is found, the place is
        ("q=zzyzx in Fiji", &[("map", 1)]),
        ("q=zzyzx", &[]),
        ("q=zzyzx in Fiji&method=spatial", &[("map", 1)]),
        ("q=zzyzx in Fiji&method=spatial&sort=title", &[("map", 1)]),
        ("bbox=170,-30,-170,0", &[("map", 1)]),
        ("place=Fiji", &[("map", 1)]),
        ("place=Nowhereville", &[]),
        ("", &[("dataset", 1), ("map", 1)]),
    ] {
        let results = search(&services, &SearchQuery::from_query_string(query).unwrap()).await.unwrap();
        assert_eq!(counted(&results.facets.kinds), expected, "{query}");
        assert_eq!(results.total, expected.iter().map(|(_, count)| count).sum::<u64>(), "{query}");
    }
}

/// An order other than relevance is one of everything in the area, however many are fetched by fit.
#[tokio::test]
async fn an_area_is_sorted_whole() {
    let folder = tempfile::tempdir().unwrap();
    let services = embedded::open(folder.path(), Err("no model in this test".into())).await.unwrap();
    let count = DEPTH + 50;
    // the first by title fits the area worst
    let elements = (0..count).map(|at| {
        let half = 10.0 - at as f64 / 50.0;
        element(&format!("{at:03}")).title(&format!("Survey {at:03}")).bbox(-half, -half, half, half).build()
    });
    services.records.commit(elements.map(|element| Change::Put(Box::new(element))).collect()).await.unwrap();
    projection::catch_up(&services).await.unwrap();

    let mut titles = Vec::new();
    let mut cursor = String::new();
    loop {
        let query = format!("bbox=-1,-1,1,1&sort=title&limit=40{cursor}");
        let results = search(&services, &SearchQuery::from_query_string(&query).unwrap()).await.unwrap();
        assert_eq!(results.total, count as u64);
        titles.extend(results.items.into_iter().map(|item| item.title));
        let Some(next) = results.next_cursor else { break };
        cursor = format!("&cursor={next}");
    }
    let expected: Vec<String> = (0..count).map(|at| format!("Survey {at:03}")).collect();
    assert_eq!(titles, expected);
}
