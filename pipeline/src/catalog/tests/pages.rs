use std::sync::Arc;

use crate::{
    catalog::{element_page, neighbours},
    engines::sqlite::SqliteRecords,
    model::element::{ElementId, Visibility},
    ports::{Records, records::Change},
    services::Services,
    testing::{
        builders::element,
        fakes::{DownGeocoder, DownGraph, DownIndex},
    },
};

/// Records that work, everything else down.
async fn services(folder: &tempfile::TempDir) -> Services {
    let records = Arc::new(SqliteRecords::open(folder.path()).await.unwrap());
    let mut ice = element("ice").description("Ice on **lakes**. <script>alert(1)</script>").build();
    let mut draft = element("draft").build();
    let mut gone = element("gone").build();
    ice.click_count = 3;
    draft.visibility = Visibility::Private;
    gone.visibility = Visibility::Withdrawn;
    records.commit([ice, draft, gone].map(|element| Change::Put(Box::new(element))).into()).await.unwrap();
    Services {
        records: records.clone(),
        rounds: records,
        index: Arc::new(DownIndex),
        graph: Arc::new(DownGraph),
        geocoder: Arc::new(DownGeocoder),
        embedder: Err("none".into()),
        language: None,
    }
}

#[tokio::test]
async fn a_page_is_whole_without_the_graph_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let services = services(&folder).await;
    let page = element_page(&services, &ElementId::from("ice")).await.unwrap().unwrap();
    assert_eq!(page.element.click_count, 3);
    assert_eq!(page.description_html.trim(), "<p>Ice on <strong>lakes</strong>. </p>");
    assert_eq!(page.graph.neighbours, []);
    assert!(page.graph.degraded.unwrap().contains("could not be read"));
    assert!(neighbours(&services, &ElementId::from("ice")).await.unwrap().unwrap().degraded.is_some());
}

#[tokio::test]
async fn what_is_not_public_has_no_page() {
    let folder = tempfile::tempdir().unwrap();
    let services = services(&folder).await;
    for id in ["draft", "gone", "never", "../ice", ""] {
        assert_eq!(element_page(&services, &ElementId::from(id)).await.unwrap(), None, "{id}");
        assert_eq!(neighbours(&services, &ElementId::from(id)).await.unwrap(), None, "{id}");
    }
}
