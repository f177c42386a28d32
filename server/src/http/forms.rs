//! What people do on pages without JavaScript: each form is posted here and leads back to a page.

use axum::{
    extract::{Path, RawForm, State},
    response::{IntoResponse, Redirect, Response},
};
use pipeline::{
    ask::Request,
    model::{
        conversation::ConversationId,
        feedback::Feedback,
        query::SearchQuery,
        round::{PathChoice, RoundId},
    },
};

use super::{
    AppState,
    owner::{Asking, Calling},
    problems::ApiError,
};
use crate::api::{feedback, rounds};

type Pairs = Vec<(String, String)>;

/// Starts a round and shows it beside the cards of the same search: loading that page anew asks nothing. A form with faults goes
/// to the search page, which names them.
pub async fn ask(State(state): State<AppState>, asking: Asking, RawForm(form): RawForm) -> Result<Response, ApiError> {
    let mut pairs = read(&form);
    let conversation = take(&mut pairs, "conversation").map(ConversationId);
    let path = match take(&mut pairs, "path").as_deref() {
        Some("standard") => PathChoice::Standard,
        Some("multi-hop") => PathChoice::MultiHop,
        _ => PathChoice::Auto,
    };
    let own_words = take(&mut pairs, "own_words").is_some();
    let query = SearchQuery::from_pairs(pairs.iter().map(|(name, value)| (name, value)));
    match query {
        Ok(query) if !query.q.is_empty() => {
            let search = form_urlencoded::Serializer::new(String::new()).extend_pairs(query.to_pairs()).finish();
            let request = Request { path, own_words, ..query.into() };
            let round = rounds::start(&state, &asking, conversation.as_ref(), request).await?;
            Ok((asking.cookie, Redirect::to(&format!("/?{search}&round={}", round.id))).into_response())
        }
        _ => {
            let search = form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
            Ok(Redirect::to(&format!("/?{search}")).into_response())
        }
    }
}

/// Stops a round and leads back to the page it was stopped on.
pub async fn stop(
    State(state): State<AppState>,
    Path(id): Path<RoundId>,
    Calling(caller): Calling,
    RawForm(form): RawForm,
) -> Result<Redirect, ApiError> {
    let back = take(&mut read(&form), "back");
    rounds::stop_own(&state, &id, &caller).await?;
    Ok(Redirect::to(&way_back(back, &id, "")))
}

/// Keeps what is made of a round and leads back to the page it was rated on.
pub async fn rate(
    State(state): State<AppState>,
    Path(id): Path<RoundId>,
    Calling(caller): Calling,
    RawForm(form): RawForm,
) -> Result<Redirect, ApiError> {
    let mut pairs = read(&form);
    let back = take(&mut pairs, "back");
    feedback::keep(&state, &id, &caller, Feedback::from_pairs(pairs)).await?;
    Ok(Redirect::to(&way_back(back, &id, "#feedback")))
}

fn read(form: &[u8]) -> Pairs {
    form_urlencoded::parse(form).into_owned().collect()
}

/// The value of a field that is not for the rest; empty is none.
fn take(pairs: &mut Pairs, name: &str) -> Option<String> {
    let at = pairs.iter().position(|(there, _)| there == name)?;
    let (_, value) = pairs.remove(at);
    Some(value).filter(|value| !value.is_empty())
}

/// The page a form names, when it is one of this site; the round's own otherwise.
fn way_back(back: Option<String>, round: &RoundId, anchor: &str) -> String {
    // browsers read `//host`, `/\host` and, leaving tabs and line ends out, `/<tab>/host` as another site
    let is_local = |back: &String| {
        back.starts_with('/')
            && !back.starts_with("//")
            && !back.contains(|character: char| character == '\\' || character.is_control())
    };
    let page = back.filter(is_local).unwrap_or_else(|| format!("/rounds/{round}"));
    if page.contains('#') { page } else { format!("{page}{anchor}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rstest::rstest]
    #[case(None, "/rounds/r#feedback")]
    #[case(Some("/?q=ice&round=r"), "/?q=ice&round=r#feedback")]
    #[case(Some("/rounds/r#rate"), "/rounds/r#rate")]
    #[case(Some("https://evil.example"), "/rounds/r#feedback")]
    #[case(Some("//evil.example"), "/rounds/r#feedback")]
    #[case(Some("/\\evil.example"), "/rounds/r#feedback")]
    #[case(Some("/\t/evil.example"), "/rounds/r#feedback")]
    #[case(Some("/x\r\nset-cookie: a=b"), "/rounds/r#feedback")]
    #[case(Some("rounds/r"), "/rounds/r#feedback")]
    fn forms_lead_back_to_this_site(#[case] back: Option<&str>, #[case] page: &str) {
        assert_eq!(way_back(back.map(str::to_owned), &RoundId("r".to_owned()), "#feedback"), page);
    }
}
