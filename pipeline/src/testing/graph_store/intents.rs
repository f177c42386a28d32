//! What every graph answers to the ten intents: one small graph with cycles, ties and elements that are not public, and for each
//! intent the hits in order with the edges that explain them.

use super::{ElementBuilder, element, put};
use crate::{
    model::{
        element::{ElementId, Kind, RelatedRel, Visibility},
        graph::{Direction, Edge, EdgeStep, Node},
        graph_intent::{GraphIntent, PersonOrElement},
    },
    ports::{
        ErrorKind, GraphStore,
        graph_store::{GraphHit, LINEAGE_DEPTH, PATH_DEPTH},
    },
};

/// `d` is used in `n1`, `n2` and `p0`; both notebooks are used in `p1`, the second in `p2`. `d`, `raw` and `m` are derived from each
/// other in a circle. `secret` and `gone` are not public.
fn small_graph() -> Vec<ElementBuilder> {
    vec![
        element("raw").clicks(2).contributor("Bo Li").related(RelatedRel::DerivedFrom, "m"),
        element("d")
            .clicks(5)
            .author("Ada Lovelace")
            .contributor("Bo Li")
            .bookmarked_by("Cy Twombly")
            .bookmarked_by("Di Prima")
            .related(RelatedRel::UsedIn, "n1")
            .related(RelatedRel::UsedIn, "n2")
            .related(RelatedRel::UsedIn, "p0")
            .related(RelatedRel::UsedIn, "secret")
            .related(RelatedRel::UsedIn, "d")
            .related(RelatedRel::DerivedFrom, "raw"),
        element("n1")
            .kind(Kind::Notebook)
            .clicks(3)
            .author("Ada Lovelace")
            .author("Eve Arden")
            .contributor("Bo Li")
            .bookmarked_by("Cy Twombly")
            .related(RelatedRel::UsedIn, "p1"),
        element("n2")
            .kind(Kind::Notebook)
            .clicks(3)
            .author("Eve Arden")
            .bookmarked_by("Cy Twombly")
            .bookmarked_by("Di Prima")
            .related(RelatedRel::UsedIn, "p1")
            .related(RelatedRel::UsedIn, "p2"),
        element("secret")
            .kind(Kind::Notebook)
            .private()
            .clicks(99)
            .author("Ada Lovelace")
            .author("Eve Arden")
            .contributor("Bo Li")
            .bookmarked_by("Cy Twombly")
            .related(RelatedRel::UsedIn, "p3")
            .related(RelatedRel::DerivedFrom, "d"),
        element("gone")
            .kind(Kind::Publication)
            .visibility(Visibility::Withdrawn)
            .clicks(98)
            .author("Ada Lovelace")
            .related(RelatedRel::Cites, "d"),
        element("p0").kind(Kind::Publication),
        element("p1").kind(Kind::Publication).clicks(1).author("Eve Arden").related(RelatedRel::Cites, "d"),
        element("p2").kind(Kind::Publication).related(RelatedRel::RelatedTo, "d"),
        element("p3").kind(Kind::Publication).related(RelatedRel::DerivedFrom, "secret"),
        element("e1").kind(Kind::Publication).author("Eve Arden"),
        element("m").kind(Kind::Map).clicks(7).related(RelatedRel::DerivedFrom, "d"),
        element("alone"),
    ]
}

/// An intent with its hits, each with its score and its edges.
type Expected = (GraphIntent, &'static [(&'static str, f32, &'static str)]);

fn golden() -> Vec<Expected> {
    let id = |id: &str| ElementId::from(id);
    let person = |name: &str| name.to_owned();
    let works_with_ada = |edges: &[Edge]| GraphIntent::WorksWith {
        of: PersonOrElement::Person(person("Ada Lovelace")),
        edges: edges.into(),
        kinds: vec![],
    };
    let related = |element: &str, edges: &[Edge], direction: Option<Direction>, kinds: &[Kind]| GraphIntent::Related {
        element: id(element),
        edges: edges.into(),
        direction,
        kinds: kinds.into(),
    };
    let lineage = |direction| GraphIntent::Lineage { element: id("d"), direction, kinds: vec![] };
    let connection = |from: &str, to: &str| GraphIntent::Connection { from: id(from), to: id(to) };
    vec![
        // 1
        (
            GraphIntent::Contributed { person: person("BO LÍ"), kinds: vec![] },
            &[
                ("d", 1.0, "BO LÍ ←contributed-by d"),
                ("n1", 1.0, "BO LÍ ←contributed-by n1"),
                ("raw", 1.0, "BO LÍ ←contributed-by raw"),
            ],
        ),
        (
            GraphIntent::Contributed { person: person("Bo Li"), kinds: vec![Kind::Notebook] },
            &[("n1", 1.0, "Bo Li ←contributed-by n1")],
        ),
        (GraphIntent::Contributed { person: person("Bo"), kinds: vec![] }, &[]),
        // 2
        (
            GraphIntent::Authored { person: person("Eve Arden"), kinds: vec![] },
            &[
                ("n1", 1.0, "Eve Arden ←authored-by n1"),
                ("n2", 1.0, "Eve Arden ←authored-by n2"),
                ("p1", 1.0, "Eve Arden ←authored-by p1"),
                ("e1", 1.0, "Eve Arden ←authored-by e1"),
            ],
        ),
        // 3
        (
            GraphIntent::Uses { element: id("d"), kinds: vec![] },
            &[("n1", 1.0, "d →used-in n1"), ("n2", 1.0, "d →used-in n2"), ("p0", 1.0, "d →used-in p0")],
        ),
        (GraphIntent::Uses { element: id("d"), kinds: vec![Kind::Publication] }, &[("p0", 1.0, "d →used-in p0")]),
        (GraphIntent::Uses { element: id("secret"), kinds: vec![] }, &[]),
        // 4
        (
            related("d", &[], None, &[]),
            &[
                ("m", 1.0, "d ←derived-from m"),
                ("n1", 1.0, "d →used-in n1"),
                ("n2", 1.0, "d →used-in n2"),
                ("raw", 1.0, "d →derived-from raw"),
                ("p1", 1.0, "d ←cites p1"),
                ("p0", 1.0, "d →used-in p0"),
                ("p2", 1.0, "d ←related-to p2"),
            ],
        ),
        (related("d", &[Edge::Cites], Some(Direction::In), &[]), &[("p1", 1.0, "d ←cites p1")]),
        (related("d", &[Edge::Cites], Some(Direction::Out), &[]), &[]),
        (related("p1", &[Edge::Cites], Some(Direction::Out), &[]), &[("d", 1.0, "p1 →cites d")]),
        (
            related("d", &[Edge::DerivedFrom, Edge::Cites, Edge::BookmarkedBy], None, &[]),
            &[("m", 1.0, "d ←derived-from m"), ("raw", 1.0, "d →derived-from raw"), ("p1", 1.0, "d ←cites p1")],
        ),
        (related("d", &[], None, &[Kind::Map, Kind::Oer]), &[("m", 1.0, "d ←derived-from m")]),
        (related("p3", &[], None, &[]), &[]),
        // 5
        (
            GraphIntent::PublicationsThroughNotebooks { element: id("d") },
            &[
                ("p1", 2.0, "d →used-in n1, n1 →used-in p1, d →used-in n2, n2 →used-in p1"),
                ("p2", 1.0, "d →used-in n2, n2 →used-in p2"),
            ],
        ),
        // 6
        (
            GraphIntent::MostViewed { kinds: vec![], tag: None, area: None },
            &[("m", 7.0, ""), ("d", 5.0, ""), ("n1", 3.0, ""), ("n2", 3.0, ""), ("raw", 2.0, ""), ("p1", 1.0, "")],
        ),
        (
            GraphIntent::MostViewed { kinds: vec![Kind::Notebook, Kind::Publication], tag: None, area: None },
            &[("n1", 3.0, ""), ("n2", 3.0, ""), ("p1", 1.0, "")],
        ),
        // 7
        (
            GraphIntent::MostBookmarked { kinds: vec![] },
            &[
                ("d", 2.0, "d →bookmarked-by Cy Twombly, d →bookmarked-by Di Prima"),
                ("n2", 2.0, "n2 →bookmarked-by Cy Twombly, n2 →bookmarked-by Di Prima"),
                ("n1", 1.0, "n1 →bookmarked-by Cy Twombly"),
            ],
        ),
        (GraphIntent::MostBookmarked { kinds: vec![Kind::Map] }, &[]),
        (
            GraphIntent::BookmarkedBy { person: person("Cy Twombly"), kinds: vec![] },
            &[
                ("d", 1.0, "Cy Twombly ←bookmarked-by d"),
                ("n1", 1.0, "Cy Twombly ←bookmarked-by n1"),
                ("n2", 1.0, "Cy Twombly ←bookmarked-by n2"),
            ],
        ),
        (
            GraphIntent::SharesBookmarkers { element: id("d"), kinds: vec![] },
            &[
                (
                    "n2",
                    2.0,
                    "d →bookmarked-by Cy Twombly, Cy Twombly ←bookmarked-by n2, d →bookmarked-by Di Prima, Di Prima ←bookmarked-by n2",
                ),
                ("n1", 1.0, "d →bookmarked-by Cy Twombly, Cy Twombly ←bookmarked-by n1"),
            ],
        ),
        // 8
        (works_with_ada(&[Edge::AuthoredBy]), &[("n1", 1.0, "Ada Lovelace ←authored-by n1, n1 →authored-by Eve Arden")]),
        (
            works_with_ada(&[]),
            &[
                ("n1", 2.0, "Ada Lovelace ←authored-by n1, n1 →contributed-by Bo Li, n1 →authored-by Eve Arden"),
                ("d", 1.0, "Ada Lovelace ←authored-by d, d →contributed-by Bo Li"),
            ],
        ),
        (
            GraphIntent::WorksWith { of: PersonOrElement::Element(id("d")), edges: vec![Edge::AuthoredBy], kinds: vec![] },
            &[("n1", 1.0, "d →authored-by Ada Lovelace, Ada Lovelace ←authored-by n1")],
        ),
        // 9
        (lineage(None), &[("m", 1.0, "d ←derived-from m"), ("raw", 1.0, "d →derived-from raw")]),
        (
            lineage(Some(Direction::Out)),
            &[("raw", 1.0, "d →derived-from raw"), ("m", 0.5, "d →derived-from raw, raw →derived-from m")],
        ),
        (
            lineage(Some(Direction::In)),
            &[("m", 1.0, "d ←derived-from m"), ("raw", 0.5, "d ←derived-from m, m ←derived-from raw")],
        ),
        (GraphIntent::Lineage { element: id("p3"), direction: None, kinds: vec![] }, &[]),
        // 10
        (
            connection("n1", "p2"),
            &[
                ("n1", 0.5, "n1 ←used-in d, d ←related-to p2"),
                ("d", 0.5, "n1 ←used-in d, d ←related-to p2"),
                ("p2", 0.5, "n1 ←used-in d, d ←related-to p2"),
            ],
        ),
        (
            connection("e1", "p1"),
            &[
                ("e1", 0.5, "e1 →authored-by Eve Arden, Eve Arden ←authored-by p1"),
                ("p1", 0.5, "e1 →authored-by Eve Arden, Eve Arden ←authored-by p1"),
            ],
        ),
        (connection("d", "p3"), &[]),
        (connection("d", "alone"), &[]),
        (connection("d", "secret"), &[]),
        (connection("gone", "d"), &[]),
        (connection("d", "d"), &[]),
    ]
}

pub async fn answer_as_in_the_table(graph: &dyn GraphStore) {
    put(graph, small_graph()).await;
    for (intent, expected) in golden() {
        let found = graph.find(&intent, 20).await.unwrap();
        let found: Vec<(&str, f32, String)> =
            found.iter().map(|hit| (hit.hit.id.0.as_str(), hit.hit.score, written(&hit.because))).collect();
        let expected: Vec<(&str, f32, String)> =
            expected.iter().map(|(id, score, steps)| (*id, *score, (*steps).to_owned())).collect();
        assert_eq!(found, expected, "{intent:?}");
        // a limit takes the first
        let first = graph.find(&intent, 1).await.unwrap();
        assert_eq!(first.len(), expected.len().min(1), "{intent:?}");
        assert_eq!(first.first().map(|hit| hit.hit.id.0.as_str()), expected.first().map(|(id, ..)| *id), "{intent:?}");
        assert!(graph.find(&intent, 0).await.unwrap().is_empty(), "{intent:?}");
    }
}

/// `from →edge to` and `from ←edge to`, elements by id, people by name.
fn written(steps: &[EdgeStep]) -> String {
    let end = |node: &Node| match node {
        Node::Element { id, .. } => id.0.clone(),
        Node::Person { name } => name.clone(),
    };
    let step = |step: &EdgeStep| {
        let arrow = if step.direction == Direction::Out { "→" } else { "←" };
        format!("{} {arrow}{} {}", end(&step.from), step.edge.name(), end(&step.to))
    };
    steps.iter().map(step).collect::<Vec<_>>().join(", ")
}

pub async fn stop_at_their_depth(graph: &dyn GraphStore) {
    let linked = |n: usize| {
        let next = format!("c{:02}", n + 1);
        element(&format!("c{n:02}")).related(RelatedRel::RelatedTo, &next).related(RelatedRel::DerivedFrom, &next)
    };
    put(graph, (0..20).map(linked)).await;
    let path_to = async |end: usize| {
        let to = ElementId(format!("c{end:02}"));
        graph.find(&GraphIntent::Connection { from: ElementId::from("c00"), to }, 20).await.unwrap().len()
    };
    assert_eq!(path_to(PATH_DEPTH).await, PATH_DEPTH + 1);
    assert_eq!(path_to(PATH_DEPTH + 1).await, 0);
    let lineage = GraphIntent::Lineage { element: ElementId::from("c00"), direction: None, kinds: vec![] };
    assert_eq!(graph.find(&lineage, 100).await.unwrap().len(), LINEAGE_DEPTH);
}

pub async fn leave_tags_and_areas_to_the_index(graph: &dyn GraphStore) {
    let tagged = GraphIntent::MostViewed { kinds: vec![], tag: Some("ice".to_owned()), area: None };
    assert_eq!(graph.find(&tagged, 10).await.unwrap_err().kind, ErrorKind::Invalid);
}

/// Random graphs in which a third of the elements is not public: no intent meets one of those, as a hit or on the way.
pub async fn never_meet_what_is_not_public(fresh: impl AsyncFn() -> std::sync::Arc<dyn GraphStore>) {
    const ELEMENTS: u64 = 24;
    let rels = [RelatedRel::Cites, RelatedRel::RelatedTo, RelatedRel::DerivedFrom, RelatedRel::UsedIn];
    let mut met = 0;
    for seed in 1..=8 {
        let graph = fresh().await;
        let mut random = Random(seed);
        let elements: Vec<ElementBuilder> = (0..ELEMENTS)
            .map(|n| {
                let hidden = n.is_multiple_of(3);
                let mut built = element(&format!("{}{n}", if hidden { "hidden" } else { "open" }))
                    .kind(Kind::ALL[random.below(6) as usize])
                    .clicks(random.below(5))
                    .author(&format!("Author {}", random.below(4)))
                    .contributor(&format!("Giver {}", random.below(3)))
                    .bookmarked_by(&format!("Reader {}", random.below(3)));
                for _ in 0..3 {
                    let to = random.below(ELEMENTS);
                    let to = format!("{}{to}", if to.is_multiple_of(3) { "hidden" } else { "open" });
                    built = built.related(rels[random.below(4) as usize], &to);
                }
                if hidden {
                    built.visibility([Visibility::Private, Visibility::Withdrawn][random.below(2) as usize])
                } else {
                    built
                }
            })
            .collect();
        put(&*graph, elements).await;
        for n in 0..ELEMENTS {
            let id = |n: u64| ElementId(format!("{}{n}", if n.is_multiple_of(3) { "hidden" } else { "open" }));
            for intent in every_intent(&id(n), &id((n + 7) % ELEMENTS), n) {
                let hits = graph.find(&intent, 100).await.unwrap();
                assert!(hits.iter().all(is_open), "seed {seed}: {intent:?} met {hits:#?}");
                assert!(!n.is_multiple_of(3) || !asks_of_an_element(&intent) || hits.is_empty(), "seed {seed}: {intent:?}");
                met += hits.len();
            }
        }
    }
    assert!(met > 1_000, "only {met} hits: the graphs show too little");
}

fn every_intent(element: &ElementId, other: &ElementId, n: u64) -> Vec<GraphIntent> {
    let (element, kinds) = (element.clone(), Vec::new());
    vec![
        GraphIntent::Contributed { person: format!("Giver {}", n % 3), kinds: kinds.clone() },
        GraphIntent::Authored { person: format!("Author {}", n % 4), kinds: kinds.clone() },
        GraphIntent::Uses { element: element.clone(), kinds: kinds.clone() },
        GraphIntent::Related { element: element.clone(), edges: vec![], direction: None, kinds: kinds.clone() },
        GraphIntent::PublicationsThroughNotebooks { element: element.clone() },
        GraphIntent::MostViewed { kinds: kinds.clone(), tag: None, area: None },
        GraphIntent::MostBookmarked { kinds: kinds.clone() },
        GraphIntent::BookmarkedBy { person: format!("Reader {}", n % 3), kinds: kinds.clone() },
        GraphIntent::SharesBookmarkers { element: element.clone(), kinds: kinds.clone() },
        GraphIntent::WorksWith { of: PersonOrElement::Person(format!("Author {}", n % 4)), edges: vec![], kinds: kinds.clone() },
        GraphIntent::WorksWith { of: PersonOrElement::Element(element.clone()), edges: vec![], kinds: kinds.clone() },
        GraphIntent::Lineage { element: element.clone(), direction: None, kinds },
        GraphIntent::Connection { from: element, to: other.clone() },
    ]
}

fn asks_of_an_element(intent: &GraphIntent) -> bool {
    matches!(
        intent,
        GraphIntent::Uses { .. }
            | GraphIntent::Related { .. }
            | GraphIntent::PublicationsThroughNotebooks { .. }
            | GraphIntent::SharesBookmarkers { .. }
            | GraphIntent::WorksWith { of: PersonOrElement::Element(_), .. }
            | GraphIntent::Lineage { .. }
            | GraphIntent::Connection { .. }
    )
}

fn is_open(hit: &GraphHit) -> bool {
    let open = |node: &Node| !matches!(node, Node::Element { id, .. } if id.0.starts_with("hidden"));
    hit.hit.id.0.starts_with("open") && hit.because.iter().all(|step| open(&step.from) && open(&step.to))
}

/// A xorshift generator: the same graphs on every run (<https://doi.org/10.18637/jss.v008.i14>).
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }
}
