//! What the graph says to a question's intents, each hit with its explanation in words.

use std::collections::{HashMap, HashSet};

use super::{DEPTH, admits, phrase::phrase};
use crate::{
    model::{
        element::ElementId,
        graph_intent::GraphIntent,
        query::{Filter, Sort},
    },
    ports::{
        PortResult,
        graph_store::GraphHit,
        search_index::{Hit, RankList},
    },
    services::Services,
};

/// Hits read where a filter takes some of them away, as a multiple of what is asked for.
const READ_BEFORE_A_FILTER: usize = 20;

/// The intents one after the other: the hits of the first come first, and an element keeps its first place.
pub(super) async fn answer(
    services: &Services,
    intents: &[GraphIntent],
    filter: &Filter,
    depth: usize,
    because: &mut HashMap<ElementId, String>,
) -> PortResult<RankList> {
    let mut hits: Vec<Hit> = Vec::new();
    for intent in intents {
        for found in find(services, intent, filter, depth).await? {
            if hits.iter().any(|hit| hit.id == found.hit.id) {
                continue;
            }
            let why = match intent {
                GraphIntent::MostViewed { .. } => format!("viewed {} times", found.hit.click_count),
                _ => phrase(&found.hit.id, &found.because),
            };
            because.insert(found.hit.id.clone(), why);
            hits.push(found.hit);
        }
    }
    if !filter.is_empty() {
        let ids: Vec<ElementId> = hits.iter().map(|hit| hit.id.clone()).collect();
        let elements = services.records.elements(&ids).await?;
        let admitted: HashSet<ElementId> =
            elements.into_iter().filter(|element| admits(filter, element)).map(|element| element.id).collect();
        hits.retain(|hit| admitted.contains(&hit.id));
    }
    hits.truncate(depth);
    Ok(RankList { total: hits.len() as u64, hits })
}

async fn find(services: &Services, intent: &GraphIntent, filter: &Filter, depth: usize) -> PortResult<Vec<GraphHit>> {
    match intent {
        // the search index knows tags and footprints, and sorts all that pass by views
        GraphIntent::MostViewed { kinds, tag, area } if tag.is_some() || area.is_some() || !filter.is_empty() => {
            let mut narrowed = filter.clone();
            if !kinds.is_empty() {
                narrowed.kinds.clone_from(kinds);
            }
            narrowed.tags.extend(tag.clone());
            if area.is_some() {
                narrowed.area.clone_from(area);
            }
            let list = services.index.browse(&narrowed, Sort::Popular, 0, depth).await?;
            let viewed = list.hits.into_iter().filter(|hit| hit.click_count > 0);
            Ok(viewed.map(|hit| GraphHit { hit, because: Vec::new() }).collect())
        }
        _ => {
            let limit = if filter.is_empty() { depth } else { depth.max(DEPTH) * READ_BEFORE_A_FILTER };
            services.graph.find(intent, limit).await
        }
    }
}
