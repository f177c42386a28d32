//! A round as Markdown, to keep and to send. What the catalogue and the model say is text: nothing in it becomes markup or a link.

use std::fmt::Write;

use percent_encoding::{AsciiSet, CONTROLS, NON_ALPHANUMERIC, utf8_percent_encode};

use super::{
    history::{last, rewritten},
    summary::{calls, summary},
};
use crate::model::{
    results::ResultItem,
    round::{Answer, AnswerKind, References, Round, RoundError, RoundView, Stage, StageStatus},
};

/// What would end a link's address in angle brackets, or be read as something else in it.
const IN_ADDRESS: &AsciiSet = &CONTROLS.add(b' ').add(b'<').add(b'>').add(b'\\').add(b'"').add(b'`');
const IN_SEGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The question, the answer with its sources, the filters and how it was found. `site` is where the pages are, such as
/// `https://cairn.example`.
pub fn markdown(view: &RoundView, site: &str) -> String {
    let round = &view.round;
    let address = address(&format!("{site}/rounds/{}", utf8_percent_encode(&round.id.0, IN_SEGMENT)));
    let mut text = format!("# {}\n\nAsked {} at {address}\n\n", line(&round.question), line(&round.created));
    if let Some(rewritten) = rewritten(&view.events) {
        text += &format!("Read as: {}\n\n", line(&rewritten));
    }
    let filters = filters(round);
    if !filters.is_empty() {
        text += &format!("Filters: {filters}\n\n");
    }
    text += "## Answer\n\n";
    let answer: Option<Answer> = last(&view.events, Stage::Answer);
    let failure: Option<RoundError> = last(&view.events, Stage::Error);
    match (&answer, &failure) {
        (Some(answer), _) => text += &answered(answer),
        (None, Some(failure)) => text += &format!("{}. {}\n\n", line(&failure.title), line(&failure.detail)),
        (None, None) => text += "It was not answered yet.\n\n",
    }
    let cards = last(&view.events, Stage::References).map(|references: References| references.items).unwrap_or_default();
    if let Some(answer) = answer.filter(|answer| !answer.citations.is_empty()) {
        text += "## Sources\n\n";
        text += &sources(&answer, &cards, site);
    }
    text += "## How it was found\n\n";
    text += &trace(view);
    text
}

fn answered(answer: &Answer) -> String {
    let kind = match answer.kind {
        AnswerKind::Answer => "Written by a language model from the sources below",
        AnswerKind::Extractive => "Sentences taken from the catalogue; no language model",
        AnswerKind::InsufficientInformation => "Not enough information in the catalogue",
    };
    let paragraphs = answer.text.lines().filter(|line| !line.trim().is_empty());
    paragraphs.fold(format!("*{kind}*\n\n"), |text, paragraph| text + &paragraph_of(paragraph) + "\n\n")
}

/// Each element once, with every sentence quoted from it.
fn sources(answer: &Answer, cards: &[ResultItem], site: &str) -> String {
    let mut text = String::new();
    let mut listed = Vec::new();
    for citation in &answer.citations {
        if listed.contains(&citation.n) {
            continue;
        }
        listed.push(citation.n);
        let card = cards.iter().find(|card| card.id == citation.id);
        let title = line(card.map_or(&citation.id.0, |card| &card.title));
        let page = format!("{site}/elements/{}", utf8_percent_encode(&citation.id.0, IN_SEGMENT));
        text += &format!("- \\[{}\\] [{title}]({})", citation.n, address(&page));
        if let Some(card) = card {
            text += &format!(", {}", card.kind.label());
            for author in &card.authors {
                text += &format!(", {}", line(&author.name));
            }
            let doi = card.doi.as_ref().map(|doi| format!("https://doi.org/{doi}"));
            if let Some(elsewhere) = doi.or_else(|| card.link.as_ref().map(|link| link.href.clone())) {
                text += &format!(", {}", address(&elsewhere));
            }
        }
        text += "\n\n";
        for quoted in answer.citations.iter().filter(|other| other.n == citation.n && !other.quote.is_empty()) {
            text += &format!("  > “{}”\n\n", line(&quoted.quote));
        }
    }
    text
}

fn trace(view: &RoundView) -> String {
    let mut text = String::new();
    let (mut made, mut prompt_tokens, mut completion_tokens) = (0_usize, 0_u64, 0_u64);
    for event in &view.events {
        for call in calls(event) {
            made += 1;
            prompt_tokens += u64::from(call.prompt_tokens);
            completion_tokens += u64::from(call.completion_tokens);
        }
        let Some(summary) = summary(event) else { continue };
        let mark = match event.status {
            StageStatus::Degraded => " (degraded)",
            StageStatus::Failed => " (failed)",
            _ => "",
        };
        let colon = if summary.is_empty() { "" } else { ": " };
        // writing to a string does not fail
        let _ = writeln!(text, "- {:.0} ms, {}{mark}{colon}{}", event.elapsed_ms, event.stage.name(), line(&summary));
    }
    let _ = match made {
        0 => writeln!(text, "\nNo language model was called."),
        _ => writeln!(text, "\nCalls of language models: {made}; tokens read {prompt_tokens}, written {completion_tokens}."),
    };
    text
}

/// What the question was asked under, as a person reads it.
fn filters(round: &Round) -> String {
    let pairs = form_urlencoded::parse(round.search.as_bytes()).filter(|(name, _)| name != "q" && name != "cursor");
    pairs.map(|(name, value)| format!("{} {}", line(&name), line(&value))).collect::<Vec<_>>().join(", ")
}

/// Text within a line: no markup, no line end, no address that a reader's program makes a link of.
fn line(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for (at, character) in text.char_indices() {
        let before = text.get(..at).unwrap_or_default();
        let after = text.get(at + character.len_utf8()..).unwrap_or_default();
        match character {
            _ if character.is_control() => escaped.push(' '),
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '<' | '>' | '#' | '|' | '~' | '&' | '$' | '^' | '!' | '=' | '@' => {
                escaped.extend(['\\', character]);
            }
            ':' if after.starts_with("//") => escaped.push_str("\\:"),
            '.' if before.to_ascii_lowercase().ends_with("www") => escaped.push_str("\\."),
            _ => escaped.push(character),
        }
    }
    escaped.trim().to_owned()
}

/// Text that begins a line: it begins no list and no heading either.
fn paragraph_of(text: &str) -> String {
    let escaped = line(text);
    let digits = escaped.len() - escaped.trim_start_matches(|character: char| character.is_ascii_digit()).len();
    let at = match escaped.get(digits..).and_then(|rest| rest.chars().next()) {
        Some('-' | '+') if digits == 0 => 0,
        Some('.' | ')') if digits > 0 => digits,
        _ => return escaped,
    };
    let (before, after) = escaped.split_at(at);
    format!("{before}\\{after}")
}

fn address(address: &str) -> String {
    format!("<{}>", utf8_percent_encode(address, IN_ADDRESS))
}

#[cfg(test)]
mod tests {
    use pulldown_cmark::{Event, Options, Parser, Tag};
    use serde_json::json;

    use super::*;
    use crate::model::{
        conversation::ConversationId,
        round::{Access, RoundId, TraceEvent},
    };

    const HOSTILE: &str = "# No heading\n- [click](javascript:alert(1)) <script>alert(1)</script> ![x](http://evil.example/x.png) \
        **bold** `code` | cell | ~~gone~~ https://evil.example www.evil.example &lt;b&gt; \\[ \u{1b}[2J\n\n1. list\n    indented\n---\n===\n> quote $x^2$";

    fn view(words: &str) -> RoundView {
        let event = |seq: u64, stage: Stage, data: serde_json::Value| TraceEvent {
            seq,
            round: RoundId("0195".to_owned()),
            stage,
            status: StageStatus::Finished,
            elapsed_ms: 10.0 * seq as f64,
            iteration: 1,
            data,
        };
        let citations = json!([{ "n": 2, "id": "a b", "quote": words }, { "n": 2, "id": "a b", "quote": "Second." }]);
        let call = json!({ "model": "m", "prompt_tokens": 100, "completion_tokens": 20, "elapsed_ms": 5.0, "outcome": "text" });
        let marked = json!([{ "text": words }]);
        let card = json!({ "id": "a b", "kind": "dataset", "title": words, "ranks": {}, "position": 1, "title_marked": marked, "excerpt": marked,
            "authors": [{ "name": words }], "doi": "10.1/x(y)<z>", "click_count": 0 });
        let events = vec![
            event(1, Stage::Memory, json!({ "question": words, "rewritten": words, "because": "it" })),
            event(2, Stage::Retrieval, json!({ "method": "keyword", "count": 3 })),
            event(3, Stage::Validation, json!({ "check": "scan", "verdict": "supported", "calls": [call] })),
            event(4, Stage::Answer, json!({ "text": format!("{words} [2]"), "citations": citations, "kind": "answer" })),
            event(5, Stage::References, json!({ "items": [card] })),
        ];
        let round = Round {
            id: RoundId("0195".to_owned()),
            conversation: ConversationId("c".to_owned()),
            question: words.to_owned(),
            search: "q=x&kind=dataset&datetime=2010%2F..".to_owned(),
            created: "2026-11-30T12:00:00Z".to_owned(),
            finished: true,
        };
        RoundView { round, events, access: Access::Own, share_key: String::new(), feedback: None }
    }

    #[test]
    fn a_round_is_written_whole() {
        insta::assert_snapshot!(markdown(&view("Sea ice since 1979"), "https://cairn.example"));
    }

    /// As a reader's program sees it: headings, lists and links are those of the frame, whatever the words are.
    #[test]
    fn words_of_others_stay_words() {
        let shape = |words: &str| {
            let text = markdown(&view(words), "https://cairn.example");
            let mut shape = Vec::new();
            for event in Parser::new_ext(&text, Options::all()) {
                match event {
                    Event::Start(Tag::Link { dest_url, .. }) => shape.push(format!("link {dest_url}")),
                    Event::Start(Tag::Paragraph) => {}
                    Event::Start(tag) => shape.push(format!("{tag:?}").split(['(', ' ']).next().unwrap().to_owned()),
                    Event::Html(_)
                    | Event::InlineHtml(_)
                    | Event::Code(_)
                    | Event::Rule
                    | Event::InlineMath(_)
                    | Event::DisplayMath(_)
                    | Event::FootnoteReference(_) => shape.push(format!("{event:?}")),
                    _ => {}
                }
            }
            assert!(!text.contains("https://evil") && !text.contains("www.evil"), "{text}");
            shape
        };
        let expected = shape("Sea ice since 1979");
        assert!(expected.contains(&"link https://doi.org/10.1/x(y)%3Cz%3E".to_owned()), "{expected:?}");
        assert_eq!(shape(HOSTILE), expected);
        for words in HOSTILE.lines() {
            assert_eq!(shape(words), expected, "{words}");
        }
    }

    #[test]
    fn a_round_without_an_answer_says_so() {
        let mut failed = view("Sea ice");
        failed.events.truncate(2);
        assert!(markdown(&failed, "").contains("It was not answered yet."));
        let error =
            RoundError { title: "Stopped".to_owned(), detail: "By whom".to_owned(), what_to_do: String::new(), stopped: true };
        failed.events.push(TraceEvent {
            stage: Stage::Error,
            data: serde_json::to_value(error).unwrap(),
            ..failed.events[0].clone()
        });
        let text = markdown(&failed, "");
        assert!(text.contains("Stopped. By whom") && text.contains("No language model was called."), "{text}");
    }
}
