use std::{sync::Arc, time::Duration};

use async_trait::async_trait;

use super::*;
use crate::{
    engines::{
        embedded,
        sqlite::{SqliteGraph, SqliteRecords, SqliteVectorCache},
    },
    guard::cache::CachedEmbedder,
    model::{
        element::{Element, ElementId},
        graph_intent::GraphIntent,
        query::{Filter, Sort},
    },
    ports::{
        Embedder, ErrorKind, GraphStore, Records, SearchIndex,
        embedder::ModelIdentity,
        records::{Change, LoggedChange},
        search_index::IndexPart,
    },
    testing::{
        builders::element,
        fakes::{DownGeocoder, DownGraph, HashEmbedder, MemoryIndex},
        records::put,
    },
};

/// Real records and graph, an index in memory, an embedder without a model behind a real cache.
struct Setup {
    folder: tempfile::TempDir,
    records: Arc<SqliteRecords>,
    index: Arc<MemoryIndex>,
    graph: Arc<SqliteGraph>,
    hash: Arc<HashEmbedder>,
    services: Services,
}

impl Setup {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let records = Arc::new(SqliteRecords::open(folder.path()).await.unwrap());
        let graph = Arc::new(SqliteGraph::open(folder.path()).await.unwrap());
        let index = Arc::new(MemoryIndex::default());
        let hash = Arc::new(HashEmbedder::new(32));
        let cache = Arc::new(SqliteVectorCache::open(folder.path()).await.unwrap());
        let services = Services {
            records: records.clone(),
            rounds: records.clone(),
            index: index.clone(),
            graph: graph.clone(),
            geocoder: Arc::new(DownGeocoder),
            embedder: Ok(Arc::new(CachedEmbedder::new(hash.clone(), cache))),
            language: None,
        };
        Self { folder, records, index, graph, hash, services }
    }

    async fn commit(&self, elements: impl IntoIterator<Item = impl Into<Element>>) {
        self.records.commit(elements.into_iter().map(put).collect()).await.unwrap();
    }

    async fn catch_up(&self) -> Vec<Refusal> {
        catch_up(&self.services).await.unwrap()
    }

    async fn rows_behind(&self) -> Vec<(&'static str, u64)> {
        lag(&self.services).await.unwrap().iter().map(|lag| (lag.name, lag.rows())).collect()
    }

    /// Waits for projectors in the background; the time only bounds a failure.
    async fn until(&self, what: &str, condition: impl AsyncFn(&Self) -> bool) {
        for _ in 0..600 {
            if condition(self).await {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("{what}: not within 30 s");
    }
}

const LEVEL: [(&str, u64); 3] = [("text", 0), ("vectors", 0), ("graph", 0)];

#[tokio::test(flavor = "multi_thread")]
async fn an_element_is_found_in_every_target() {
    let setup = Setup::new().await;
    setup.commit([element("ice").title("Lake ice").author("Ada Lovelace"), element("soup").title("Tomato soup")]).await;
    assert_eq!(setup.rows_behind().await, [("text", 2), ("vectors", 2), ("graph", 2)]);
    assert_eq!(setup.catch_up().await, []);
    assert_eq!(setup.rows_behind().await, LEVEL);
    let by_words = setup.index.keyword("lake", &Filter::default(), 10).await.unwrap();
    assert_eq!(by_words.hits[0].id, ElementId::from("ice"));
    let vector = setup.hash.embed_query("lake ice").await.unwrap();
    let by_meaning = setup.index.semantic(&vector, &Filter::default(), 10).await.unwrap();
    assert_eq!(by_meaning.hits[0].id, ElementId::from("ice"));
    assert_eq!(setup.graph.people_in("ada lovelace").await.unwrap(), ["Ada Lovelace"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn batches_follow_each_other_to_the_end() {
    let setup = Setup::new().await;
    setup.commit((0..1_234).map(|n| element(&format!("e{n}")))).await;
    assert_eq!(setup.catch_up().await, []);
    assert_eq!((setup.index.ids().len(), setup.index.vector_ids().len()), (1_234, 1_234));
    assert_eq!(setup.index.applications(), 3);
    assert_eq!(setup.rows_behind().await, LEVEL);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_public_leaves_every_target() {
    let setup = Setup::new().await;
    let person = |id: &str| element(id).author(&format!("Ada {id}"));
    setup.commit([person("open"), person("closed"), person("gone")]).await;
    setup.catch_up().await;
    setup.commit([person("closed").private()]).await;
    setup.records.commit(vec![Change::Withdraw(ElementId::from("gone"))]).await.unwrap();
    setup.catch_up().await;
    assert_eq!(setup.index.ids(), ["open"]);
    assert_eq!(setup.index.vector_ids(), ["open"]);
    assert_eq!(setup.graph.people_in("ada open closed gone").await.unwrap(), ["Ada open"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_vector_is_computed_once_for_a_text() {
    let setup = Setup::new().await;
    setup.commit([element("a").title("Lake ice").description("on *lakes*"), element("b").title("Sea ice")]).await;
    setup.catch_up().await;
    assert_eq!(setup.hash.computed(), 2);
    setup.records.click(&ElementId::from("a"), "visitor", 30).await.unwrap();
    setup.commit([element("a").title("Lake ice").description("on lakes").tag("new")]).await;
    setup.catch_up().await;
    assert_eq!(setup.hash.computed(), 2, "a click and a tag change no embedded text");
    // an erased index is filled from the cache
    setup.index.reset(IndexPart::Vectors).await.unwrap();
    setup.catch_up().await;
    assert_eq!((setup.hash.computed(), setup.index.vector_ids().len()), (2, 2));
    setup.commit([element("b").title("River ice")]).await;
    setup.catch_up().await;
    assert_eq!(setup.hash.computed(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_element_without_words_has_no_vector() {
    let setup = Setup::new().await;
    setup.commit([element("silent").title(" "), element("word")]).await;
    assert_eq!(setup.catch_up().await, []);
    assert_eq!(setup.index.vector_ids(), ["word"]);
    assert_eq!(setup.rows_behind().await, LEVEL);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_element_is_reported_and_the_rest_goes_on() {
    let setup = Setup::new().await;
    setup.commit((0..20).map(|n| element(&format!("e{n:02}")))).await;
    setup.catch_up().await;
    setup.index.refuse("e07");
    setup.commit((0..20).map(|n| element(&format!("e{n:02}")).tag("new"))).await;
    let refused = setup.catch_up().await;
    assert_eq!(refused.len(), 1);
    assert_eq!((refused[0].projection, refused[0].id.0.as_str()), ("text", "e07"));
    assert_eq!(refused[0].reason, "memory index: apply: this element is refused");
    assert_eq!(setup.index.ids().len(), 19, "its old version does not linger");
    assert!(!setup.index.ids().contains(&"e07".to_owned()));
    assert_eq!(setup.rows_behind().await, LEVEL);
}

/// Refuses texts with the word "poison", alone and among others.
struct Delicate(HashEmbedder);

#[async_trait]
impl Embedder for Delicate {
    fn model(&self) -> &ModelIdentity {
        self.0.model()
    }

    async fn embed(&self, texts: &[String]) -> PortResult<Vec<Vec<f32>>> {
        if texts.iter().any(|text| text.contains("poison")) {
            return Err(PortError::new(ErrorKind::Invalid, "delicate", "poison"));
        }
        self.0.embed(texts).await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_the_model_refuses_costs_its_own_vector_only() {
    let mut setup = Setup::new().await;
    setup.services.embedder = Ok(Arc::new(Delicate(HashEmbedder::new(32))));
    setup.commit([element("a"), element("b").title("poison"), element("c")]).await;
    let refused = setup.catch_up().await;
    assert_eq!(refused.iter().map(|refusal| (refusal.projection, refusal.id.0.as_str())).collect::<Vec<_>>(), [("vectors", "b")]);
    assert_eq!(setup.index.vector_ids(), ["a", "c"]);
    assert_eq!(setup.index.ids(), ["a", "b", "c"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_model_only_the_vectors_stand_still() {
    let mut setup = Setup::new().await;
    setup.services.embedder = Err(Arc::from("no model is installed"));
    setup.commit([element("a")]).await;
    assert_eq!(setup.catch_up().await, []);
    let lags = lag(&setup.services).await.unwrap();
    let vectors = ProjectionLag { name: "vectors", checkpoint: 0, last_seq: 1, error: Some("no model is installed".to_owned()) };
    assert_eq!(lags[1], vectors);
    assert_eq!(setup.rows_behind().await, [("text", 0), ("vectors", 1), ("graph", 0)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_target_ahead_of_the_log_is_built_anew() {
    let setup = Setup::new().await;
    setup.commit([element("old-1").author("Old One"), element("old-2"), element("old-3")]).await;
    setup.catch_up().await;
    // the records are erased, the projections stay
    let fresh = tempfile::tempdir().unwrap();
    let records = Arc::new(SqliteRecords::open(fresh.path()).await.unwrap());
    let services = Services { records: records.clone(), rounds: records.clone(), ..setup.services.clone() };
    records.commit(vec![put(element("new"))]).await.unwrap();
    assert_eq!(lag(&services).await.unwrap().iter().map(ProjectionLag::rows).collect::<Vec<_>>(), [1, 1, 1]);
    catch_up(&services).await.unwrap();
    assert_eq!(setup.index.ids(), ["new"]);
    assert_eq!(setup.index.vector_ids(), ["new"]);
    assert!(setup.graph.people_in("old one").await.unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn erased_records_are_noticed_before_the_log_grows() {
    let setup = Setup::new().await;
    assert_eq!(reset_foreign(&setup.services).await.unwrap(), [""; 0]);
    setup.commit([element("old").author("Old One")]).await;
    setup.catch_up().await;
    let fresh = tempfile::tempdir().unwrap();
    let records = Arc::new(SqliteRecords::open(fresh.path()).await.unwrap());
    let services = Services { records: records.clone(), rounds: records.clone(), ..setup.services.clone() };
    assert_eq!(reset_foreign(&services).await.unwrap(), ["text", "vectors", "graph"]);
    records.commit(vec![put(element("new-1")), put(element("new-2"))]).await.unwrap();
    catch_up(&services).await.unwrap();
    assert_eq!(setup.index.ids(), ["new-1", "new-2"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_target_that_is_down_for_a_moment_catches_up() {
    let setup = Setup::new().await;
    setup.commit([element("a")]).await;
    setup.index.fail_next(2);
    assert_eq!(setup.catch_up().await, []);
    assert_eq!(setup.index.ids(), ["a"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_target_that_stays_down_keeps_nobody_else_back() {
    let mut setup = Setup::new().await;
    setup.services.graph = Arc::new(DownGraph);
    setup.commit([element("a")]).await;
    assert_eq!(catch_up(&setup.services).await.unwrap_err().kind, ErrorKind::Unavailable);
    assert_eq!((setup.index.ids(), setup.index.vector_ids()), (vec!["a".to_owned()], vec!["a".to_owned()]));
    let graph = lag(&setup.services).await.unwrap().pop().unwrap();
    assert_eq!((graph.name, graph.error.as_deref()), ("graph", Some("fake engine: it is down")));
}

#[tokio::test(flavor = "multi_thread")]
async fn projectors_follow_the_log_until_they_are_stopped() {
    let setup = Setup::new().await;
    setup.commit([element("before")]).await;
    let projectors = Projectors::start(&setup.services);
    setup.until("what was there is found", async |setup| setup.rows_behind().await == LEVEL).await;
    setup.commit([element("during").author("Ada Lovelace")]).await;
    setup.until("what came is found", async |setup| setup.rows_behind().await == LEVEL).await;
    assert_eq!(setup.index.ids(), ["before", "during"]);
    assert_eq!(setup.graph.people_in("ada lovelace").await.unwrap(), ["Ada Lovelace"]);

    setup.index.fail_next(3);
    setup.commit([element("after trouble")]).await;
    setup.until("trouble passes", async |setup| setup.rows_behind().await == LEVEL).await;

    projectors.stop().await;
    setup.commit([element("too late")]).await;
    assert!(!setup.index.ids().contains(&"too late".to_owned()));
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_cut_projections_and_log_agree_again() {
    let setup = Setup::new().await;
    setup.commit((0..300).map(|n| element(&format!("e{n:03}")).author(&format!("Person {n}")))).await;
    let projectors = Projectors::start(&setup.services);
    setup.until("something is projected", async |setup| !setup.index.ids().is_empty()).await;
    // dropped like a process that is killed
    drop(projectors);
    setup.records.commit(vec![Change::Withdraw(ElementId::from("e007"))]).await.unwrap();
    let records = Arc::new(SqliteRecords::open(setup.folder.path()).await.unwrap());
    let graph = Arc::new(SqliteGraph::open(setup.folder.path()).await.unwrap());
    let services = Services { records: records.clone(), rounds: records.clone(), graph: graph.clone(), ..setup.services.clone() };
    catch_up(&services).await.unwrap();
    let public: Vec<String> =
        records.page(None, 1_000).await.unwrap().into_iter().filter(Element::is_public).map(|element| element.id.0).collect();
    assert_eq!(setup.index.ids(), public);
    assert_eq!(setup.index.vector_ids(), public);
    assert!(graph.people_in("person 7").await.unwrap().is_empty());
    assert_eq!(graph.people_in("person 8").await.unwrap(), ["Person 8"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_is_enough_to_fill_a_new_target() {
    let setup = Setup::new().await;
    setup.commit([element("a").clicks(3), element("b")]).await;
    setup.records.click(&ElementId::from("b"), "visitor", 30).await.unwrap();
    setup.records.commit(vec![Change::Withdraw(ElementId::from("a"))]).await.unwrap();
    let changes: Vec<LoggedChange> = setup.records.changes(0, 10).await.unwrap();
    assert_eq!(changes.len(), 2);
    setup.catch_up().await;
    let most_viewed = GraphIntent::MostViewed { kinds: vec![], tag: None, area: None };
    assert_eq!(setup.graph.find(&most_viewed, 10).await.unwrap()[0].hit.id, ElementId::from("b"));
}

/// The real engines: what is found by every method, and that a folder opened again agrees with its log.
#[tokio::test(flavor = "multi_thread")]
async fn the_embedded_engines_find_what_was_committed() {
    let folder = tempfile::tempdir().unwrap();
    let open = async || {
        let model: Arc<dyn Embedder> = Arc::new(HashEmbedder::default());
        embedded::open(folder.path(), Ok(model)).await.unwrap()
    };
    let services = open().await;
    let ice = element("ice").title("Lake ice in Lapland").author("Ada Lovelace").bbox(20.0, 66.0, 30.0, 70.0);
    services.records.commit(vec![put(ice), put(element("soup").title("Tomato soup").author("Bo Li"))]).await.unwrap();
    catch_up(&services).await.unwrap();
    assert_eq!(found_by_every_method(&services, "lake ice", "Ada Lovelace").await, ["ice", "ice", "ice"]);

    // stopped after a commit and before it was projected
    let snow = element("snow").title("Snow depth on mountains").author("Cy Twombly");
    services.records.commit(vec![put(snow), Change::Withdraw(ElementId::from("soup"))]).await.unwrap();
    drop(services);
    let services = open().await;
    assert!(lag(&services).await.unwrap().iter().all(|lag| lag.rows() == 2));
    assert_eq!(reset_foreign(&services).await.unwrap(), [""; 0]);
    catch_up(&services).await.unwrap();
    assert!(lag(&services).await.unwrap().iter().all(|lag| lag.rows() == 0));
    assert_eq!(found_by_every_method(&services, "snow depth", "Cy Twombly").await, ["snow", "snow", "snow"]);
    let browsed = services.index.browse(&Filter::default(), Sort::Title, 0, 10).await.unwrap();
    assert_eq!(browsed.hits.iter().map(|hit| hit.id.0.as_str()).collect::<Vec<_>>(), ["ice", "snow"]);
    assert!(services.graph.people_in("bo li").await.unwrap().is_empty());
}

/// The first hit by words, by meaning and by a person's name.
async fn found_by_every_method(services: &Services, words: &str, person: &str) -> [String; 3] {
    let vector = services.embedder.as_ref().unwrap().embed_query(words).await.unwrap();
    let keyword = services.index.keyword(words, &Filter::default(), 10).await.unwrap();
    let semantic = services.index.semantic(&vector, &Filter::default(), 10).await.unwrap();
    let people = services.graph.people_in(person).await.unwrap();
    let graph = services.graph.find(&GraphIntent::Authored { person: people[0].clone(), kinds: vec![] }, 10).await.unwrap();
    [&keyword.hits[0], &semantic.hits[0], &graph[0].hit].map(|hit| hit.id.0.clone())
}
