//! What a person typed into a search box: words, quoted phrases, and what a leading minus excludes. Nothing else is syntax.

/// Every text can be read; nothing in it is an error.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TypedQuery {
    /// What stands outside of quotes, as written.
    pub free: String,
    /// Contents of balanced double quotes.
    pub phrases: Vec<String>,
    /// What a minus stands directly before: a run without spaces, or a phrase.
    pub excluded: Vec<String>,
}

impl TypedQuery {
    pub fn parse(text: &str) -> Self {
        let mut query = Self::default();
        let mut rest = text;
        let mut at_word_start = true;
        while let Some(letter) = rest.chars().next() {
            let after = rest.get(letter.len_utf8()..).unwrap_or_default();
            if let Some((phrase, left)) = quoted(letter, after) {
                query.phrases.push(phrase.to_owned());
                // so that the words around it do not grow together
                query.free.push(' ');
                rest = left;
                at_word_start = true;
                continue;
            }
            if letter == '-'
                && at_word_start
                && let Some((excluded, left)) = excluded(after)
            {
                query.excluded.push(excluded.to_owned());
                rest = left;
                continue;
            }
            at_word_start = letter.is_whitespace();
            query.free.push(if is_quote(letter) { ' ' } else { letter });
            rest = after;
        }
        query
    }
}

/// The phrase and what follows it; `None` where no quote closes it.
fn quoted(letter: char, after: &str) -> Option<(&str, &str)> {
    if !is_quote(letter) {
        return None;
    }
    let end = after.find(is_quote)?;
    let closing = after.get(end..)?.chars().next()?;
    Some((after.get(..end)?, after.get(end + closing.len_utf8()..)?))
}

/// What stands after a minus and what follows that.
fn excluded(after: &str) -> Option<(&str, &str)> {
    let first = after.chars().next()?;
    if is_quote(first) {
        return quoted(first, after.get(first.len_utf8()..)?);
    }
    if !first.is_alphanumeric() {
        return None;
    }
    let end = after.find(|letter: char| letter.is_whitespace() || is_quote(letter)).unwrap_or(after.len());
    Some((after.get(..end)?, after.get(end..)?))
}

/// Telephones write the curly ones.
fn is_quote(letter: char) -> bool {
    matches!(letter, '"' | '“' | '”' | '„')
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("sea ice extent", "sea ice extent", &[], &[])]
    #[case("\"sea ice\" extent", "extent", &["sea ice"], &[])]
    #[case("“sea ice” -antarctic", "", &["sea ice"], &["antarctic"])]
    #[case("ice -\"west antarctic\" -sentinel-2", "ice", &[], &["west antarctic", "sentinel-2"])]
    #[case("\"open quote", "open quote", &[], &[])]
    #[case("say \"one\" and \"open", "say   and  open", &["one"], &[])]
    #[case("sentinel-2 well-known -- - a-", "sentinel-2 well-known -- - a-", &[], &[])]
    #[case("/foo a:b (x AND * \\ 🌍 +x ~y^2 [1 TO 2]", "/foo a:b (x AND * \\ 🌍 +x ~y^2 [1 TO 2]", &[], &[])]
    #[case("-only", "", &[], &["only"])]
    #[case("", "", &[], &[])]
    fn reads(#[case] text: &str, #[case] free: &str, #[case] phrases: &[&str], #[case] excluded: &[&str]) {
        let query = TypedQuery::parse(text);
        assert_eq!(query.free.trim(), free);
        assert_eq!(query.phrases, phrases);
        assert_eq!(query.excluded, excluded);
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read(text in "\\PC{0,80}|[-\" a“”]{0,40}") {
            let query = TypedQuery::parse(&text);
            proptest::prop_assert!(query.free.len() <= text.len() + 2 * query.phrases.len());
        }
    }
}
