//! Questions that go on from an answer, made of what its evidence is linked to, so that the catalogue can answer them.

use super::evidence::Evidence;
use crate::{
    model::{
        graph::{Direction, Edge, Node},
        round::{Answer, AnswerKind},
    },
    services::Services,
};

/// Suggestions shown.
const MOST: usize = 3;
/// Longer titles make no short question.
const TITLE_CHARS: usize = 90;

/// Up to three questions; none for a refusal, and none where the graph does not answer.
pub async fn suggest(services: &Services, answer: &Answer, evidence: &[Evidence]) -> Vec<String> {
    if answer.kind == AnswerKind::InsufficientInformation {
        return Vec::new();
    }
    let cited = |evidence: &&Evidence| answer.citations.iter().any(|citation| citation.id == evidence.element.id);
    let mut questions = Vec::new();
    for evidence in evidence.iter().filter(cited) {
        let element = &evidence.element;
        let Ok(neighbours) = services.graph.neighbours(&element.id).await else { return questions };
        let titled = element.title.chars().count() <= TITLE_CHARS;
        for neighbour in &neighbours {
            let question = match (neighbour.edge, neighbour.direction, &neighbour.node) {
                (Edge::UsedIn, Direction::Out, Node::Element { .. }) if titled => format!("What uses “{}”?", element.title),
                (Edge::DerivedFrom, Direction::Out, Node::Element { .. }) if titled => {
                    format!("What is “{}” derived from?", element.title)
                }
                (Edge::Cites, Direction::In, Node::Element { .. }) if titled => format!("What cites “{}”?", element.title),
                (Edge::RelatedTo, _, Node::Element { .. }) if titled => format!("What is related to “{}”?", element.title),
                (Edge::AuthoredBy, Direction::Out, Node::Person { name }) => format!("What else did {name} write?"),
                _ => continue,
            };
            if !questions.contains(&question) {
                questions.push(question);
                // one of each element first
                break;
            }
        }
    }
    questions.truncate(MOST);
    questions
}
