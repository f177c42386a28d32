//! Markdown to HTML that is safe to show: the one sanitiser.

use ammonia::Builder;
use pulldown_cmark::{Options, Parser, html};

/// Renders, then sanitises: only text markup remains; links keep http(s) and mailto and open without a referrer.
pub fn to_safe_html(markdown: &str) -> String {
    let mut rendered = String::with_capacity(markdown.len() * 3 / 2);
    html::push_html(&mut rendered, Parser::new_ext(markdown, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH));
    Builder::default()
        .rm_tags(["img"])
        .url_schemes(["http", "https", "mailto"].into())
        .link_rel(Some("noopener noreferrer nofollow"))
        .clean(&rendered)
        .to_string()
}
