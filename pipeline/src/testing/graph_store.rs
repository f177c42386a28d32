//! What every graph store does.

mod intents;

use std::sync::Arc;

use super::{
    builders::{ElementBuilder, element},
    records::HOSTILE,
};
use crate::{
    model::{
        element::{ElementId, Kind, RelatedRel, Visibility},
        graph::{Direction, Neighbour, Node},
        graph_intent::GraphIntent,
    },
    ports::{
        GraphStore, Seq,
        records::{ChangeKind, LoggedChange},
    },
};

/// Runs every case against an empty graph of its own.
///
/// # Panics
/// Where the graph does not conform.
pub async fn conform(fresh: impl AsyncFn() -> Arc<dyn GraphStore>) {
    starts_empty(&*fresh().await).await;
    shows_edges_in_both_directions(&*fresh().await).await;
    orders_neighbours(&*fresh().await).await;
    shows_public_ends_only(&*fresh().await).await;
    finds_the_elements_of_a_person(&*fresh().await).await;
    intents::answer_as_in_the_table(&*fresh().await).await;
    intents::stop_at_their_depth(&*fresh().await).await;
    intents::leave_tags_and_areas_to_the_index(&*fresh().await).await;
    intents::never_meet_what_is_not_public(&fresh).await;
    recognises_people_in_a_text(&*fresh().await).await;
    forgets_people_with_their_last_public_element(&*fresh().await).await;
    replaces_what_an_element_had(&*fresh().await).await;
    applies_the_same_twice(&*fresh().await).await;
    counts_clicks(&*fresh().await).await;
    keeps_its_place(&*fresh().await).await;
    takes_hostile_names(&*fresh().await).await;
    serves_readers_while_it_is_written(fresh().await).await;
}

fn change(seq: Seq, element: ElementBuilder) -> LoggedChange {
    LoggedChange { seq, what: ChangeKind::Put, element: element.build() }
}

/// Puts elements; the checkpoint is what it was plus their number.
async fn put(graph: &dyn GraphStore, elements: impl IntoIterator<Item = ElementBuilder>) {
    let checkpoint = graph.checkpoint().await.unwrap();
    let changes: Vec<LoggedChange> =
        elements.into_iter().zip(checkpoint + 1..).map(|(element, seq)| change(seq, element)).collect();
    graph.apply(&changes, checkpoint + changes.len() as Seq).await.unwrap();
}

/// `edge → end` or `edge ← end`, one a line, in the order given.
async fn neighbours(graph: &dyn GraphStore, id: &str) -> Vec<String> {
    let line = |neighbour: Neighbour| {
        let arrow = if neighbour.direction == Direction::Out { "→" } else { "←" };
        let end = match neighbour.node {
            Node::Element { id, kind, title } => format!("{kind} {id} {title}"),
            Node::Person { name } => name,
        };
        format!("{} {arrow} {end}", neighbour.edge.name())
    };
    graph.neighbours(&ElementId::from(id)).await.unwrap().into_iter().map(line).collect()
}

async fn found(graph: &dyn GraphStore, intent: &GraphIntent, limit: usize) -> Vec<String> {
    graph.find(intent, limit).await.unwrap().into_iter().map(|hit| hit.hit.id.0).collect()
}

async fn authored(graph: &dyn GraphStore, name: &str) -> Vec<String> {
    found(graph, &GraphIntent::Authored { person: name.to_owned(), kinds: Vec::new() }, 10).await
}

async fn most_viewed(graph: &dyn GraphStore, limit: usize) -> Vec<String> {
    found(graph, &GraphIntent::MostViewed { kinds: Vec::new(), tag: None, area: None }, limit).await
}

async fn people_in(graph: &dyn GraphStore, text: &str) -> Vec<String> {
    graph.people_in(text).await.unwrap()
}

async fn starts_empty(graph: &dyn GraphStore) {
    assert_eq!(graph.checkpoint().await.unwrap(), 0);
    assert!(neighbours(graph, "none").await.is_empty());
    assert!(authored(graph, "Nobody Here").await.is_empty());
    assert!(most_viewed(graph, 10).await.is_empty());
    assert!(people_in(graph, "Nobody Here").await.is_empty());
}

async fn shows_edges_in_both_directions(graph: &dyn GraphStore) {
    let rich = element("d").title("Ice").author("Ada Lovelace").contributor("Bo Li").bookmarked_by("Cy Twombly");
    let notebook = element("n").kind(Kind::Notebook).title("Melt").related(RelatedRel::DerivedFrom, "d");
    put(graph, [rich.related(RelatedRel::UsedIn, "n").related(RelatedRel::Cites, "p"), notebook]).await;
    put(graph, [element("p").kind(Kind::Publication).title("Paper").related(RelatedRel::RelatedTo, "d")]).await;
    let of_data = [
        "contributed-by → Bo Li",
        "authored-by → Ada Lovelace",
        "bookmarked-by → Cy Twombly",
        "cites → publication p Paper",
        "related-to ← publication p Paper",
        "derived-from ← notebook n Melt",
        "used-in → notebook n Melt",
    ];
    assert_eq!(neighbours(graph, "d").await, of_data);
    assert_eq!(neighbours(graph, "n").await, ["derived-from → dataset d Ice", "used-in ← dataset d Ice"]);
    assert_eq!(neighbours(graph, "p").await, ["cites ← dataset d Ice", "related-to → dataset d Ice"]);
}

async fn orders_neighbours(graph: &dyn GraphStore) {
    let citing = |id: &str, title: &str| element(id).title(title).related(RelatedRel::Cites, "hub");
    put(graph, [citing("3", "Østersjøen"), citing("1", "zebra"), citing("2", "Apple"), citing("4", "apple")]).await;
    put(graph, [element("hub").author("Zoë").author("adam")]).await;
    let expected = [
        "authored-by → adam",
        "authored-by → Zoë",
        "cites ← dataset 2 Apple",
        "cites ← dataset 4 apple",
        "cites ← dataset 3 Østersjøen",
        "cites ← dataset 1 zebra",
    ];
    assert_eq!(neighbours(graph, "hub").await, expected);
}

async fn shows_public_ends_only(graph: &dyn GraphStore) {
    let hub = || element("hub").related(RelatedRel::Cites, "later").related(RelatedRel::Cites, "hidden");
    let spoke = |id: &str| element(id).related(RelatedRel::UsedIn, "hub");
    put(graph, [hub(), spoke("hidden").private(), spoke("gone").visibility(Visibility::Withdrawn), spoke("seen")]).await;
    assert_eq!(neighbours(graph, "hub").await, ["used-in ← dataset seen seen"]);
    for not_public in ["hidden", "gone"] {
        assert!(neighbours(graph, not_public).await.is_empty());
    }
    put(graph, [element("later"), spoke("seen").private()]).await;
    assert_eq!(neighbours(graph, "hub").await, ["cites → dataset later later"]);
    // out of sight and back: the edges of others to it come back with it
    put(graph, [hub().private()]).await;
    assert!(neighbours(graph, "hub").await.is_empty());
    assert!(neighbours(graph, "later").await.is_empty());
    put(graph, [hub(), spoke("hidden")]).await;
    let back = ["cites → dataset hidden hidden", "cites → dataset later later", "used-in ← dataset hidden hidden"];
    assert_eq!(neighbours(graph, "hub").await, back);
}

async fn finds_the_elements_of_a_person(graph: &dyn GraphStore) {
    let all = [
        element("both").author("Søren Åkesson").contributor("SOREN AKESSON").clicks(1),
        element("wrote").author("søren  åkesson").clicks(9),
        element("gave").contributor("Soren Akesson").clicks(5),
        element("marked").bookmarked_by("Søren Åkesson").clicks(7),
        element("hidden").author("Søren Åkesson").clicks(100).private(),
        element("another").author("Søren Åkessen"),
    ];
    put(graph, all).await;
    let (person, kinds) = ("Soren Akesson".to_owned(), Vec::new());
    let contributed = GraphIntent::Contributed { person: person.clone(), kinds: kinds.clone() };
    assert_eq!(found(graph, &contributed, 10).await, ["gave", "both"]);
    assert_eq!(found(graph, &contributed, 1).await, ["gave"]);
    assert_eq!(found(graph, &GraphIntent::BookmarkedBy { person, kinds }, 10).await, ["marked"]);
    assert_eq!(authored(graph, "SØREN ÅKESSON").await, ["wrote", "both"]);
    assert!(authored(graph, "Åkesson").await.is_empty());
}

async fn recognises_people_in_a_text(graph: &dyn GraphStore) {
    let of_people =
        element("a").author("Ada Lovelace").author("Jürgen Müller").contributor("Müller, Ann-Sophie").bookmarked_by("NASA");
    put(graph, [of_people]).await;
    assert_eq!(people_in(graph, "What did ADA LOVELACE write?").await, ["Ada Lovelace"]);
    assert_eq!(people_in(graph, "ann sophie muller and jurgen").await, ["Müller, Ann-Sophie", "Jürgen Müller"]);
    for nobody in ["Ada and Lovelaces", "Muller", "nasa data", "", "🛰️"] {
        assert!(people_in(graph, nobody).await.is_empty(), "{nobody:?}");
    }
}

async fn forgets_people_with_their_last_public_element(graph: &dyn GraphStore) {
    put(
        graph,
        [
            element("a").author("Ada Lovelace"),
            element("b").contributor("ada lovelace"),
            element("c").author("Sad Secret").private(),
        ],
    )
    .await;
    assert_eq!(people_in(graph, "ada lovelace, sad secret").await.len(), 1);
    put(graph, [element("a").private()]).await;
    assert_eq!(people_in(graph, "ada lovelace").await, ["ada lovelace"]);
    put(graph, [element("b").visibility(Visibility::Withdrawn)]).await;
    assert!(people_in(graph, "ada lovelace").await.is_empty());
    assert!(authored(graph, "Ada Lovelace").await.is_empty());
}

async fn replaces_what_an_element_had(graph: &dyn GraphStore) {
    put(graph, [element("a").author("Ada Lovelace").related(RelatedRel::Cites, "b").clicks(3), element("b"), element("c")]).await;
    put(graph, [element("a").title("New").kind(Kind::Code).author("Bo Li").related(RelatedRel::UsedIn, "c")]).await;
    assert_eq!(neighbours(graph, "a").await, ["authored-by → Bo Li", "used-in → dataset c c"]);
    assert_eq!(neighbours(graph, "c").await, ["used-in ← code a New"]);
    assert!(neighbours(graph, "b").await.is_empty());
    assert!(people_in(graph, "Ada Lovelace").await.is_empty());
    assert!(most_viewed(graph, 10).await.is_empty());
}

async fn applies_the_same_twice(graph: &dyn GraphStore) {
    let repetitive = element("a")
        .author("Ada Lovelace")
        .author("Ada Lovelace")
        .related(RelatedRel::Cites, "b")
        .related(RelatedRel::Cites, "b");
    let changes = [change(1, repetitive), change(2, element("b").contributor("Bo Li"))];
    for _ in 0..3 {
        graph.apply(&changes, 2).await.unwrap();
        assert_eq!(neighbours(graph, "a").await, ["authored-by → Ada Lovelace", "cites → dataset b b"]);
        assert_eq!(neighbours(graph, "b").await, ["contributed-by → Bo Li", "cites ← dataset a a"]);
        assert_eq!(people_in(graph, "ada lovelace bo li").await, ["Ada Lovelace", "Bo Li"]);
        assert_eq!(graph.checkpoint().await.unwrap(), 2);
    }
}

async fn counts_clicks(graph: &dyn GraphStore) {
    put(graph, [element("a").author("Ada Lovelace"), element("b").clicks(5)]).await;
    let clicked = |element: ElementBuilder| LoggedChange { seq: 3, what: ChangeKind::Clicked, element: element.build() };
    graph.apply(&[clicked(element("a").author("Ada Lovelace").clicks(8))], 3).await.unwrap();
    assert_eq!(most_viewed(graph, 10).await, ["a", "b"]);
    assert_eq!(neighbours(graph, "a").await, ["authored-by → Ada Lovelace"]);
    // a click on an element that is hidden by now shows nothing
    graph.apply(&[clicked(element("a").clicks(9).private())], 3).await.unwrap();
    assert_eq!(most_viewed(graph, 10).await, ["b"]);
}

async fn keeps_its_place(graph: &dyn GraphStore) {
    put(graph, [element("a").author("Ada Lovelace").clicks(1)]).await;
    graph.apply(&[], 40).await.unwrap();
    assert_eq!(graph.checkpoint().await.unwrap(), 40);
    graph.reset().await.unwrap();
    starts_empty(graph).await;
    assert!(people_in(graph, "Ada Lovelace").await.is_empty());
    put(graph, [element("a").author("Ada Lovelace")]).await;
    assert_eq!(neighbours(graph, "a").await, ["authored-by → Ada Lovelace"]);
}

async fn takes_hostile_names(graph: &dyn GraphStore) {
    for name in HOSTILE {
        let person = format!("Mx {name}");
        put(graph, [element(name).title(name).author(&person).related(RelatedRel::Cites, name).clicks(1)]).await;
        assert_eq!(authored(graph, &person).await, [name]);
        assert_eq!(neighbours(graph, name).await.len(), 3, "{name:?}: a person and itself twice");
        people_in(graph, name).await;
    }
    assert_eq!(most_viewed(graph, 100).await.len(), HOSTILE.len());
    put(graph, [element("countless").clicks(u64::MAX)]).await;
    assert_eq!(most_viewed(graph, 1).await, ["countless"]);
    // a name without a letter is somebody's too
    put(graph, [element("marks").author("???")]).await;
    assert_eq!(authored(graph, "???").await, ["marks"]);
}

async fn serves_readers_while_it_is_written(graph: Arc<dyn GraphStore>) {
    let writer = |first: Seq| {
        let graph = Arc::clone(&graph);
        tokio::spawn(async move {
            for seq in (first..first + 40).step_by(2) {
                let linked = element(&format!("e{seq}")).author("Ada Lovelace").related(RelatedRel::Cites, "hub").clicks(seq);
                graph.apply(&[change(seq, linked)], seq).await.unwrap();
            }
        })
    };
    graph.apply(&[change(1, element("hub"))], 1).await.unwrap();
    let (one, two) = (writer(2), writer(3));
    for _ in 0..20 {
        assert!(neighbours(&*graph, "hub").await.len() <= 40);
        assert!(people_in(&*graph, "ada lovelace").await.len() <= 1);
    }
    one.await.unwrap();
    two.await.unwrap();
    assert_eq!(neighbours(&*graph, "hub").await.len(), 40);
    assert_eq!(most_viewed(&*graph, 2).await, ["e41", "e40"]);
}
