//! One element as its page shows it.

use crate::{
    model::{
        element::{Element, ElementId},
        element_page::{ElementPage, GraphReport},
    },
    ports::PortResult,
    services::Services,
    text::markdown::to_safe_html,
};

/// The page of a public element; `None` when there is no such element or it is not public, so that the two cannot be told
/// apart. A graph that does not answer leaves the page whole and is named in it.
///
/// # Errors
/// Records that cannot be read.
pub async fn element_page(services: &Services, id: &ElementId) -> PortResult<Option<ElementPage>> {
    let Some(element) = public_element(services, id).await? else { return Ok(None) };
    let description_html = to_safe_html(&element.description);
    let graph = graph_report(services, id).await;
    Ok(Some(ElementPage { element, description_html, graph }))
}

/// The edges of a public element; `None` as for [`element_page`].
///
/// # Errors
/// Records that cannot be read.
pub async fn neighbours(services: &Services, id: &ElementId) -> PortResult<Option<GraphReport>> {
    match public_element(services, id).await? {
        Some(_) => Ok(Some(graph_report(services, id).await)),
        None => Ok(None),
    }
}

async fn public_element(services: &Services, id: &ElementId) -> PortResult<Option<Element>> {
    Ok(services.records.element(id).await?.filter(Element::is_public))
}

async fn graph_report(services: &Services, id: &ElementId) -> GraphReport {
    match services.graph.neighbours(id).await {
        Ok(neighbours) => GraphReport { neighbours, degraded: None },
        Err(error) => {
            tracing::warn!(operation = error.operation, kind = ?error.kind, "the graph did not answer");
            let reason = "The links to other elements could not be read just now; the rest of this page is complete.";
            GraphReport { neighbours: Vec::new(), degraded: Some(reason.to_owned()) }
        }
    }
}
