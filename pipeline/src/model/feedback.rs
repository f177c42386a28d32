//! What a person makes of an answer.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::problem::FieldError;

/// Longest comment, in characters.
pub const MAX_COMMENT: usize = 2_000;
pub const LOWEST: u8 = 1;
pub const HIGHEST: u8 = 5;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Thumbs {
    Up,
    Down,
}

/// What an answer is rated by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Dimension {
    /// The elements shown fit the question.
    Relevance,
    /// The elements shown are enough.
    Sufficiency,
    /// What is said is right.
    Accuracy,
    /// It is easy to understand.
    Clarity,
    /// Nothing that matters is missing.
    Completeness,
    /// It can be relied on.
    Trust,
}

impl Dimension {
    pub const ALL: [Self; 6] =
        [Self::Relevance, Self::Sufficiency, Self::Accuracy, Self::Clarity, Self::Completeness, Self::Trust];

    pub fn name(self) -> &'static str {
        match self {
            Self::Relevance => "relevance",
            Self::Sufficiency => "sufficiency",
            Self::Accuracy => "accuracy",
            Self::Clarity => "clarity",
            Self::Completeness => "completeness",
            Self::Trust => "trust",
        }
    }
}

/// Everything in it is optional.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Feedback {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thumbs: Option<Thumbs>,
    /// 1 to 5 each.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub ratings: BTreeMap<Dimension, u8>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
}

impl Feedback {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// `thumbs` (up, down), each [`Dimension`] by its name (1 to 5) and `comment`; an empty value is none.
    ///
    /// # Errors
    /// Each field that is unknown, given twice or no such value.
    pub fn from_pairs<K: AsRef<str>, V: AsRef<str>>(pairs: impl IntoIterator<Item = (K, V)>) -> Result<Self, Vec<FieldError>> {
        let mut feedback = Self::default();
        let mut errors = Vec::new();
        for (name, value) in pairs {
            let (name, value) = (name.as_ref(), value.as_ref().trim());
            if value.is_empty() {
                continue;
            }
            if let Err(message) = feedback.take(name, value) {
                errors.push(FieldError::new(name, message));
            }
        }
        if errors.is_empty() { Ok(feedback) } else { Err(errors) }
    }

    fn take(&mut self, name: &str, value: &str) -> Result<(), String> {
        let was_there = match name {
            "thumbs" => {
                let thumbs = match value {
                    "up" => Thumbs::Up,
                    "down" => Thumbs::Down,
                    _ => return Err(format!("`{value}` is neither up nor down")),
                };
                self.thumbs.replace(thumbs).is_some()
            }
            "comment" => {
                // browsers send line ends as CRLF and count them as one character
                let comment = value.replace("\r\n", "\n");
                let length = comment.chars().count();
                if length > MAX_COMMENT {
                    return Err(format!("has {length} characters; write at most {MAX_COMMENT}"));
                }
                !std::mem::replace(&mut self.comment, comment).is_empty()
            }
            _ => {
                let Some(dimension) = Dimension::ALL.into_iter().find(|dimension| dimension.name() == name) else {
                    let names = Dimension::ALL.map(Dimension::name).join(", ");
                    return Err(format!("is not part of feedback; it has thumbs, {names} and comment"));
                };
                let rating = value.parse().ok().filter(|rating| (LOWEST..=HIGHEST).contains(rating));
                let rating = rating.ok_or_else(|| format!("give a whole number from {LOWEST} to {HIGHEST}"))?;
                self.ratings.insert(dimension, rating).is_some()
            }
        };
        if was_there { Err("is given twice".to_owned()) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_read_whatever_is_left_out() {
        let check = |pairs: &[(&str, &str)], expected: Feedback| {
            assert_eq!(Feedback::from_pairs(pairs.iter().copied()), Ok(expected), "{pairs:?}");
        };
        check(&[], Feedback::default());
        check(&[("thumbs", ""), ("trust", " "), ("comment", "\r\n")], Feedback::default());
        check(&[("thumbs", "down")], Feedback { thumbs: Some(Thumbs::Down), ..Feedback::default() });
        let ratings = BTreeMap::from([(Dimension::Relevance, 1), (Dimension::Trust, 5)]);
        check(
            &[("trust", "5"), ("relevance", "1"), ("comment", "one\r\ntwo")],
            Feedback { ratings, comment: "one\ntwo".to_owned(), ..Feedback::default() },
        );
        let longest = "ø".repeat(MAX_COMMENT);
        check(&[("comment", &longest)], Feedback { comment: longest.clone(), ..Feedback::default() });
    }

    #[test]
    fn faults_are_named_by_field() {
        let too_long = "x".repeat(MAX_COMMENT + 1);
        for (name, value) in [
            ("thumbs", "sideways"),
            ("relevance", "0"),
            ("clarity", "6"),
            ("accuracy", "4.5"),
            ("trust", "-1"),
            ("sufficiency", "many"),
            ("completeness", "257"),
            ("comment", &too_long),
            ("colour", "red"),
        ] {
            let errors = Feedback::from_pairs([(name, value)]).unwrap_err();
            assert_eq!(errors.iter().map(|error| error.field.as_str()).collect::<Vec<_>>(), [name]);
        }
        let errors = Feedback::from_pairs([("trust", "5"), ("trust", "4"), ("clarity", "9")]).unwrap_err();
        assert_eq!(errors.len(), 2, "{errors:?}");
    }

    #[test]
    fn it_reads_back_as_it_was_written() {
        let feedback = Feedback::from_pairs([("thumbs", "up"), ("trust", "3"), ("comment", "good")]).unwrap();
        let json = serde_json::to_string(&feedback).unwrap();
        assert_eq!(json, r#"{"thumbs":"up","ratings":{"trust":3},"comment":"good"}"#);
        assert_eq!(serde_json::from_str::<Feedback>(&json).unwrap(), feedback);
    }
}
