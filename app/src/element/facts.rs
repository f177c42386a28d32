//! What is known of an element, as a list of terms.

use leptos::{either::Either, prelude::*};
use pipeline::model::element::{Author, Element, Kind};

use super::links::{OutgoingLink, is_web_address};
use crate::{query_string, words};

#[component]
pub fn Facts(element: Element) -> impl IntoView {
    let details = &element.details;
    let mut facts: Vec<(&str, String)> = Vec::new();
    let mut add = |term, value: Option<String>| facts.extend(value.map(|value| (term, value)));
    add("Format", details.format.clone());
    add("Size", details.size_bytes.map(words::size));
    add("Venue", details.venue.clone());
    add("Year", details.year.map(|year| year.to_string()));
    add("Pages", details.pages.clone());
    add("Service", details.service.clone());
    add("Level", details.level.clone());
    add("Audience", details.audience.clone());
    add("Language", element.language.clone());
    add("Licence", element.license.clone());
    add("Registered", element.created.as_deref().map(day));
    add("Last changed", element.updated.as_deref().map(day));
    add("Opened", (element.click_count > 0).then(|| words::counted(element.click_count, "time", "times")));
    let doi = element.doi.clone().map(|doi| {
        let href = format!("https://doi.org/{doi}");
        view! { <dt>"DOI"</dt><dd><OutgoingLink href id=element.id.clone()>{doi}</OutgoingLink></dd> }
    });
    let repository = details.repository.clone().map(|repository| {
        let link = view! { <OutgoingLink href=repository.clone() id=element.id.clone()>{repository}</OutgoingLink> };
        view! { <dt>"Repository"</dt><dd>{link}</dd> }
    });
    let contributor = element.contributor.clone().map(|person| {
        let address = query_string::address("/", [("contributor", &person.name)]);
        view! { <dt>"Contributor"</dt><dd><a href=address>{person.name}</a></dd> }
    });
    let facts = facts.into_iter().map(|(term, value)| view! { <dt>{term}</dt><dd>{value}</dd> }).collect_view();
    view! {
        <dl class="terms">{doi} {contributor} {facts} {repository}</dl>
        {matches!(element.kind, Kind::Notebook | Kind::Code).then(|| view! { <CodeFacts element /> })}
    }
    .into_any()
}

/// What was found in the program text of a notebook or of code.
#[component]
fn CodeFacts(element: Element) -> impl IntoView {
    let details = element.details;
    let list = |title: &'static str, items: Vec<String>, code: bool| {
        (!items.is_empty()).then(|| {
            let items = items.into_iter().map(|item| match code {
                true => view! { <li><code>{item}</code></li> }.into_any(),
                false => view! { <li>{item}</li> }.into_any(),
            });
            view! { <h3>{title}</h3><ul class="pills">{items.collect_view()}</ul> }
        })
    };
    view! {
        {list("Tasks", details.tasks, false)}
        {list("Functions", details.functions, true)}
        {list("Imports", details.imports, true)}
    }
    .into_any()
}

/// The day of an RFC 3339 moment.
fn day(moment: &str) -> String {
    moment.get(..10).unwrap_or(moment).to_owned()
}

/// Names with their ORCID, each a search for the other elements with that name.
#[component]
pub fn Authors(authors: Vec<Author>) -> impl IntoView {
    let names = authors.into_iter().map(|author| {
        let address = query_string::address("/", [("q", format!("\"{}\"", author.name))]);
        let orcid = author.orcid.map(|orcid| orcid_link(&orcid));
        view! { <li><a href=address>{author.name}</a>{orcid}</li> }
    });
    let names = names.collect_view();
    (!names.is_empty()).then(|| view! { <ul class="authors" aria-label="Authors">{names}</ul> })
}

fn orcid_link(orcid: &str) -> impl IntoView + use<> {
    let address = if is_web_address(orcid) { orcid.to_owned() } else { format!("https://orcid.org/{orcid}") };
    view! { " "<a class="orcid" href=address rel="noopener noreferrer" aria-label="ORCID record">"iD"</a> }
}

/// Licence, footprint, visibility of the text: what to know before using it.
#[component]
pub fn Badges(element: Element) -> impl IntoView {
    let licence = match element.license {
        Some(licence) => Either::Left(view! { <li class="badge">{words::licence(&licence)}</li> }),
        None => Either::Right(view! { <li class="badge badge-warning">"licence not stated"</li> }),
    };
    let no_footprint = element.spatial.as_ref().is_none_or(|spatial| spatial.bbox.is_none());
    view! {
        <ul class="badges" aria-label="Badges">
            {licence} {no_footprint.then(|| view! { <li class="badge badge-warning">"footprint missing"</li> })}
        </ul>
    }
    .into_any()
}
