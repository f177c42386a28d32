//! Where sentences end, in text that is still growing too.

/// The sentences of a text, each with the citations after it and the space around it: joined they are the text.
pub fn sentences(text: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let mut from = 0;
    for (at, character) in text.char_indices() {
        let end = at + character.len_utf8();
        let rest = text.get(end..).unwrap_or_default();
        // a stop inside a number or a name ends nothing
        let ends = character == '\n' || (matches!(character, '.' | '!' | '?') && rest.starts_with(char::is_whitespace));
        if at < from || !ends {
            continue;
        }
        let cut = end + citations(rest);
        sentences.extend(text.get(from..cut));
        from = cut;
    }
    sentences.extend(text.get(from..).filter(|left| !left.is_empty()));
    sentences
}

/// How many sentences of a growing text stay as they are, whatever follows.
pub fn settled(sentences: &[&str]) -> usize {
    let Some(last) = sentences.last() else { return 0 };
    let last = last.trim_start();
    // a citation may still join the sentence before
    let open = if last.is_empty() || last.starts_with('[') { 2 } else { 1 };
    sentences.len().saturating_sub(open)
}

/// The length of the `[n]` marks a text begins with.
fn citations(text: &str) -> usize {
    let mut rest = text;
    while let Some((number, after)) = rest.trim_start_matches(' ').strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        if number.parse::<u32>().is_err() {
            break;
        }
        rest = after;
    }
    text.len() - rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn citations_stay_with_their_sentence() {
        let check = |text: &str, expected: &[&str]| {
            assert_eq!(sentences(text), expected);
            assert_eq!(sentences(text).concat(), text);
        };
        check("", &[]);
        check("Ice", &["Ice"]);
        check("Ice covers 3.5 km. [1] [12] Snow? Yes.", &["Ice covers 3.5 km. [1] [12]", " Snow?", " Yes."]);
        check("Ø is cold! [note] It is.\n- one\n", &["Ø is cold!", " [note] It is.", "\n", "- one\n"]);
    }

    #[test]
    fn what_is_settled_never_changes() {
        let text = "Ice is cold. [1][2] Snow melts. [3]\nRain falls. Then";
        for (end, _) in text.char_indices() {
            let grown = sentences(&text[..end]);
            let whole = sentences(text);
            let settled = settled(&grown);
            assert_eq!(grown[..settled], whole[..settled], "{}", &text[..end]);
        }
        assert_eq!(settled(&sentences(text)), 4);
    }
}
