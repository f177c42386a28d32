//! Facts a question names outright. An element that does not hold them is about something else, however alike it sounds: another
//! year, another product.

use crate::{
    ask::{evidence::Evidence, validation::missing_in},
    model::element::Element,
    text::identifiers::normalise_identifier,
};

/// Shorter codes are words as well: `CO2` may be written out.
const CODE_LETTERS: usize = 6;
/// Shorter numbers are counts more often than facts: `the 5 most viewed`.
const NUMBER_DIGITS: usize = 3;

/// Whether the codes, DOIs, addresses and larger numbers of the question stand in the element or in what links it to the question. A year also
/// stands in a period that covers it.
pub fn stand_in(question: &str, evidence: &Evidence) -> bool {
    let missing = missing_in(question, &evidence.whole_text());
    missing.iter().filter(|fact| is_telling(question, fact)).all(|fact| covers_year(&evidence.element, fact))
}

fn is_telling(question: &str, fact: &str) -> bool {
    let is_number = fact.chars().all(|letter| letter.is_ascii_digit() || letter == '.');
    if is_number {
        fact.len() >= NUMBER_DIGITS || belongs_to_a_name(question, fact)
    } else {
        normalise_identifier(fact).len() >= CODE_LETTERS
    }
}

/// `Landsat 12`: a number right after a word with a capital, other than the first words of questions.
fn belongs_to_a_name(question: &str, number: &str) -> bool {
    let words: Vec<&str> = question.split_whitespace().collect();
    words.windows(2).any(|pair| {
        let [name, after] = pair else { return false };
        let asks = ["Which", "What", "The", "Top", "First", "Show", "Find", "Give", "List", "In", "At", "Of"].contains(name);
        name.starts_with(char::is_uppercase)
            && !asks
            && after.trim_end_matches(|letter: char| !letter.is_alphanumeric()) == number
    })
}

fn covers_year(element: &Element, fact: &str) -> bool {
    let (Ok(year), Some(period)) = (fact.parse::<i32>(), &element.temporal) else { return false };
    let from = period.start.map_or(i32::MIN, |start| start.year());
    let to = period.end.map_or(i32::MAX, |end| end.year());
    (period.start.is_some() || period.end.is_some()) && (from..=to).contains(&year)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::builders::element;

    #[test]
    fn what_a_question_names_must_stand_in_the_element() {
        let built = element("a")
            .title("Vegetation MOD13Q1.061")
            .description("Every 16 days at 250 m, from satellites.")
            .period("2000", "2020");
        let linked = vec!["uses the dataset “Fires MCD64A1”".to_owned()];
        let evidence = Evidence::new(built.build(), linked);
        for (question, stands) in [
            ("vegetation at 250 m", true),
            ("the 5 most viewed about vegetation", true),
            ("mod13q1-061", true),
            ("MOD44B.061", false),
            ("vegetation in 2015", true),
            ("vegetation in 2031", false),
            ("vegetation at 500 m", false),
            ("what uses MCD64A1?", true),
            ("CO2 of vegetation", true),
            ("Landsat 12 vegetation", false),
            ("Top 5 of vegetation", true),
            ("10.5067/nowhere/1", false),
        ] {
            assert_eq!(stand_in(question, &evidence), stands, "{question}");
        }
    }
}
