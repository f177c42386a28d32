//! Where a citation leads on the page it stands on.

use pipeline::model::{element::ElementId, results::ResultItem};

use crate::parts::CardNumber;

/// The cards beside an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Cards {
    /// The round's own: `[n]` is the n-th.
    References,
    /// Those of a search, with their numbers.
    Search(Vec<(ElementId, u32)>),
}

impl Cards {
    pub fn of_search(items: &[ResultItem]) -> Self {
        Self::Search(items.iter().map(|item| (item.id.clone(), item.position)).collect())
    }

    /// Where `[n]` leads: to the card, or, where the page has none, to the quote below the answer.
    pub fn address(&self, n: u32, cited: Option<&ElementId>) -> String {
        let anchor = match self {
            Self::References => CardNumber(n).anchor(),
            Self::Search(shown) => {
                let card = shown.iter().find(|(id, _)| Some(id) == cited);
                card.map_or_else(|| Self::quote_anchor(n), |(_, number)| CardNumber(*number).anchor())
            }
        };
        format!("#{anchor}")
    }

    pub fn quote_anchor(n: u32) -> String {
        format!("quote-{n}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_citation_leads_to_the_card_or_to_its_quote() {
        let id = ElementId::from("a");
        let found = Cards::Search(vec![(ElementId::from("b"), 1), (id.clone(), 7)]);
        assert_eq!(found.address(2, Some(&id)), "#card-7");
        assert_eq!(found.address(2, Some(&ElementId::from("c"))), "#quote-2");
        assert_eq!(found.address(2, None), "#quote-2");
        assert_eq!(Cards::References.address(2, Some(&id)), "#card-2");
    }
}
