//! Links that leave the catalogue. Following one counts as a click on the element.

use leptos::prelude::*;
use pipeline::model::element::{ElementId, Link, LinkRel};

/// A link out of Cairn; renders only its children where the address is not http or https.
#[component]
pub fn OutgoingLink(
    #[prop(into)] href: String,
    id: ElementId,
    #[prop(optional)] class: Option<&'static str>,
    children: Children,
) -> impl IntoView {
    let children = children();
    if !is_web_address(&href) {
        return leptos::either::Either::Left(children);
    }
    leptos::either::Either::Right(view! {
        <a class=class href=href rel="noopener noreferrer" on:click=move |_| count_click(&id)>
            {children}
        </a>
    })
}

#[component]
pub fn Links(links: Vec<Link>, id: ElementId) -> impl IntoView {
    let lines = links
        .into_iter()
        .filter(|link| is_web_address(&link.href))
        .map(|link| {
            let media_type = link.media_type.map(|media_type| view! { <span class="quiet">{media_type}</span> });
            let title = link.title.unwrap_or_else(|| link.href.clone());
            view! {
                <li>
                    <span class="rel">{rel_label(link.rel)}</span>
                    <OutgoingLink href=link.href id=id.clone()>
                        {title}
                    </OutgoingLink>
                    {media_type}
                </li>
            }
        })
        .collect_view();
    (!lines.is_empty()).then(|| {
        view! {
            <section aria-labelledby="links">
                <h2 id="links">"Files and links"</h2>
                <ul class="links">{lines}</ul>
            </section>
        }
    })
}

fn rel_label(rel: LinkRel) -> &'static str {
    match rel {
        LinkRel::About => "about",
        LinkRel::Download => "download",
        LinkRel::Repository => "repository",
        LinkRel::Preview => "preview",
        LinkRel::Service => "service",
        LinkRel::Related => "related",
    }
}

pub fn is_web_address(href: &str) -> bool {
    let lower = href.get(..8).unwrap_or(href).to_ascii_lowercase();
    lower.starts_with("https://") || lower.starts_with("http://")
}

/// Sent so that it outlives the page. A lost click is not worth telling anybody.
fn count_click(id: &ElementId) {
    #[cfg(feature = "hydrate")]
    {
        let address = format!("{}/clicks", crate::query_string::element_api_address(id));
        let _ = window().navigator().send_beacon(&address);
    }
    #[cfg(not(feature = "hydrate"))]
    let _ = id;
}

#[cfg(test)]
mod tests {
    use super::is_web_address;

    #[test]
    fn only_the_web_is_linked() {
        for (href, expected) in [
            ("https://example.org/a", true),
            ("HTTP://example.org", true),
            ("javascript:alert(1)", false),
            ("data:text/html,x", false),
            ("ftp://example.org", false),
            ("//example.org", false),
            ("é", false),
        ] {
            assert_eq!(is_web_address(href), expected, "{href}");
        }
    }
}
