//! Names of people in memory: which of them occur in a text.

use std::collections::{HashMap, HashSet};

use crate::text::fold::fold;

/// What a name is compared by: its words without case, accents and punctuation.
pub(super) fn person_key(name: &str) -> String {
    let folded = fold(name);
    let key = words(&folded).collect::<Vec<_>>().join(" ");
    // a name made of marks alone is still somebody's
    if key.is_empty() { folded } else { key }
}

fn words(folded: &str) -> impl Iterator<Item = &str> {
    folded.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Names by their longest word, which is the one that fewest of them share.
#[derive(Default)]
pub(super) struct PeopleIndex {
    by_word: HashMap<String, Vec<Person>>,
}

struct Person {
    key: String,
    /// As written.
    name: String,
}

impl PeopleIndex {
    /// Adds or renames a person, or removes them when `name` is `None`. Names of one word are not kept.
    pub fn set(&mut self, key: &str, name: Option<String>) {
        if words(key).nth(1).is_none() {
            return;
        }
        let word = longest_word(key);
        let people = self.by_word.entry(word.to_owned()).or_default();
        people.retain(|person| person.key != key);
        if let Some(name) = name {
            people.push(Person { key: key.to_owned(), name });
        } else if people.is_empty() {
            self.by_word.remove(word);
        }
    }

    /// Names whose every word is a word of the text, longest first.
    pub fn people_in(&self, text: &str) -> Vec<String> {
        let folded = fold(text);
        let text_words: HashSet<&str> = words(&folded).collect();
        let mut found: Vec<&Person> = text_words
            .iter()
            .filter_map(|word| self.by_word.get(*word))
            .flatten()
            .filter(|person| words(&person.key).all(|word| text_words.contains(word)))
            .collect();
        found.sort_by(|a, b| b.name.chars().count().cmp(&a.name.chars().count()).then_with(|| a.name.cmp(&b.name)));
        found.into_iter().map(|person| person.name.clone()).collect()
    }
}

impl FromIterator<(String, String)> for PeopleIndex {
    fn from_iter<T: IntoIterator<Item = (String, String)>>(people: T) -> Self {
        let mut index = Self::default();
        for (key, name) in people {
            index.set(&key, Some(name));
        }
        index
    }
}

fn longest_word(key: &str) -> &str {
    words(key).max_by_key(|word| word.len()).unwrap_or(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(names: &[&str], text: &str, expected: &[&str]) {
        let index: PeopleIndex = names.iter().map(|name| (person_key(name), (*name).to_owned())).collect();
        assert_eq!(index.people_in(text), expected, "in {text:?}");
    }

    #[test]
    fn names_are_found_as_whole_words() {
        let names = ["Ada Lovelace", "Łukasz Żak", "O'Brien, Mary Ann", "Ann Brien", "NASA", "European Space Agency"];
        check(&names, "What did ada lovelace publish?", &["Ada Lovelace"]);
        check(&names, "papers by Lovelace, Ada", &["Ada Lovelace"]);
        check(&names, "lovelaces of Ada", &[]);
        check(&names, "LUKASZ ZAK", &["Łukasz Żak"]);
        check(&names, "Mary Ann O’Brien's maps", &["O'Brien, Mary Ann", "Ann Brien"]);
        check(&names, "NASA data", &[]);
        check(&names, "the european space agency", &["European Space Agency"]);
        check(&names, "", &[]);
    }

    #[test]
    fn a_removed_person_is_not_found() {
        let mut index: PeopleIndex = [(person_key("Ada Lovelace"), "Ada Lovelace".to_owned())].into_iter().collect();
        index.set("ada lovelace", Some("ADA LOVELACE".to_owned()));
        assert_eq!(index.people_in("Ada Lovelace"), ["ADA LOVELACE"]);
        index.set("ada lovelace", None);
        assert_eq!(index.people_in("Ada Lovelace"), Vec::<String>::new());
        assert!(index.by_word.is_empty());
    }

    #[test]
    fn a_key_is_the_words_of_a_name() {
        assert_eq!(person_key("  Müller,   J.-P. "), "muller j p");
        assert_eq!(person_key("???"), "???");
        assert_eq!(person_key("王 伟"), "王 伟");
    }
}
