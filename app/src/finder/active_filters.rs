//! The filters that are set, as chips; each is a link that removes it.

use leptos::prelude::*;
use pipeline::model::{place::Relation, query::SearchQuery};

use crate::{query_string, words};

/// A filter in words and the search without it.
#[derive(Clone, Debug, PartialEq)]
struct Chip {
    words: String,
    without: SearchQuery,
}

#[component]
pub fn ActiveFilters(query: SearchQuery) -> impl IntoView {
    let chips = chips(&query);
    let chips = chips.into_iter().map(|chip| {
        view! {
            <li>
                <a class="chip" href=query_string::search_address(&chip.without)>
                    <span class="visually-hidden">"Remove "</span>
                    {chip.words}
                    <span class="cross" aria-hidden="true">
                        "✕"
                    </span>
                </a>
            </li>
        }
    });
    let chips = chips.collect_view();
    (!chips.is_empty()).then(|| view! { <ul class="chips" aria-label="Filters that are set">{chips}</ul> })
}

fn chips(query: &SearchQuery) -> Vec<Chip> {
    let unpaged = query_string::first_page(query);
    let mut chips = Vec::new();
    let mut each = |values: usize, words: &dyn Fn(usize) -> String, remove: &dyn Fn(&mut SearchQuery, usize)| {
        for at in 0..values {
            let mut without = unpaged.clone();
            remove(&mut without, at);
            chips.push(Chip { words: words(at), without });
        }
    };
    let filter = &query.filter;
    let nth = |values: &[String], at: usize| values.get(at).cloned().unwrap_or_default();
    each(
        filter.kinds.len(),
        &|at| filter.kinds.get(at).map_or_else(String::new, |kind| format!("kind: {}", kind.label())),
        &|query, at| {
            query.filter.kinds.remove(at);
        },
    );
    each(filter.tags.len(), &|at| format!("tag: {}", nth(&filter.tags, at)), &|query, at| {
        query.filter.tags.remove(at);
    });
    each(filter.contributors.len(), &|at| format!("by {}", nth(&filter.contributors, at)), &|query, at| {
        query.filter.contributors.remove(at);
    });
    each(
        query.methods.len(),
        &|at| query.methods.get(at).map_or_else(String::new, |method| format!("method: {method}")),
        &|query, at| {
            query.methods.remove(at);
        },
    );
    let mut one = |words: Option<String>, parameter: &str| {
        chips.extend(words.map(|words| Chip { words, without: query_string::without(query, parameter) }));
    };
    let relation = relation_word(query.relation);
    one(filter.datetime.as_ref().map(words::interval), "datetime");
    one(filter.area.as_ref().map(|area| format!("{relation} {}", words::area(&area.area))), "area");
    one(query.place.as_ref().map(|place| format!("{relation} “{place}”")), "place");
    chips
}

fn relation_word(relation: Relation) -> &'static str {
    match relation {
        Relation::Intersects => "in",
        Relation::Within => "within",
        Relation::Contains => "covering",
        Relation::Disjoint => "outside",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_chip_removes_its_filter_only() {
        let query =
            query_string::read("q=ice&kind=dataset&kind=map&tag=snow&datetime=2015/2020&bbox=170,-20,-170,0&place=Fiji").unwrap();
        let found: Vec<(String, String)> =
            chips(&query).into_iter().map(|chip| (chip.words, query_string::search_address(&chip.without))).collect();
        let expected = [
            ("kind: dataset", "/?q=ice&kind=map&tag=snow&bbox=170%2C-20%2C-170%2C0&place=Fiji&datetime=2015%2F2020"),
            ("kind: map", "/?q=ice&kind=dataset&tag=snow&bbox=170%2C-20%2C-170%2C0&place=Fiji&datetime=2015%2F2020"),
            ("tag: snow", "/?q=ice&kind=dataset&kind=map&bbox=170%2C-20%2C-170%2C0&place=Fiji&datetime=2015%2F2020"),
            ("2015 to 2020", "/?q=ice&kind=dataset&kind=map&tag=snow&bbox=170%2C-20%2C-170%2C0&place=Fiji"),
            (
                "in 170° E to 170° W across the antimeridian, 20° S to 0°",
                "/?q=ice&kind=dataset&kind=map&tag=snow&place=Fiji&datetime=2015%2F2020",
            ),
            ("in “Fiji”", "/?q=ice&kind=dataset&kind=map&tag=snow&bbox=170%2C-20%2C-170%2C0&datetime=2015%2F2020"),
        ];
        assert_eq!(found, expected.map(|(words, address)| (words.to_owned(), address.to_owned())));
    }
}
