//! Whether a question leans on what was said before, and how it reads by itself.

use serde::Serialize;

use super::Turn;
use crate::text::{fold::fold, words::words};

/// A question that stands by itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Contextualised {
    /// As it was typed.
    pub question: String,
    /// As it is answered, where that differs.
    pub rewritten: Option<String>,
    pub because: String,
}

impl Contextualised {
    pub fn own_words(question: &str, because: &str) -> Self {
        Self { question: question.to_owned(), rewritten: None, because: because.to_owned() }
    }

    /// What is looked for and answered.
    pub fn text(&self) -> &str {
        self.rewritten.as_deref().unwrap_or(&self.question)
    }
}

/// Words that stand for one thing that was named before.
const ONE: [&str; 4] = ["it", "its", "this", "that"];
/// Words that stand for several.
const SEVERAL: [&str; 6] = ["they", "them", "their", "these", "those", "ones"];
/// Nouns after `this`, `that`, `these` and `those` that add nothing to what they point at.
const POINTED_AT: [&str; 12] =
    ["dataset", "datasets", "data", "notebook", "notebooks", "paper", "papers", "map", "maps", "element", "elements", "one"];
/// Beginnings of a question that goes on with the one before.
const GOES_ON: [&str; 7] = ["what about ", "how about ", "and what about ", "and how about ", "and for ", "and in ", "and "];
/// Longer questions say what they mean, whichever words they use.
const MOST_WORDS: usize = 14;

/// Reads a follow-up by rules: a pronoun becomes what the answer before cited, `what about Iceland?` the question before with its
/// place exchanged. `place_in` finds the place a text names.
pub fn by_rules(question: &str, history: &[Turn], place_in: impl Fn(&str) -> Option<String>) -> Contextualised {
    let Some(before) = history.last() else {
        return Contextualised::own_words(question, "it is the first question of the conversation");
    };
    let asked = words(question);
    if asked.len() > MOST_WORDS {
        return Contextualised::own_words(question, "it says by itself what it means");
    }
    let rewrite = |rewritten: String, because: &str| Contextualised {
        question: question.to_owned(),
        rewritten: Some(rewritten),
        because: because.to_owned(),
    };
    if let Some(rest) = going_on(question) {
        let exchanged = match (place_in(rest), place_in(&before.question)) {
            (Some(new), Some(old)) => Some(before.question.replace(&old, &new)).filter(|text| *text != before.question),
            _ => None,
        };
        let rewritten = exchanged.unwrap_or_else(|| format!("{}, {rest}", before.question.trim_end_matches(['?', '.', ' '])));
        return rewrite(rewritten, "it goes on with the question before");
    }
    for (at, word) in asked.iter().enumerate() {
        let one = ONE.contains(&word.folded.as_str());
        if !one && !SEVERAL.contains(&word.folded.as_str()) {
            continue;
        }
        let noun = asked.get(at + 1).filter(|noun| POINTED_AT.contains(&noun.folded.as_str()));
        // `that` and `this` before another word are no pronouns: `maps that show ice`
        if matches!(word.folded.as_str(), "that" | "this" | "these" | "those") && noun.is_none() && at + 1 < asked.len() {
            continue;
        }
        let end = noun.map_or(word.end, |noun| noun.end);
        let (Some(head), Some(tail)) = (question.get(..word.start), question.get(end..)) else { continue };
        let named: Vec<String> =
            before.cited.iter().take(if one { 1 } else { 3 }).map(|(_, title)| format!("“{title}”")).collect();
        if named.is_empty() {
            return rewrite(format!("{} ({})", question, before.question), "it points at the question before");
        }
        let possessive = if matches!(word.folded.as_str(), "its" | "their") { "'s" } else { "" };
        return rewrite(format!("{head}{}{possessive}{tail}", named.join(", ")), "it points at what the answer before cited");
    }
    Contextualised::own_words(question, "it does not lean on what was said before")
}

/// What follows a beginning that goes on with the question before.
fn going_on(question: &str) -> Option<&str> {
    let trimmed = question.trim_start();
    let start = GOES_ON.iter().find(|start| fold(trimmed).starts_with(*start))?;
    // folding ASCII keeps its length
    let rest = trimmed.get(start.len()..)?.trim().trim_end_matches(['?', '.', ' ']);
    (!rest.is_empty()).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::element::ElementId;

    fn turn() -> Turn {
        let cited = [("a", "Glaciers of Iceland"), ("b", "Ice caps")];
        Turn {
            question: "Which datasets show glaciers in Iceland?".to_owned(),
            answer: None,
            cited: cited.map(|(id, title)| (ElementId::from(id), title.to_owned())).to_vec(),
        }
    }

    fn place_in(text: &str) -> Option<String> {
        ["Iceland", "Alaska"].into_iter().find(|place| text.contains(place)).map(str::to_owned)
    }

    fn check(question: &str, expected: Option<&str>) {
        assert_eq!(by_rules(question, &[turn()], place_in).rewritten.as_deref(), expected, "{question}");
    }

    #[test]
    fn follow_ups_are_read_with_what_came_before() {
        check("What about Alaska?", Some("Which datasets show glaciers in Alaska?"));
        check("And in Alaska?", Some("Which datasets show glaciers in Alaska?"));
        check("What about sea ice?", Some("Which datasets show glaciers in Iceland, sea ice"));
        check("Who wrote it?", Some("Who wrote “Glaciers of Iceland”?"));
        check("What is its licence?", Some("What is “Glaciers of Iceland”'s licence?"));
        check("Which notebooks use this dataset?", Some("Which notebooks use “Glaciers of Iceland”?"));
        check("Which period do they cover?", Some("Which period do “Glaciers of Iceland”, “Ice caps” cover?"));
    }

    #[test]
    fn other_questions_keep_their_words() {
        check("Which notebooks map floods?", None);
        check("Maps that show ice", None);
        check("Where can I find a very long question that says everything it means about rivers and lakes of the world?", None);
        assert_eq!(by_rules("Who wrote it?", &[], place_in).rewritten, None);
    }
}
