//! What a model thinks aloud between tags is left out, whatever pieces its text comes in.

const NAMES: [&str; 4] = ["think", "thinking", "thought", "reasoning"];

/// Takes a text piece by piece.
///
/// A closing tag that was never opened ends reasoning too, since some chat templates open it in the prompt: the text then begins
/// after it, though what came before has been given out already.
#[derive(Debug, Default)]
pub(super) struct WithoutReasoning {
    /// Not given out yet: a tag may be beginning in it.
    pending: String,
    open: Option<&'static str>,
    text: String,
}

enum Tag {
    Opens(&'static str),
    Closes(&'static str),
}

impl WithoutReasoning {
    /// The part of the text that can be shown now; it never begins with white space at the very start.
    pub fn push(&mut self, piece: &str) -> String {
        self.pending.push_str(piece);
        let mut shown = String::new();
        loop {
            let Some(at) = self.pending.find('<') else {
                let rest = std::mem::take(&mut self.pending);
                self.show(&rest, &mut shown);
                return shown;
            };
            let before: String = self.pending.drain(..at).collect();
            self.show(&before, &mut shown);
            match whole_tag(&self.pending) {
                Some((tag, length)) => {
                    self.pending.drain(..length);
                    self.pass(&tag);
                }
                None if may_become_tag(&self.pending) => return shown,
                None => {
                    self.pending.drain(..1);
                    self.show("<", &mut shown);
                }
            }
        }
    }

    /// The end of the text, which no tag completes any more.
    pub fn finish(&mut self) -> String {
        let mut shown = String::new();
        let rest = std::mem::take(&mut self.pending);
        self.show(&rest, &mut shown);
        shown
    }

    /// Everything so far, without white space around it.
    pub fn text(&self) -> &str {
        self.text.trim_end()
    }

    fn show(&mut self, text: &str, shown: &mut String) {
        if self.open.is_some() {
            return;
        }
        let text = if self.text.is_empty() { text.trim_start() } else { text };
        self.text.push_str(text);
        shown.push_str(text);
    }

    fn pass(&mut self, tag: &Tag) {
        match (tag, self.open) {
            (Tag::Opens(name), None) => self.open = Some(name),
            (Tag::Closes(name), Some(open)) if *name == open => self.open = None,
            (Tag::Closes(_), None) => self.text.clear(),
            _ => {}
        }
    }
}

/// The tag that a text begins with, and its length.
fn whole_tag(text: &str) -> Option<(Tag, usize)> {
    NAMES.into_iter().find_map(|name| {
        let begins = |tag: &str| text.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag));
        let [opening, closing] = tags(name);
        let tag = if begins(&opening) { (Tag::Opens(name), opening.len()) } else { (Tag::Closes(name), closing.len()) };
        (begins(&opening) || begins(&closing)).then_some(tag)
    })
}

fn may_become_tag(text: &str) -> bool {
    NAMES.into_iter().flat_map(tags).any(|tag| tag.get(..text.len()).is_some_and(|start| start.eq_ignore_ascii_case(text)))
}

fn tags(name: &str) -> [String; 2] {
    [format!("<{name}>"), format!("</{name}>")]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What was shown, and the text at the end.
    fn filtered<'a>(pieces: impl IntoIterator<Item = &'a str>) -> (String, String) {
        let mut filter = WithoutReasoning::default();
        let mut shown: String = pieces.into_iter().map(|piece| filter.push(piece)).collect();
        shown.push_str(&filter.finish());
        (shown, filter.text().to_owned())
    }

    #[rstest::rstest]
    #[case("plain", "plain")]
    #[case("<think>so</think>\n\nAnswer [1].\n", "Answer [1].")]
    #[case("<THINK>so</Think>Answer", "Answer")]
    #[case("<reasoning>a < b</reasoning>yes", "yes")]
    #[case("before <think>so</think>after", "before after")]
    #[case("<think>never closed", "")]
    #[case("said <think>never closed", "said")]
    #[case("<think></think>", "")]
    #[case("<think>a</reasoning>b</think>c", "c")]
    #[case("a < b <thin> <thinker>", "a < b <thin> <thinker>")]
    #[case("ends in <thi", "ends in <thi")]
    #[case("opened in the prompt</think>{\"a\": 1}", "{\"a\": 1}")]
    #[case("<think>a<think>b</think>c</think>d", "d")]
    #[case("<<think>x</think>é", "<é")]
    fn tags_are_left_out(#[case] text: &str, #[case] expected: &str) {
        assert_eq!(filtered([text]).1, expected);
        let letters: Vec<String> = text.chars().map(String::from).collect();
        assert_eq!(filtered(letters.iter().map(String::as_str)).1, expected, "letter by letter");
    }

    #[test]
    fn what_cannot_become_a_tag_is_shown_at_once() {
        let mut filter = WithoutReasoning::default();
        assert_eq!(filter.push("ice <"), "ice ");
        assert_eq!(filter.push(" 5 m"), "< 5 m");
        assert_eq!(filter.push(" <think>"), " ");
        assert_eq!(filter.push("hm"), "");
        assert_eq!(filter.push("</think>thick"), "thick");
    }

    fn parts() -> impl Strategy<Value = Vec<&'static str>> {
        let alphabet = [
            "<",
            ">",
            "/",
            "think",
            "thinking",
            "<think>",
            "</think>",
            "</thinking>",
            "<Reasoning>",
            "</reasoning>",
            " ",
            "\n",
            "é",
            "洪",
            "a",
        ];
        prop::collection::vec(prop::sample::select(alphabet.to_vec()), 0..24)
    }

    proptest! {
        #[test]
        fn however_it_is_split_it_comes_out_alike(parts in parts(), lengths in prop::collection::vec(1..7usize, 0..60)) {
            let text = parts.concat();
            let letters: Vec<char> = text.chars().collect();
            let mut pieces = Vec::new();
            let mut from = 0_usize;
            for length in lengths.into_iter().chain([usize::MAX]) {
                let to = from.saturating_add(length).min(letters.len());
                pieces.push(letters[from..to].iter().collect::<String>());
                from = to;
            }
            let whole = filtered([text.as_str()]);
            prop_assert_eq!(filtered(pieces.iter().map(String::as_str)), whole.clone());
            prop_assert!(whole.0.trim_end().ends_with(&whole.1), "{:?}", whole);
        }

        #[test]
        fn text_without_tags_is_kept(text in "[^<]{0,80}") {
            prop_assert_eq!(filtered([text.as_str()]).1, text.trim());
        }
    }
}
