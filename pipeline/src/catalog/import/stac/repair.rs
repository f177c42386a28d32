//! Almost-JSON: a Python or hand-made rendering of JSON whose words have lost their quotes.

use serde_json::Value;

const MAX_BYTES: usize = 100_000;

/// Reads the text as JSON, after quoting bare words where that is what is missing. `None` when even that does not help.
pub(super) fn almost_json(text: &str) -> Option<Value> {
    if text.len() > MAX_BYTES {
        return None;
    }
    serde_json::from_str(text).or_else(|_| serde_json::from_str(&with_quotes(text))).ok()
}

/// Quotes every run that is neither punctuation, a number nor a JSON word; single quotes become double ones.
fn with_quotes(text: &str) -> String {
    let mut repaired = String::with_capacity(text.len() + 32);
    let mut bare = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '{' | '}' | '[' | ']' | ',' | ':' => {
                flush(&mut bare, &mut repaired);
                repaired.push(letter);
            }
            '"' | '\'' => {
                flush(&mut bare, &mut repaired);
                let quoted: String = letters.by_ref().take_while(|other| *other != letter).collect();
                repaired.push_str(&Value::from(quoted).to_string());
            }
            other => bare.push(other),
        }
    }
    flush(&mut bare, &mut repaired);
    repaired
}

fn flush(bare: &mut String, repaired: &mut String) {
    let word = bare.trim();
    match word {
        "" => {}
        "None" => repaired.push_str("null"),
        "True" | "False" => repaired.push_str(&word.to_lowercase()),
        _ if serde_json::from_str::<Value>(word).is_ok() => repaired.push_str(word),
        _ => repaired.push_str(&Value::from(word).to_string()),
    }
    bare.clear();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<&str>) {
        let expected = expected.map(|text| serde_json::from_str::<Value>(text).unwrap());
        assert_eq!(almost_json(text), expected, "{text}");
    }

    #[test]
    fn bare_words_are_quoted() {
        check(r#"{"interval": [[Not Available, Not Available]]}"#, Some(r#"{"interval":[["Not Available","Not Available"]]}"#));
        check("{'bbox': [[-180.0, 90]], 'end': None}", Some(r#"{"bbox":[[-180.0,90]],"end":null}"#));
        check(r#"{"a": [1, 2]}"#, Some(r#"{"a":[1,2]}"#));
        check("[nan, -1e5]", Some(r#"["nan",-1e5]"#));
        check("{broken", None);
        check("", None);
    }
}
