//! Orders other than relevance, over the candidates of a search.

use std::{cmp::Reverse, collections::HashMap};

use crate::{
    ask::fusion::Fused,
    model::{
        element::{Element, ElementId},
        query::Sort,
    },
    ports::PortResult,
    services::Services,
    text::fold::fold,
};

/// The same candidates in another order, ties by id.
pub async fn sorted(services: &Services, sort: Sort, mut fused: Vec<Fused>) -> PortResult<Vec<Fused>> {
    let ids: Vec<ElementId> = fused.iter().map(|fused| fused.id.clone()).collect();
    let elements: HashMap<ElementId, Element> =
        services.records.elements(&ids).await?.into_iter().map(|element| (element.id.clone(), element)).collect();
    fused.retain(|fused| elements.contains_key(&fused.id));
    fused.sort_by(|a, b| a.id.cmp(&b.id));
    let of = |fused: &Fused| elements.get(&fused.id);
    match sort {
        Sort::Relevance => {}
        Sort::Popular => fused.sort_by_key(|fused| Reverse(of(fused).map(|element| element.click_count))),
        Sort::Newest => fused.sort_by_key(|fused| Reverse(of(fused).and_then(|element| element.updated.clone()))),
        Sort::Title => fused.sort_by_key(|fused| of(fused).map(|element| fold(&element.title))),
    }
    Ok(fused)
}
