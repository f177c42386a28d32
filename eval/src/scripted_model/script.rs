//! What the scripted model says to whom.

use std::time::Duration;

use regex::Regex;
use serde::Deserialize;
use serde_json::Value;

/// The first rule that fits replies; where none does, the reply is a sensible one.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Script {
    pub rules: Vec<Rule>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rule {
    pub when: When,
    pub reply: Reply,
    #[serde(skip)]
    fitted: usize,
}

/// Every condition that is given must hold.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct When {
    /// A part of the prompt.
    pub contains: Option<String>,
    /// A pattern somewhere in the prompt.
    #[serde(deserialize_with = "pattern")]
    pub matches: Option<Regex>,
    /// The name of the schema that is asked for, which is the task; empty for calls without one, which is writing.
    pub schema: Option<String>,
    /// Only the first, second, … call for which the rest holds.
    pub call: Option<usize>,
}

/// How a call is replied to. Without text and JSON the text is a sensible one for the prompt.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Reply {
    pub text: Option<String>,
    pub json: Option<Value>,
    pub finish: Finish,
    /// Said in the field for refusals, with no text.
    pub refusal: Option<String>,
    /// An error in place of a reply; its message repeats the prompt, as real ones may.
    pub status: Option<u16>,
    /// Before the first token.
    pub wait_ms: u64,
    /// Before each further token.
    pub token_ms: u64,
    /// Characters of a token; 0 for words.
    pub token_chars: usize,
    /// The connection breaks after this many tokens.
    pub break_after: Option<usize>,
    /// An error stands in the stream after this many tokens.
    pub fail_after: Option<usize>,
    /// Whether the count of tokens is told.
    pub usage: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    #[default]
    Stop,
    Length,
    ContentFilter,
    /// The stream ends in good order without saying why.
    None,
}

impl Finish {
    pub(super) fn reason(self) -> Option<&'static str> {
        match self {
            Self::Stop => Some("stop"),
            Self::Length => Some("length"),
            Self::ContentFilter => Some("content_filter"),
            Self::None => None,
        }
    }
}

impl Default for Reply {
    fn default() -> Self {
        Self {
            text: None,
            json: None,
            finish: Finish::Stop,
            refusal: None,
            status: None,
            wait_ms: 0,
            token_ms: 0,
            token_chars: 0,
            break_after: None,
            fail_after: None,
            usage: true,
        }
    }
}

impl Reply {
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: Some(text.into()), ..Self::default() }
    }

    pub(super) fn wait(&self) -> Duration {
        Duration::from_millis(self.wait_ms)
    }

    pub(super) fn token_time(&self) -> Duration {
        Duration::from_millis(self.token_ms)
    }

    /// The text in tokens.
    pub(super) fn tokens(&self, text: &str) -> Vec<String> {
        if self.token_chars == 0 {
            return text.split_inclusive(char::is_whitespace).map(str::to_owned).collect();
        }
        let letters: Vec<char> = text.chars().collect();
        letters.chunks(self.token_chars).map(|token| token.iter().collect()).collect()
    }
}

impl Rule {
    pub fn new(when: When, reply: Reply) -> Self {
        Self { when, reply, fitted: 0 }
    }

    fn fits(&mut self, prompt: &str, schema: &str) -> bool {
        let when = &self.when;
        let holds = when.contains.as_ref().is_none_or(|part| prompt.contains(part))
            && when.matches.as_ref().is_none_or(|pattern| pattern.is_match(prompt))
            && when.schema.as_ref().is_none_or(|name| name == schema);
        self.fitted += usize::from(holds);
        holds && when.call.is_none_or(|call| call == self.fitted)
    }
}

impl Script {
    /// # Errors
    /// No JSON of a script.
    pub fn read(json: &str) -> serde_json::Result<Self> {
        serde_json::from_str(json)
    }

    /// Every call is replied to alike.
    pub fn always(reply: Reply) -> Self {
        Self { rules: vec![Rule::new(When::default(), reply)] }
    }

    pub(super) fn reply(&mut self, prompt: &str, schema: &str) -> Reply {
        self.rules.iter_mut().find_map(|rule| rule.fits(prompt, schema).then(|| rule.reply.clone())).unwrap_or_default()
    }
}

fn pattern<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Regex>, D::Error> {
    let pattern: Option<String> = Option::deserialize(deserializer)?;
    pattern.map(|pattern| Regex::new(&pattern).map_err(serde::de::Error::custom)).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_rule_that_fits_replies() {
        let mut script = Script::read(
            r#"{"rules": [
                {"when": {"schema": "plan", "call": 2}, "reply": {"text": "second plan"}},
                {"when": {"matches": "ic[ey]", "schema": ""}, "reply": {"text": "ice", "finish": "length"}},
                {"when": {"contains": "flood"}, "reply": {"status": 503}}
            ]}"#,
        )
        .unwrap();
        let mut said = |prompt: &str, schema: &str| {
            let reply = script.reply(prompt, schema);
            (reply.text, reply.status)
        };
        assert_eq!(said("icy roads", ""), (Some("ice".to_owned()), None));
        assert_eq!(said("icy roads", "plan"), (None, None), "no rule fits");
        assert_eq!(said("floods", "plan"), (Some("second plan".to_owned()), None));
        assert_eq!(said("floods", "plan"), (None, Some(503)));
    }

    #[test]
    fn a_typing_error_is_no_script() {
        for text in [r#"{"rule": []}"#, r#"{"rules": [{"reply": {"txt": ""}}]}"#, r#"{"rules": [{"when": {"matches": "("}}]}"#] {
            assert!(Script::read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_text_is_its_tokens() {
        for (token_chars, expected) in [(0, vec!["Sea ", "ice ", "grows"]), (4, vec!["Sea ", "ice ", "grow", "s"])] {
            assert_eq!(Reply { token_chars, ..Reply::default() }.tokens("Sea ice grows"), expected);
        }
        assert_eq!(Reply::default().tokens(""), Vec::<String>::new());
    }
}
