//! Intents of the graph as the words of a question show them: hand-kept patterns, no language model.

mod tokens;

use self::tokens::{Span, Token, tokens};
use crate::{
    ask::augmentation::kind_named,
    model::{
        graph::{Direction, Edge},
        graph_intent::{IntentChoice, IntentName},
    },
};

/// Intents with the words that show them, which are no topic.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    pub choices: Vec<IntentChoice>,
    /// Folded.
    pub words: Vec<String>,
}

/// A pattern stands for a whole question. Words are separated by spaces: `a|b` is either, `a?` may be missing, `*` is any run of
/// words, `{x}` and `{y}` are an element in words, `{p}` is a person of the catalogue.
struct Pattern {
    form: &'static str,
    name: IntentName,
    edges: &'static [Edge],
    direction: Option<Direction>,
}

const fn pattern(form: &'static str, name: IntentName) -> Pattern {
    Pattern { form, name, edges: &[], direction: None }
}

const fn along(form: &'static str, name: IntentName, edges: &'static [Edge], direction: Direction) -> Pattern {
    Pattern { form, name, edges, direction: Some(direction) }
}

use Direction::{In, Out};
use IntentName::{
    Authored, BookmarkedBy, Connection, Contributed, Lineage, MostBookmarked, MostViewed, PublicationsThroughNotebooks, Related,
    SharesBookmarkers, Uses, WorksWith,
};

/// The first that fits is taken, so the more telling ones come first.
#[rustfmt::skip]
const PATTERNS: &[Pattern] = &[
    pattern("how are|is {x} and|to|with {y} connected|related|linked", Connection),
    pattern("how is|are {x} connected|related|linked to|with {y}", Connection),
    pattern("how do|does {x} and|to {y} connect|relate|link *", Connection),
    pattern("how do|does {x} connect|relate|link to|with {y}", Connection),
    pattern("* connection|path|link between {x} and {y}", Connection),
    pattern("what|which * connects|links {x} and|to|with {y}", Connection),

    pattern("* publication|publications|paper|papers|article|articles * notebook|notebooks that|which? use|uses|used|using {x}", PublicationsThroughNotebooks),

    pattern("* lineage|provenance of {x}", Lineage),
    pattern("{x} lineage|provenance", Lineage),
    along("what|which * is|was|are|were {x} derived|made|computed|produced|calculated from", Lineage, &[], Out),
    along("* from what|which * is|was|are|were {x} derived|made|computed|produced|calculated", Lineage, &[], Out),
    along("* source|sources|origin of {x}", Lineage, &[], Out),
    along("what|which * derived|computed|calculated from {x}", Lineage, &[], In),
    along("dataset|datasets|data|maps|products|notebooks|elements sets? derived|computed|calculated from {x}", Lineage, &[], In),

    pattern("what * who? bookmarked {x} * bookmark|bookmarked|bookmarks", SharesBookmarkers),
    pattern("* did|do people|readers|users bookmark * who bookmarked|bookmark {x}", SharesBookmarkers),
    pattern("* people|readers|users|those who bookmarked|bookmark {x} also bookmarked|bookmark *", SharesBookmarkers),
    pattern("* bookmarked together|along with {x}", SharesBookmarkers),
    pattern("* shares|share bookmarkers|bookmarks with {x}", SharesBookmarkers),

    pattern("* most bookmarked *", MostBookmarked),
    pattern("* bookmarked|bookmarks the? most *", MostBookmarked),
    pattern("* most bookmarks *", MostBookmarked),
    pattern("* bookmarked|bookmarks|bookmark * {p} *", BookmarkedBy),
    pattern("* {p} * bookmarked|bookmarks|bookmark *", BookmarkedBy),

    pattern("* co author|authors|authored * of|with {p}", WorksWith),
    pattern("* coauthor|coauthors|coauthored of|with {p}", WorksWith),
    pattern("* {p} coauthors|coauthor|coauthored *", WorksWith),
    pattern("* {p} co author|authors|authored *", WorksWith),
    pattern("who else? * wrote|written|published|writes|write together? with {p}", WorksWith),
    pattern("who * {p} wrote|written|published|writes|write|work|works|worked|collaborate|collaborates|collaborated with", WorksWith),
    pattern("* works|work|worked|working|collaborates|collaborate|collaborated|collaborators together? with|of {p}", WorksWith),
    pattern("* co contributor|contributors of|with {p}", WorksWith),
    pattern("* co author|authors|contributor|contributors of {x}", WorksWith),
    pattern("* coauthors|coauthor of {x}", WorksWith),
    pattern("* by the same authors|author|people as {x}", WorksWith),

    pattern("* contributed|contribute|contributes|contributions|contribution|registered * {p} *", Contributed),
    pattern("* {p} * contributed|contribute|contributes|contributions|contribution|registered|register *", Contributed),
    pattern("* wrote|written|write|writes|authored|author|published|publications|papers|articles|works by|of|from {p} *", Authored),
    pattern("* {p} * wrote|written|write|writes|authored|author|published|publish|publications|papers|articles *", Authored),
    pattern("* by {p} *", Authored),

    along("what|which|who * does|do|did|has {x} cite|cites|cited", Related, &[Edge::Cites], Out),
    along("* cited by {x}", Related, &[Edge::Cites], Out),
    along("what|which|who|publications|papers|articles|elements * cite|cites|cited|citing {x}", Related, &[Edge::Cites], In),
    along("* citations of|to {x}", Related, &[Edge::Cites], In),
    along("who|what * is|are {x} cited by", Related, &[Edge::Cites], In),
    along("what|which * does|do|did {x} use", Related, &[Edge::UsedIn], In),
    along("* used|needed by|in {x}", Related, &[Edge::UsedIn], In),

    pattern("* where|how is|are|was {x} used", Uses),
    pattern("what|which * is|are|was|were {x} used in|by|for", Uses),
    pattern("* makes|make|made|making use of {x}", Uses),
    pattern("what|which|who * uses|use|used|using {x}", Uses),
    pattern("notebook|notebooks|publication|publications|paper|papers|article|articles|code|maps|elements * uses|use|used|using {x}", Uses),
    pattern("* users|uses of {x}", Uses),

    pattern("* related|connected|linked to|with {x}", Related),
    pattern("* neighbours|neighbors of {x}", Related),

    pattern("* most viewed|popular|clicked|visited *", MostViewed),
    pattern("* viewed|clicked|visited the? most *", MostViewed),
    pattern("* trending *", MostViewed),
    pattern("popular *", MostViewed),
    pattern("* popular *", MostViewed),
    pattern("* {p} *", Authored),
];

/// What a question asks the graph. `people` are those the catalogue knows and the text names. Empty slots are never given: an
/// intent without its person or element is not read.
pub fn read(text: &str, people: &[String]) -> Reading {
    let tokens = tokens(text, people);
    let Some((pattern, fit)) = PATTERNS.iter().find_map(|pattern| Some((pattern, fit(pattern.form, &tokens)?))) else {
        return Reading::default();
    };
    let slot = |span: Option<Span>| span.map(|span| tokens::written(text, &tokens, span)).unwrap_or_default();
    let person = fit.person.and_then(|at| tokens.get(at)).and_then(Token::person).unwrap_or_default();
    let outside = |at: usize| ![fit.x, fit.y].into_iter().flatten().any(|span| span.contains(at));
    let asked_kinds =
        || tokens.iter().enumerate().filter(|(at, _)| outside(*at)).filter_map(|(_, token)| kind_named(token.word()?));
    let mut choice = IntentChoice {
        person: person.to_owned(),
        element: slot(fit.x),
        other_element: slot(fit.y),
        edges: pattern.edges.into(),
        direction: pattern.direction,
        ..IntentChoice::new(pattern.name)
    };
    for kind in asked_kinds() {
        if !choice.kinds.contains(&kind) {
            choice.kinds.push(kind);
        }
    }
    let mut words: Vec<String> = fit.words.iter().map(|word| (*word).to_owned()).collect();
    for span in [fit.x, fit.y].into_iter().flatten() {
        words.extend(crate::text::words::words(&tokens::written(text, &tokens, span)).into_iter().map(|word| word.folded));
    }
    let choices = variants(choice, &fit.words, &tokens, &mut words);
    Reading { choices, words }
}

/// Intents that are asked together, and details that one word more tells.
fn variants(mut choice: IntentChoice, words: &[&str], tokens: &[Token], consumed: &mut Vec<String>) -> Vec<IntentChoice> {
    match choice.name {
        WorksWith if words.iter().any(|word| word.contains("author") || word.contains("wr") || word.contains("publish")) => {
            choice.edges = vec![Edge::AuthoredBy];
        }
        // a person alone, or no more than `by`: both what they wrote and what they gave
        Authored if words.iter().all(|word| *word == "by" || kind_named(word).is_some() || *word == "of" || *word == "from") => {
            let contributed = IntentChoice { name: Contributed, ..choice.clone() };
            return vec![choice, contributed];
        }
        // also those that reach it by a notebook
        Uses if choice.kinds == [crate::model::element::Kind::Publication] => {
            let through = IntentChoice { name: PublicationsThroughNotebooks, ..choice.clone() };
            return vec![choice, through];
        }
        MostViewed => {
            let tagged = tokens.windows(2).find(|pair| pair.first().and_then(Token::word) == Some("tagged"));
            if let Some(tag) = tagged.and_then(|pair| pair.last()).and_then(Token::word) {
                tag.clone_into(&mut choice.tag);
                consumed.extend(["tagged".to_owned(), tag.to_owned()]);
            }
        }
        _ => {}
    }
    vec![choice]
}

/// How a pattern fits.
#[derive(Clone, Debug, Default)]
struct Fit<'a> {
    x: Option<Span>,
    y: Option<Span>,
    person: Option<usize>,
    /// Words the pattern names.
    words: Vec<&'a str>,
}

fn fit<'a>(form: &str, tokens: &'a [Token]) -> Option<Fit<'a>> {
    let pieces: Vec<&str> = form.split(' ').collect();
    fit_rest(&pieces, tokens, 0)
}

/// The shortest runs first. Patterns have few runs, and no question is long, so trying all is cheap.
fn fit_rest<'a>(pieces: &[&str], tokens: &'a [Token], at: usize) -> Option<Fit<'a>> {
    let Some((piece, rest)) = pieces.split_first() else {
        return (at == tokens.len()).then(Fit::default);
    };
    match *piece {
        "*" => (at..=tokens.len()).find_map(|next| fit_rest(rest, tokens, next)),
        "{x}" | "{y}" => {
            let mut ends = at + 1..=tokens.len();
            ends.find_map(|end| {
                let span = Span { start: at, end };
                if !tokens::may_name_an_element(tokens, span) {
                    return None;
                }
                let mut fit = fit_rest(rest, tokens, end)?;
                let slot = if *piece == "{x}" { &mut fit.x } else { &mut fit.y };
                *slot = Some(span);
                Some(fit)
            })
        }
        "{p}" => {
            tokens.get(at)?.person()?;
            let mut fit = fit_rest(rest, tokens, at + 1)?;
            fit.person = Some(at);
            Some(fit)
        }
        words => {
            let (words, optional) = words.strip_suffix('?').map_or((words, false), |words| (words, true));
            let here = tokens.get(at).and_then(Token::word).filter(|here| words.split('|').any(|word| word == *here));
            let taken = here.and_then(|here| {
                let mut fit = fit_rest(rest, tokens, at + 1)?;
                fit.words.push(here);
                Some(fit)
            });
            taken.or_else(|| if optional { fit_rest(rest, tokens, at) } else { None })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::element::Kind;

    const PEOPLE: [&str; 2] = ["Ana Costa", "Meyer, Jo"];

    /// `name: slots`, one intent after the other.
    fn check(question: &str, expected: &str) {
        let people: Vec<String> = PEOPLE
            .iter()
            .filter(|name| name.split([' ', ',']).all(|word| question.contains(word)))
            .map(|name| (*name).to_owned())
            .collect();
        let read = read(question, &people);
        let written: Vec<String> = read
            .choices
            .iter()
            .map(|choice| {
                let name = serde_json::to_value(choice.name).unwrap();
                let kinds: Vec<&str> = choice.kinds.iter().copied().map(Kind::name).collect();
                let edges: Vec<&str> = choice.edges.iter().copied().map(Edge::name).collect();
                let direction = choice.direction.map_or("", |direction| if direction == Direction::Out { "out" } else { "in" });
                let slots = [
                    choice.person.as_str(),
                    &choice.element,
                    &choice.other_element,
                    &choice.tag,
                    &kinds.join("+"),
                    &edges.join("+"),
                    direction,
                ];
                let slots: Vec<&str> = slots.into_iter().filter(|slot| !slot.is_empty()).collect();
                format!("{} {}", name.as_str().unwrap(), slots.join(" / ")).trim_end().to_owned()
            })
            .collect();
        assert_eq!(written.join("; "), expected, "{question}");
    }

    #[test]
    fn questions_show_their_intent() {
        check("Which notebooks did Ana Costa contribute?", "contributed Ana Costa / notebook");
        check("contributions of Ana Costa", "contributed Ana Costa");
        check("What has Ana Costa written?", "authored Ana Costa");
        check("What else did Ana Costa write?", "authored Ana Costa");
        check("papers by Jo Meyer", "authored Meyer, Jo / publication; contributed Meyer, Jo / publication");
        check("Ana Costa kriging", "authored Ana Costa; contributed Ana Costa");
        check("Which notebooks use the Sea Ice Index dataset?", "uses Sea Ice Index dataset / notebook");
        check("notebooks using SENTINEL2 Level-1C", "uses SENTINEL2 Level-1C / notebook");
        check("Who uses the Heat Dictionary?", "uses Heat Dictionary");
        check("What uses “Data used in cities”?", "uses Data used in cities");
        check("Where is NASADEM used?", "uses NASADEM");
        check(
            "publications that used MOD13Q1.061",
            "uses MOD13Q1.061 / publication; publications-through-notebooks MOD13Q1.061 / publication",
        );
        check("What is related to gstat?", "related gstat");
        check("elements related to ESA WorldCover", "related ESA WorldCover");
        check("What cites “Mapping dynamic sentiments”?", "related Mapping dynamic sentiments / cites / in");
        check("What does the GWR demo cite?", "related GWR demo / cites / out");
        check("Which data does the GWR demo use?", "related GWR demo / dataset / used-in / in");
        check(
            "Which publications came out of notebooks that use the Heat Dictionary?",
            "publications-through-notebooks Heat Dictionary / publication+notebook",
        );
        check("What are the most viewed maps about fire?", "most-viewed map");
        check("most popular datasets tagged ice", "most-viewed ice / dataset");
        check("Which elements are bookmarked most?", "most-bookmarked");
        check("most bookmarked notebooks", "most-bookmarked notebook");
        check("Which maps has Ana Costa bookmarked?", "bookmarked-by Ana Costa / map");
        check("What did people bookmark who bookmarked the Sea Ice Index?", "shares-bookmarkers Sea Ice Index");
        check("Who are the co-authors of Ana Costa?", "works-with Ana Costa / authored-by");
        check("Who else works with Ana Costa?", "works-with Ana Costa");
        check("Who else wrote with Ana Costa?", "works-with Ana Costa / authored-by");
        check("co-authors of the Sea Ice Index", "works-with Sea Ice Index / authored-by");
        check("Show me the lineage of SCDmean", "lineage SCDmean");
        check("What was Baltic Sea summer bloom coverage derived from?", "lineage Baltic Sea summer bloom coverage / out");
        check("What is “Snow – derived from space” derived from?", "lineage Snow – derived from space / out");
        check("Which data sets are derived from ERA5 hourly data?", "lineage ERA5 hourly data / dataset / in");
        check("How are the Heat Dictionary and Geovisualization connected?", "connection Heat Dictionary / Geovisualization");
        check("How is gstat related to “Meuse and its soil”?", "connection gstat / Meuse and its soil");
    }

    #[test]
    fn other_questions_show_none() {
        for question in [
            "",
            "sea ice extent",
            "Which datasets can I use to map floods?",
            "What is used for monitoring glaciers?",
            "How are floods mapped?",
            "🛰️",
            "“”",
        ] {
            check(question, "");
        }
    }

    #[test]
    fn words_that_show_an_intent_are_no_topic() {
        let words = read("Which notebooks use the Heat Dictionary?", &[]).words;
        assert!(["use", "heat", "dictionary"].iter().all(|word| words.iter().any(|read| read == word)), "{words:?}");
        let words = read("What has Ana Costa written about kriging?", &["Ana Costa".to_owned()]).words;
        assert!(words.iter().any(|word| word == "written") && words.iter().all(|word| word != "kriging"), "{words:?}");
    }

    #[test]
    fn a_long_question_is_read_at_once() {
        let long = "related to ".repeat(200) + "ice";
        let started = std::time::Instant::now();
        read(&long, &[]);
        assert!(started.elapsed().as_secs() < 2);
    }
}
