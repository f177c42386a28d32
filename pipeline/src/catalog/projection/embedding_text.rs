//! The text of an element that is embedded.

use pulldown_cmark::{Event, Options, Parser, TagEnd};

use crate::model::element::Element;

/// The title and the description as plain text, without Markdown's marks. The model cuts it at its own limit.
pub fn embedding_text(element: &Element) -> String {
    let description = plain(&element.description);
    match (element.title.trim(), description.trim()) {
        (title, "") => title.to_owned(),
        ("", description) => description.to_owned(),
        (title, description) => format!("{title}\n{description}"),
    }
}

/// What a reader sees of Markdown: text and code; neither marks, addresses nor HTML tags.
fn plain(markdown: &str) -> String {
    let mut text = String::with_capacity(markdown.len());
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
        match event {
            Event::Text(words) | Event::Code(words) => text.push_str(&words),
            Event::SoftBreak => text.push(' '),
            Event::HardBreak => text.push('\n'),
            Event::End(TagEnd::TableCell) => text.push(' '),
            Event::End(
                TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::Item | TagEnd::CodeBlock | TagEnd::TableHead | TagEnd::TableRow,
            ) => {
                if !text.ends_with('\n') {
                    text.push('\n');
                }
            }
            _ => {}
        }
    }
    text
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
    fn markdown_leaves_no_marks() {
        check(
            "T",
            "# Head\n\nSee [the **site**](https://example.org/x?y=1) and `code`.\nNext line",
            "T\nHead\nSee the site and code. Next line",
        );
        check("T", "- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |", "T\none\ntwo\na b \n1 2");
        check("T", "a <script>alert(1)</script> b <!-- c -->", "T\na alert(1) b");
        check("T", "where p < 0.05 and n > 3, 5 * 3 * 2", "T\nwhere p < 0.05 and n > 3, 5 * 3 * 2");
    }
}
