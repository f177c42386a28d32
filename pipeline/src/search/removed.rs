//! Why nothing was found: what each filter alone removed.

use super::Candidates;
use crate::{
    model::{
        query::{Filter, SearchQuery},
        results::FilterEffect,
    },
    services::Services,
};

/// For each filter that is set, how many elements would be found without it; those that would change nothing are left out.
pub async fn removed_by(services: &Services, query: &SearchQuery, candidates: &Candidates) -> Vec<FilterEffect> {
    let filter = &candidates.filter;
    let area_parameter = if query.place.is_some() { "place" } else { "area" };
    let without = [
        ("kind", !filter.kinds.is_empty(), Filter { kinds: Vec::new(), ..filter.clone() }),
        ("tag", !filter.tags.is_empty(), Filter { tags: Vec::new(), ..filter.clone() }),
        ("contributor", !filter.contributors.is_empty(), Filter { contributors: Vec::new(), ..filter.clone() }),
        ("datetime", filter.datetime.is_some(), Filter { datetime: None, ..filter.clone() }),
        (area_parameter, filter.area.is_some() || query.place.is_some(), Filter { area: None, ..filter.clone() }),
    ];
    let mut effects = Vec::new();
    for (parameter, is_set, filter) in without {
        if !is_set {
            continue;
        }
        let found = if candidates.question.text.is_empty() {
            services.index.count(&filter).await
        } else {
            services.index.keyword(&candidates.question.text, &filter, 1).await.map(|list| list.total)
        };
        match found {
            Ok(found_without) if found_without > 0 => {
                effects.push(FilterEffect { parameter: parameter.to_owned(), found_without })
            }
            _ => {}
        }
    }
    effects
}
