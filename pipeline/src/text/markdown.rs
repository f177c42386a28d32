//! Markdown to HTML that is safe to show, and to plain text. The one sanitiser.

use ammonia::Builder;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd, html};

const OPTIONS: Options = Options::ENABLE_TABLES.union(Options::ENABLE_STRIKETHROUGH);

/// Renders, then sanitises: only text markup remains; links keep http(s) and mailto and open without a referrer.
pub fn to_safe_html(markdown: &str) -> String {
    let mut rendered = String::with_capacity(markdown.len() * 3 / 2);
    html::push_html(&mut rendered, Parser::new_ext(markdown, OPTIONS));
    Builder::default()
        .rm_tags(["img"])
        .url_schemes(["http", "https", "mailto"].into())
        .link_rel(Some("noopener noreferrer nofollow"))
        .clean(&rendered)
        .to_string()
}

/// The words of the text without marks and HTML tags; blocks end with a line break.
pub fn to_plain_text(markdown: &str) -> String {
    let mut plain = String::with_capacity(markdown.len());
    for event in Parser::new_ext(markdown, OPTIONS) {
        match event {
            Event::Text(text) | Event::Code(text) => plain.push_str(&text),
            Event::SoftBreak | Event::Start(Tag::TableCell) => plain.push(' '),
            Event::HardBreak
            | Event::End(
                TagEnd::Paragraph
                | TagEnd::Heading(_)
                | TagEnd::Item
                | TagEnd::CodeBlock
                | TagEnd::TableRow
                | TagEnd::TableHead
                | TagEnd::HtmlBlock,
            ) => plain.push('\n'),
            _ => {}
        }
    }
    plain.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_runs_survives() {
        for hostile in [
            "<script>alert(1)</script>",
            "[x](javascript:alert(1))",
            "a <img src=x onerror=alert(1)>",
            "a <a href=\"data:text/html,x\" onclick=\"y\">z</a>",
            "<svg onload=alert(1)>",
        ] {
            let html = to_safe_html(hostile);
            for word in ["<script", "javascript:", "onerror", "onclick", "onload", "data:", "<img", "<svg"] {
                assert!(!html.contains(word), "{hostile} gives {html}");
            }
        }
    }

    #[test]
    fn plain_text_keeps_the_words() {
        assert_eq!(
            to_plain_text("# Title\n\nSome *words* with a [link](https://example.org) and `code`.\n\n- one\n- two"),
            "Title\nSome words with a link and code.\none\ntwo"
        );
    }
}
