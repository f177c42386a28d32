use crate::{
    catalog::projection,
    engines::embedded,
    model::{element::Kind, query::SearchQuery, results::FacetCount},
    ports::records::Change,
    services::Services,
    testing::builders::element,
};

use super::search;

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
