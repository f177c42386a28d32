//! The text of an element that is embedded.

use crate::{model::element::Element, text::markdown::to_plain_text};

/// The title and the description as plain text, without Markdown's marks. The model cuts it at its own limit.
pub fn embedding_text(element: &Element) -> String {
    let description = to_plain_text(&element.description);
    match (element.title.trim(), description.as_str()) {
        (title, "") => title.to_owned(),
        ("", description) => description.to_owned(),
        (title, description) => format!("{title}\n{description}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::builders::element;

    fn check(title: &str, description: &str, expected: &str) {
        let element = element("e").title(title).description(description).build();
        assert_eq!(embedding_text(&element), expected);
    }

    #[test]
    fn it_is_title_and_plain_description() {
        check("Lake ice", "", "Lake ice");
        check(" Lake ice ", "Thickness of *lake* ice.", "Lake ice\nThickness of lake ice.");
        check("", "Only words", "Only words");
        check("", "", "");
    }

    #[test]
    fn marks_are_no_words() {
        check(
            "T",
            "# Head\n\nSee [the **site**](https://example.org/x?y=1) and `code`.\nNext line",
            "T\nHead\nSee the site and code. Next line",
        );
        check("T", "where p < 0.05 and n > 3, 5 * 3 * 2", "T\nwhere p < 0.05 and n > 3, 5 * 3 * 2");
    }
}
