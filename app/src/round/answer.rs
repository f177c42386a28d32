//! The answer, each claim with a link to the card it rests on, and the sentences quoted.

use leptos::{either::Either, prelude::*};
use pipeline::model::{
    element::ElementId,
    results::ResultItem,
    round::{Answer, AnswerKind},
};

use super::{cards::Cards, story::title_of};
use crate::query_string;

/// A run of text or a citation.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Cite(u32),
}

/// Splits at `[n]`; brackets around anything else are text.
fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('[') {
        plain.push_str(before);
        match after.split_once(']').and_then(|(inside, after)| Some((inside.parse::<u32>().ok()?, after))) {
            Some((n, after)) => {
                if !plain.is_empty() {
                    pieces.push(Piece::Text(std::mem::take(&mut plain)));
                }
                pieces.push(Piece::Cite(n));
                rest = after;
            }
            None => {
                plain.push('[');
                rest = after;
            }
        }
    }
    plain.push_str(rest);
    if !plain.is_empty() {
        pieces.push(Piece::Text(plain));
    }
    pieces
}

#[component]
pub fn AnswerView(
    answer: Answer,
    references: Vec<ResultItem>,
    /// Where the cards of the page are.
    cards: Cards,
    lit: RwSignal<Option<ElementId>>,
) -> impl IntoView {
    let Answer { text, citations, kind, .. } = answer;
    let paragraphs = text.split('\n').filter(|line| !line.trim().is_empty()).map(|line| {
        let line = pieces(line).into_iter().map(|piece| match piece {
            Piece::Text(text) => Either::Left(text),
            Piece::Cite(n) => {
                let citation = citations.iter().find(|citation| citation.n == n);
                let id = citation.map(|citation| citation.id.clone());
                let quote = citation.map(|citation| citation.quote.clone());
                Either::Right(view! { <Cite n href=cards.address(n, id.as_ref()) id quote lit /> })
            }
        });
        view! { <p>{line.collect_view()}</p> }
    });
    let paragraphs = paragraphs.collect_view();
    let mut anchored = Vec::new();
    let quotes = citations.iter().map(|citation| {
        let address = query_string::element_address(&citation.id);
        let first = !anchored.contains(&citation.n);
        anchored.push(citation.n);
        let (light, light_on_focus) = (citation.id.clone(), citation.id.clone());
        view! {
            <li
                value=citation.n
                id=first.then(|| Cards::quote_anchor(citation.n))
                on:mouseenter=move |_| lit.set(Some(light.clone()))
                on:mouseleave=move |_| lit.set(None)
                on:focusin=move |_| lit.set(Some(light_on_focus.clone()))
                on:focusout=move |_| lit.set(None)
            >
                <blockquote cite=address.clone()>{citation.quote.clone()}</blockquote>
                <a href=address>{title_of(&references, &citation.id)}</a>
            </li>
        }
    });
    let quotes = quotes.collect_view();
    view! {
        <div class="answer" class:insufficient=kind == AnswerKind::InsufficientInformation>
            <p class="answer-kind">{kind_words(kind)}</p>
            {paragraphs}
            {(!quotes.is_empty()).then(|| view! { <h3>"What it rests on"</h3><ol class="quotes">{quotes}</ol> })}
        </div>
    }
    .into_any()
}

#[component]
fn Cite(n: u32, href: String, id: Option<ElementId>, quote: Option<String>, lit: RwSignal<Option<ElementId>>) -> impl IntoView {
    let light = move || lit.set(id.clone());
    let light_on_focus = light.clone();
    view! {
        <a
            class="cite"
            href=href
            rel="external"
            title=quote
            on:mouseenter=move |_| light()
            on:mouseleave=move |_| lit.set(None)
            on:focus=move |_| light_on_focus()
            on:blur=move |_| lit.set(None)
        >
            {format!("[{n}]")}
        </a>
    }
}

fn kind_words(kind: AnswerKind) -> &'static str {
    match kind {
        AnswerKind::Answer => "Written by a language model from elements of the catalogue; every claim names its source",
        AnswerKind::Extractive => "Sentences taken from the catalogue; no language model",
        AnswerKind::InsufficientInformation => "Not enough information in the catalogue",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn citations_are_links_and_other_brackets_are_text() {
        let text = |text: &str| Piece::Text(text.to_owned());
        let check = |answer: &str, expected: &[Piece]| assert_eq!(pieces(answer), expected, "{answer}");
        check("Ice melts. [1][12] Snow [too].", &[text("Ice melts. "), Piece::Cite(1), Piece::Cite(12), text(" Snow [too].")]);
        check("[a [2", &[text("[a [2")]);
        check("x[[3]]", &[text("x["), Piece::Cite(3), text("]")]);
        check("", &[]);
    }
}
