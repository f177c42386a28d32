//! From an intent in words to one with ids: an element is what the words name by title, DOI, product code or id.

use crate::{
    ask::augmentation::kind_named,
    model::{
        element::{Element, ElementId},
        graph_intent::{GraphIntent, IntentChoice, IntentName, PersonOrElement},
        place::AreaFilter,
        query::Filter,
    },
    services::Services,
    text::{
        fold::fold,
        identifiers::{identifiers, normalise_doi},
        words::{same_stem, words},
    },
};

/// Elements compared with the words.
const COMPARED: usize = 30;
/// The share of a title that words must make up to name it among others that hold them too.
const ENOUGH_OF_A_TITLE: f32 = 0.6;
/// The same where no other title holds them.
const ENOUGH_OF_THE_ONLY: f32 = 0.3;

/// The intent with its slots filled; `None` where words name no one element, or a slot that is needed is empty. A search index that
/// fails leaves it out: keyword retrieval is degraded then, and says so.
pub async fn resolve(services: &Services, choice: &IntentChoice, area: Option<&AreaFilter>) -> Option<GraphIntent> {
    let kinds = choice.kinds.clone();
    let person = Some(choice.person.trim()).filter(|name| !name.is_empty()).map(str::to_owned);
    let element = async || element_named(services, &choice.element).await;
    Some(match choice.name {
        IntentName::Contributed => GraphIntent::Contributed { person: person?, kinds },
        IntentName::Authored => GraphIntent::Authored { person: person?, kinds },
        IntentName::BookmarkedBy => GraphIntent::BookmarkedBy { person: person?, kinds },
        IntentName::Uses => GraphIntent::Uses { element: element().await?, kinds },
        IntentName::Related => {
            GraphIntent::Related { element: element().await?, edges: choice.edges.clone(), direction: choice.direction, kinds }
        }
        IntentName::PublicationsThroughNotebooks => GraphIntent::PublicationsThroughNotebooks { element: element().await? },
        IntentName::MostViewed => {
            let tag = Some(choice.tag.trim()).filter(|tag| !tag.is_empty()).map(str::to_owned);
            GraphIntent::MostViewed { kinds, tag, area: area.cloned() }
        }
        IntentName::MostBookmarked => GraphIntent::MostBookmarked { kinds },
        IntentName::SharesBookmarkers => GraphIntent::SharesBookmarkers { element: element().await?, kinds },
        IntentName::WorksWith => {
            let of = match person {
                Some(name) => PersonOrElement::Person(name),
                None => PersonOrElement::Element(element().await?),
            };
            GraphIntent::WorksWith { of, edges: choice.edges.clone(), kinds }
        }
        IntentName::Lineage => GraphIntent::Lineage { element: element().await?, direction: choice.direction, kinds },
        IntentName::Connection => {
            let (from, to) = (element().await?, element_named(services, &choice.other_element).await?);
            if from == to {
                return None;
            }
            GraphIntent::Connection { from, to }
        }
    })
}

async fn element_named(services: &Services, name: &str) -> Option<ElementId> {
    let name = name.trim();
    if words(name).is_empty() {
        return None;
    }
    if !name.contains(char::is_whitespace) {
        let by_id = services.records.element(&ElementId::from(name)).await.ok().flatten();
        if let Some(element) = by_id.filter(Element::is_public) {
            return Some(element.id);
        }
    }
    let list = services.index.keyword(name, &Filter::default(), COMPARED).await.ok()?;
    let ids: Vec<ElementId> = list.hits.into_iter().map(|hit| hit.id).collect();
    let mut elements = services.records.elements(&ids).await.ok()?;
    elements.retain(Element::is_public);
    // as the index ranks them: the first of equals is taken
    elements.sort_by_key(|element| ids.iter().position(|id| *id == element.id));
    named(name, &elements).map(|element| element.id.clone())
}

/// The element that is meant by a name.
fn named<'a>(name: &str, elements: &'a [Element]) -> Option<&'a Element> {
    if let Some(doi) = normalise_doi(name) {
        return elements.iter().find(|element| element.doi.as_deref() == Some(doi.as_str()));
    }
    let exact = |element: &&Element| same_words(&element.title, name);
    if let Some(element) = elements.iter().find(exact) {
        return Some(element);
    }
    let mut wanted: Vec<String> = words(name).into_iter().map(|word| word.folded).collect();
    // `the ESA WorldCover dataset`: the kind is said besides the title
    let kind = wanted.last().and_then(|word| kind_named(word)).filter(|_| wanted.len() > 1);
    if kind.is_some() {
        wanted.pop();
        let short = wanted.join(" ");
        let of_kind = |element: &&Element| kind.is_none_or(|kind| element.kind == kind);
        let exact = |element: &&Element| same_words(&element.title, &short);
        let mut same = elements.iter().filter(exact);
        if let Some(element) = same.clone().find(of_kind).or_else(|| same.next()) {
            return Some(element);
        }
    }
    let mut holding: Vec<(&Element, f32)> =
        elements.iter().filter_map(|element| Some((element, share_of_title(element, &wanted)?))).collect();
    if let Some(kind) = kind.filter(|kind| holding.iter().any(|(element, _)| element.kind == *kind)) {
        holding.retain(|(element, _)| element.kind == kind);
    }
    let only_one = holding.len() == 1;
    let (element, share) = holding.into_iter().reduce(|best, next| if next.1 > best.1 { next } else { best })?;
    let is_code = wanted.len() == 1 && looks_like_a_code(name);
    let enough = share >= ENOUGH_OF_A_TITLE || (only_one && (share >= ENOUGH_OF_THE_ONLY || is_code));
    enough.then_some(element)
}

fn same_words(title: &str, name: &str) -> bool {
    let (title, name) = (words(title), words(name));
    title.iter().map(|word| &word.folded).eq(name.iter().map(|word| &word.folded))
}

/// How much of the title, or of the codes in the id, the words make up; `None` where one of them stands in neither.
fn share_of_title(element: &Element, wanted: &[String]) -> Option<f32> {
    let title: Vec<String> = words(&element.title).into_iter().map(|word| word.folded).collect();
    // of an id only what is a code: its other words are anybody's
    let is_code = |word: &String| word.contains(|letter: char| letter.is_ascii_digit());
    let id: Vec<String> = words(&element.id.0).into_iter().map(|word| word.folded).filter(is_code).collect();
    let holds = |list: &[String], wanted: &String| list.iter().any(|word| same_stem(word, wanted));
    let all_in = wanted.iter().all(|word| holds(&title, word) || holds(&id, word));
    let share = |list: &[String]| {
        let said = list.iter().filter(|word| wanted.iter().any(|wanted| same_stem(word, wanted))).count();
        if list.is_empty() { 0.0 } else { said as f32 / list.len() as f32 }
    };
    all_in.then(|| share(&title).max(share(&id)))
}

/// A product code, or one word with a capital or a digit behind its first letter: no word of a sentence.
fn looks_like_a_code(name: &str) -> bool {
    let shown = |letter: char| letter.is_ascii_digit() || letter.is_uppercase();
    !identifiers(name).is_empty() || (name.chars().skip(1).any(shown) && fold(name) != name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::element::Kind;
    use crate::testing::builders::element;

    fn check(name: &str, expected: Option<&str>) {
        let elements: Vec<Element> = [
            element("code-gstat").kind(Kind::Code).title("gstat"),
            element("meuse").kind(Kind::Publication).title("The meuse data set: a brief tutorial for the gstat R package"),
            element("worldcover").title("ESA WorldCover"),
            element("worldcover-paper").kind(Kind::Publication).title("ESA WorldCover"),
            element("snow-mean").title("Global SnowPack - The arithmetic mean of the Snow Cover Duration (SCDmean)"),
            element("snow-year").title("Global SnowPack - Snow Cover Duration (SCD) - Yearly"),
            element("modis-mod13q1-061").title("MODIS Vegetation Indices 16-Day (250m)").doi("10.5067/modis/mod13q1.061"),
            element("flood-paper").kind(Kind::Publication).title("Satellites observe people exposed to floods"),
        ]
        .map(Element::from)
        .into();
        assert_eq!(named(name, &elements).map(|element| element.id.0.as_str()), expected, "{name}");
    }

    #[test]
    fn words_name_an_element() {
        check("gstat", Some("code-gstat"));
        check("GSTAT package", Some("code-gstat"));
        check("esa worldcover", Some("worldcover"));
        check("ESA WorldCover dataset", Some("worldcover"));
        check("ESA WorldCover paper", Some("worldcover-paper"));
        check("SCDmean", Some("snow-mean"));
        check("MOD13Q1", Some("modis-mod13q1-061"));
        check("MOD13Q1.061", Some("modis-mod13q1-061"));
        check("MODIS Vegetation Indices", Some("modis-mod13q1-061"));
        check("https://doi.org/10.5067/MODIS/MOD13Q1.061", Some("modis-mod13q1-061"));
    }

    #[test]
    fn words_that_name_no_one_element_are_refused() {
        for name in ["snow cover", "floods", "people", "MODIS sea ice", "10.5067/other", "the"] {
            check(name, None);
        }
    }
}
