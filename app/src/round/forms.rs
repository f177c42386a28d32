//! Forms that ask: each is posted and answered with the page of the new round.

use leptos::prelude::*;
use pipeline::model::conversation::ConversationId;

use crate::query_string;

/// Asks under the filters of a search, and goes on with a conversation where one is given.
#[component]
pub fn AskForm(
    /// The query string whose filters hold.
    search: String,
    #[prop(default = None)] conversation: Option<ConversationId>,
    class: &'static str,
    children: Children,
) -> impl IntoView {
    let conversation = conversation.map(|id| view! { <input type="hidden" name="conversation" value=id.0 /> });
    view! {
        <form class=class method="post" action="/ask">
            {children()}
            {conversation}
            <Kept search />
        </form>
    }
    .into_any()
}

/// The filters of a search as fields.
#[component]
fn Kept(search: String) -> impl IntoView {
    let kept = query_string::pairs(&search).into_iter().filter(|(name, _)| name != "q" && name != "cursor");
    kept.map(|(name, value)| view! { <input type="hidden" name=name value=value /> }).collect_view()
}
