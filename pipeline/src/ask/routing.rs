//! Which methods take part, by hand-kept trigger patterns.

pub mod intents;

use serde::{Deserialize, Serialize};

use super::{augmentation::Augmented, plan::PlannedMethod};
use crate::model::{
    graph_intent::{GraphIntent, INTENTS},
    query::{Method, SearchQuery},
};

/// One method with the reason why it takes part or stays out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Route {
    pub name: Method,
    pub by: RoutedBy,
    pub why: String,
    pub takes_part: bool,
    /// Whether its hits join the list by themselves. A voice that only supports reorders what the others found: an area
    /// says nothing of the topic, and a popular element may be about anything.
    pub introduces: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RoutedBy {
    Trigger,
    Model,
    User,
}

/// One route per method, in the order of [`Method::ALL`].
pub fn route(query: &SearchQuery, question: &Augmented) -> Vec<Route> {
    Method::ALL.into_iter().map(|method| route_method(query, question, method)).collect()
}

/// Adds the methods a plan names and the triggers left out, where they can run at all. Triggers are never taken back.
pub fn add_planned(routes: &mut [Route], query: &SearchQuery, question: &Augmented, methods: &[PlannedMethod]) {
    for route in routes.iter_mut().filter(|route| !route.takes_part && query.wants(route.name)) {
        let can_run = match route.name {
            Method::Keyword | Method::Semantic => !question.text.is_empty(),
            Method::Spatial => question.area.is_some(),
            Method::Graph => !question.intents.is_empty(),
        };
        if can_run && methods.iter().any(|method| Method::from(*method) == route.name) {
            route.takes_part = true;
            route.by = RoutedBy::Model;
            "the model's plan".clone_into(&mut route.why);
        }
    }
}

/// Whether some method takes part now that did not before.
pub fn adds(routes: &[Route], before: &[Route]) -> bool {
    routes.iter().any(|route| route.takes_part && !before.iter().any(|before| before.name == route.name && before.takes_part))
}

fn route_method(query: &SearchQuery, question: &Augmented, method: Method) -> Route {
    let by = if query.methods.contains(&method) { RoutedBy::User } else { RoutedBy::Trigger };
    if !query.wants(method) {
        return Route { name: method, by: RoutedBy::User, why: "not asked for".to_owned(), takes_part: false, introduces: false };
    }
    let has_text = !question.text.is_empty();
    // `most viewed notebooks` or `what covers Fiji` name no topic: their other words must not bring elements of their own
    let names_topic = !question.topic.is_empty() || (question.area.is_none() && question.intents.is_empty());
    let (takes_part, introduces, why) = match method {
        Method::Keyword if !has_text => (false, false, "there are no words to look for"),
        Method::Keyword => (true, names_topic, "the words of the question"),
        Method::Semantic if !has_text => (false, false, "there are no words to compare"),
        Method::Semantic if question.identifier && by != RoutedBy::User => {
            (false, false, "an identifier has no meaning to compare")
        }
        Method::Semantic => (true, names_topic, "the meaning of the question"),
        Method::Spatial if question.area.is_none() => (false, false, "no area or place is named"),
        Method::Spatial => {
            (true, question.topic.is_empty(), if query.filter.area.is_some() { "an area is given" } else { "a place is named" })
        }
        Method::Graph => match question.intents.first() {
            None => (false, false, "nothing is asked that links answer"),
            Some(GraphIntent::MostViewed { .. }) => (true, question.topic.is_empty(), asks_for(&question.intents)),
            Some(_) => (true, true, asks_for(&question.intents)),
        },
    };
    Route { name: method, by, why: why.to_owned(), takes_part, introduces }
}

/// What the first intent answers.
fn asks_for(intents: &[GraphIntent]) -> &'static str {
    let first = intents.first().map(GraphIntent::name);
    INTENTS.iter().find(|entry| Some(entry.name) == first).map_or("", |entry| entry.answers)
}
