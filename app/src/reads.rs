//! What pages read from the server. All of them are GET and change nothing.

use leptos::{
    prelude::*,
    server_fn::codec::{GetUrl, Post},
};
use pipeline::model::{element_page::ElementPage, overview::Overview, results::SearchResults};

use crate::{fault::PageFault, json_text::JsonText, round::RoundLog};

#[cfg(feature = "ssr")]
use {
    crate::{fault::from_ports, query_string},
    pipeline::{
        model::{element::ElementId, round::RoundId},
        services::Services,
    },
};

/// The results of the search that a query string says.
#[server(prefix = "/pages", endpoint = "search", input = GetUrl, output = Post<JsonText>)]
pub async fn fetch_search(query: String) -> Result<SearchResults, PageFault> {
    let services = from_ports::server_context::<Services>()?;
    let query = query_string::read(&query).map_err(from_ports::invalid)?;
    pipeline::search::search(&services, &query).await.map_err(from_ports::search_failed)
}

/// What the catalogue holds, for a first visit.
#[server(prefix = "/pages", endpoint = "overview", input = GetUrl, output = Post<JsonText>)]
pub async fn fetch_overview() -> Result<Overview, PageFault> {
    let services = from_ports::server_context::<Services>()?;
    pipeline::catalog::overview(&services).await.map_err(from_ports::port_failed)
}

#[server(prefix = "/pages", endpoint = "element", input = GetUrl, output = Post<JsonText>)]
pub async fn fetch_element(id: String) -> Result<ElementPage, PageFault> {
    let services = from_ports::server_context::<Services>()?;
    let page = pipeline::catalog::element_page(&services, &ElementId(id)).await.map_err(from_ports::port_failed)?;
    page.ok_or_else(|| {
        from_ports::not_found("There is no element with this address", "It may have been withdrawn, or the address is mistyped.")
    })
}

/// A round and its log as far as it has come.
#[server(prefix = "/pages", endpoint = "round", input = GetUrl, output = Post<JsonText>)]
pub async fn fetch_round(id: String) -> Result<RoundLog, PageFault> {
    let (services, id) = (from_ports::server_context::<Services>()?, RoundId(id));
    let round = services.rounds.round(&id).await.map_err(from_ports::port_failed)?;
    let round = round.ok_or_else(|| {
        from_ports::not_found("There is no round with this address", "The address is mistyped, or it was removed.")
    })?;
    let events = services.rounds.events(&id, 0).await.map_err(from_ports::port_failed)?;
    Ok(RoundLog { round, events })
}
