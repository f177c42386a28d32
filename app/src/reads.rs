//! What pages read from the server. All of them are GET and change nothing.

use leptos::{
    prelude::*,
    server_fn::codec::{GetUrl, Post},
};
use pipeline::model::{
    conversation::{ConversationLog, ConversationPage},
    element_page::ElementPage,
    overview::Overview,
    results::SearchResults,
};

use crate::{fault::PageFault, json_text::JsonText, round::RoundLog};

#[cfg(feature = "ssr")]
use {
    crate::{fault::from_ports, query_string, settings::Visitor},
    pipeline::{
        ask::{
            access::{self, Caller, RoundKeys},
            history,
        },
        model::{
            conversation::{ConversationId, OwnerId},
            element::ElementId,
            round::RoundId,
        },
        services::Services,
    },
};

/// Conversations a page.
#[cfg(feature = "ssr")]
const CONVERSATIONS: usize = 20;

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

/// A round and its log as far as it has come; `key` is that of the link, where there is one.
#[server(prefix = "/pages", endpoint = "round", input = GetUrl, output = Post<JsonText>)]
pub async fn fetch_round(id: String, key: Option<String>) -> Result<RoundLog, PageFault> {
    let (services, keys) = (from_ports::server_context::<Services>()?, from_ports::server_context::<RoundKeys>()?);
    let caller = Caller { visitor: visitor()?, key };
    access::view(&*services.rounds, &keys, &RoundId(id), &caller).await.map_err(|error| {
        from_ports::absent_or_failed(
            error,
            "There is no round with this address",
            "The address is mistyped, or it is another visitor's who has not shared it.",
        )
    })
}

/// A visitor's conversations, the newest first, from `cursor` on.
#[server(prefix = "/pages", endpoint = "conversations", input = GetUrl, output = Post<JsonText>)]
pub async fn fetch_conversations(cursor: Option<String>) -> Result<ConversationPage, PageFault> {
    let services = from_ports::server_context::<Services>()?;
    let cursor = cursor.map(ConversationId);
    let page = history::conversation_page(&*services.rounds, visitor()?.as_ref(), cursor.as_ref(), CONVERSATIONS).await;
    page.map_err(from_ports::port_failed)
}

/// What was asked and answered in one of a visitor's conversations.
#[server(prefix = "/pages", endpoint = "conversation", input = GetUrl, output = Post<JsonText>)]
pub async fn fetch_conversation(id: String) -> Result<ConversationLog, PageFault> {
    let services = from_ports::server_context::<Services>()?;
    let log = history::conversation_log(&*services.rounds, &ConversationId(id), visitor()?.as_ref()).await;
    log.map_err(|error| {
        from_ports::absent_or_failed(
            error,
            "There is no conversation with this address",
            "The address is mistyped, or it is another visitor's: conversations are kept for the browser they were held in.",
        )
    })
}

#[cfg(feature = "ssr")]
fn visitor() -> Result<Option<OwnerId>, PageFault> {
    Ok(from_ports::server_context::<Visitor>()?.0)
}
