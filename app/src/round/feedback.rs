//! What its owner makes of an answer: a plain form, kept without leaving the page where there is JavaScript.

use leptos::{ev::SubmitEvent, prelude::*};
use pipeline::model::feedback::{Dimension, Feedback, HIGHEST, LOWEST, MAX_COMMENT, Thumbs};

/// How it went with keeping it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kept {
    NotYet,
    Before,
    #[cfg_attr(not(feature = "hydrate"), expect(dead_code, reason = "it is kept in place in the browser"))]
    Now,
}

#[component]
pub fn FeedbackForm(
    /// The address of the round's page.
    page: String,
    /// What was kept before.
    given: Option<Feedback>,
    /// The page it is filled in on.
    back: String,
) -> impl IntoView {
    let given = given.filter(|feedback| !feedback.is_empty());
    let kept = RwSignal::new(if given.is_some() { Kept::Before } else { Kept::NotYet });
    let Feedback { thumbs, ratings, comment } = given.unwrap_or_default();
    let more = !ratings.is_empty() || !comment.is_empty();
    let thumb = |value: &'static str, chosen: Option<Thumbs>, sign: &'static str, words: &'static str| {
        let checked = thumbs == chosen;
        view! {
            <label>
                <input type="radio" name="thumbs" value=value checked=checked />
                <span aria-hidden="true">{sign}</span>
                {words}
            </label>
        }
    };
    let scales = Dimension::ALL.into_iter().map(|dimension| {
        let chosen = ratings.get(&dimension).copied();
        view! { <Scale dimension chosen /> }
    });
    let status = move || match kept.get() {
        Kept::NotYet => "",
        Kept::Before => "Kept. You can change it.",
        Kept::Now => "Saved. You can change it.",
    };
    view! {
        <form class="feedback" id="feedback" method="post" action=format!("{page}/feedback") on:submit=keep_in_place(kept)>
            <fieldset class="thumbs">
                <legend>"Did this help?"</legend>
                {thumb("up", Some(Thumbs::Up), "👍", "Yes")}
                {thumb("down", Some(Thumbs::Down), "👎", "No")}
                {thumb("", None, "", "No opinion")}
            </fieldset>
            <details open=more>
                <summary>"Rate it in detail"</summary>
                <div class="scales">{scales.collect_view()}</div>
                <label class="comment">
                    "Comment"
                    <textarea name="comment" rows="3" maxlength=MAX_COMMENT>
                        {comment}
                    </textarea>
                </label>
            </details>
            <input type="hidden" name="back" value=back />
            <p class="feedback-end">
                <button type="submit">"Save"</button>
                <span class="quiet" role="status">
                    {status}
                </span>
            </p>
        </form>
    }
    .into_any()
}

#[component]
fn Scale(dimension: Dimension, chosen: Option<u8>) -> impl IntoView {
    let choices = (LOWEST..=HIGHEST).map(|rating| {
        let selected = chosen == Some(rating);
        view! { <option value=rating selected=selected>{rating_words(rating)}</option> }
    });
    view! {
        <label>
            <span>
                <strong>{dimension_name(dimension)}</strong>
                " "
                <span class="quiet">{dimension_words(dimension)}</span>
            </span>
            <select name=dimension.name()>
                <option value="">"not rated"</option>
                {choices.collect_view()}
            </select>
        </label>
    }
    .into_any()
}

fn rating_words(rating: u8) -> String {
    match rating {
        LOWEST => format!("{rating} – not at all"),
        HIGHEST => format!("{rating} – fully"),
        _ => rating.to_string(),
    }
}

fn dimension_name(dimension: Dimension) -> &'static str {
    match dimension {
        Dimension::Relevance => "Relevance",
        Dimension::Sufficiency => "Sufficiency",
        Dimension::Accuracy => "Accuracy",
        Dimension::Clarity => "Clarity",
        Dimension::Completeness => "Completeness",
        Dimension::Trust => "Trust",
    }
}

fn dimension_words(dimension: Dimension) -> &'static str {
    match dimension {
        Dimension::Relevance => "the elements fit the question",
        Dimension::Sufficiency => "the elements are enough",
        Dimension::Accuracy => "what is said is right",
        Dimension::Clarity => "it is easy to understand",
        Dimension::Completeness => "nothing that matters is missing",
        Dimension::Trust => "I would rely on it",
    }
}

/// Sends the form and stays. What does not go well is left to the browser, whose next page says what is wrong.
#[cfg(feature = "hydrate")]
fn keep_in_place(kept: RwSignal<Kept>) -> impl Fn(SubmitEvent) {
    use wasm_bindgen::JsCast;

    move |event: SubmitEvent| {
        let form = event.target().and_then(|target| target.dyn_into::<web_sys::HtmlFormElement>().ok());
        let Some((form, sent)) = form.and_then(|form| send(&form).map(|sent| (form, sent))) else { return };
        event.prevent_default();
        kept.set(Kept::NotYet);
        leptos::task::spawn_local(async move {
            let reply = wasm_bindgen_futures::JsFuture::from(sent).await;
            let reply = reply.ok().and_then(|reply| reply.dyn_into::<web_sys::Response>().ok());
            // where it is kept, the reply leads back to the page
            if reply.is_some_and(|reply| reply.type_() == web_sys::ResponseType::Opaqueredirect) {
                kept.try_set(Kept::Now);
            } else {
                // it fails only for a form that is gone
                let _ = form.submit();
            }
        });
    }
}

#[cfg(feature = "hydrate")]
fn send(form: &web_sys::HtmlFormElement) -> Option<js_sys::Promise> {
    let fields = web_sys::FormData::new_with_form(form).ok()?;
    let body = web_sys::UrlSearchParams::new_with_str_sequence_sequence(&fields).ok()?;
    let init = web_sys::RequestInit::new();
    init.set_method("POST");
    init.set_body(&body);
    init.set_redirect(web_sys::RequestRedirect::Manual);
    Some(window().fetch_with_str_and_init(&form.action(), &init))
}

#[cfg(not(feature = "hydrate"))]
fn keep_in_place(_: RwSignal<Kept>) -> impl Fn(SubmitEvent) {
    |_| {}
}
