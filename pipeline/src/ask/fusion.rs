//! Reciprocal rank fusion of the methods' lists. Scores of different methods are never compared: ranks only.

mod grading;

use std::collections::{BTreeMap, HashMap};

pub use grading::{add_grades, grade};

use crate::{
    model::{element::ElementId, query::Method},
    ports::search_index::Hit,
};

/// The constant of reciprocal rank fusion. Source: Cormack, Clarke, Büttcher (2009), "Reciprocal rank fusion outperforms
/// Condorcet and individual rank learning methods".
const K: f64 = 60.0;
/// The most that popularity can add, as a share of the score. It is smaller than the step between any two neighbouring
/// ranks of the first hundred of a list, (1/160)/(1/161) − 1 = .00625, so it orders near-equals and lifts nothing past an
/// element that one method ranks better.
const POPULARITY_CAP: f64 = 0.005;
/// The click count at which popularity reaches its cap.
const CLICKS_AT_CAP: f64 = 10_000.0;

/// One method's list.
#[derive(Clone, Copy, Debug)]
pub struct Voice<'a> {
    pub method: Method,
    pub hits: &'a [Hit],
    /// A voice that only supports reorders what the introducing ones found; its other hits follow after those.
    pub introduces: bool,
}

/// One element of the fused list with its 1-based rank in each method that found it.
#[derive(Clone, Debug, PartialEq)]
pub struct Fused {
    pub id: ElementId,
    pub ranks: BTreeMap<Method, u32>,
    pub score: f64,
}

/// The fused list, best first, ties by id; nothing is lost and nothing repeated. Where no voice introduces, all do.
pub fn fuse(voices: &[Voice<'_>]) -> Vec<Fused> {
    let all_introduce = !voices.iter().any(|voice| voice.introduces && !voice.hits.is_empty());
    let mut by_id: HashMap<&ElementId, (Fused, bool, u64)> = HashMap::new();
    for voice in voices {
        for (rank, hit) in (1_u32..).zip(voice.hits) {
            let (fused, introduced, clicks) = by_id
                .entry(&hit.id)
                .or_insert_with(|| (Fused { id: hit.id.clone(), ranks: BTreeMap::new(), score: 0.0 }, false, hit.click_count));
            if fused.ranks.insert(voice.method, rank).is_none() {
                fused.score += 1.0 / (K + f64::from(rank));
            }
            *introduced |= voice.introduces || all_introduce;
            *clicks = (*clicks).max(hit.click_count);
        }
    }
    let mut fused: Vec<(Fused, bool)> = by_id
        .into_values()
        .map(|(mut fused, introduced, clicks)| {
            fused.score *= 1.0 + popularity(clicks);
            (fused, introduced)
        })
        .collect();
    fused.sort_by(|(a, a_introduced), (b, b_introduced)| {
        b_introduced.cmp(a_introduced).then(b.score.total_cmp(&a.score)).then_with(|| a.id.cmp(&b.id))
    });
    fused.into_iter().map(|(fused, _)| fused).collect()
}

/// Fused lists of several searches as one, again by reciprocal rank; an element keeps its best rank in each method.
pub fn merge(lists: &[&[Fused]]) -> Vec<Fused> {
    let mut by_id: HashMap<&ElementId, Fused> = HashMap::new();
    for list in lists {
        for (place, fused) in (1_u32..).zip(*list) {
            let merged =
                by_id.entry(&fused.id).or_insert_with(|| Fused { id: fused.id.clone(), ranks: BTreeMap::new(), score: 0.0 });
            merged.score += 1.0 / (K + f64::from(place));
            for (method, rank) in &fused.ranks {
                merged.ranks.entry(*method).and_modify(|best| *best = (*best).min(*rank)).or_insert(*rank);
            }
        }
    }
    let mut merged: Vec<Fused> = by_id.into_values().collect();
    merged.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.id.cmp(&b.id)));
    merged
}

/// log(1 + clicks), scaled to 0..=[`POPULARITY_CAP`].
fn popularity(clicks: u64) -> f64 {
    POPULARITY_CAP * ((clicks as f64).ln_1p() / CLICKS_AT_CAP.ln_1p()).min(1.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn hits(ids: &[&str]) -> Vec<Hit> {
        ids.iter().map(|id| Hit { id: ElementId::from(*id), score: 0.0, click_count: 0 }).collect()
    }

    fn order(fused: &[Fused]) -> Vec<&str> {
        fused.iter().map(|fused| fused.id.0.as_str()).collect()
    }

    #[test]
    fn agreement_wins() {
        let (keyword, semantic) = (hits(&["a", "b", "c"]), hits(&["b", "d"]));
        let fused = fuse(&[
            Voice { method: Method::Keyword, hits: &keyword, introduces: true },
            Voice { method: Method::Semantic, hits: &semantic, introduces: true },
        ]);
        assert_eq!(order(&fused), ["b", "a", "d", "c"]);
        assert_eq!(fused[0].ranks, BTreeMap::from([(Method::Keyword, 2), (Method::Semantic, 1)]));
        assert!((fused[0].score - (1.0 / 62.0 + 1.0 / 61.0)).abs() < 1e-12);
    }

    #[test]
    fn a_supporting_voice_reorders_and_appends() {
        let (keyword, spatial) = (hits(&["a", "b"]), hits(&["x", "b"]));
        let fused = fuse(&[
            Voice { method: Method::Keyword, hits: &keyword, introduces: true },
            Voice { method: Method::Spatial, hits: &spatial, introduces: false },
        ]);
        assert_eq!(order(&fused), ["b", "a", "x"]);
    }

    #[test]
    fn lists_of_several_searches_become_one() {
        let fused = |ids: &[&str]| -> Vec<Fused> {
            let ranked = (1_u32..).zip(ids);
            let one = |(rank, id): (u32, &&str)| Fused {
                id: ElementId::from(*id),
                ranks: BTreeMap::from([(Method::Keyword, rank)]),
                score: 0.0,
            };
            ranked.map(one).collect()
        };
        let merged = merge(&[&fused(&["a", "b", "c"]), &fused(&["b", "d"])]);
        assert_eq!(order(&merged), ["b", "a", "d", "c"]);
        assert_eq!(merged[0].ranks, BTreeMap::from([(Method::Keyword, 1)]));
        assert_eq!(order(&merge(&[])), [] as [&str; 0]);
    }

    #[test]
    fn popularity_orders_equals_only() {
        let mut keyword = hits(&["a", "b"]);
        keyword[1].click_count = u64::MAX;
        let fused = fuse(&[Voice { method: Method::Keyword, hits: &keyword, introduces: true }]);
        assert_eq!(order(&fused), ["a", "b"]);
        let semantic = hits(&["b", "a"]);
        let fused = fuse(&[
            Voice { method: Method::Keyword, hits: &keyword, introduces: true },
            Voice { method: Method::Semantic, hits: &semantic, introduces: true },
        ]);
        assert_eq!(order(&fused), ["b", "a"]);
    }

    proptest! {
        #[test]
        fn nothing_is_lost_or_repeated(a in proptest::collection::hash_set("[a-h]{1,2}", 0..30), b in proptest::collection::hash_set("[a-h]{1,2}", 0..30),
            clicks in proptest::collection::vec(any::<u64>(), 60), introduces in any::<bool>()) {
            let list = |ids: &std::collections::HashSet<String>, clicks: &[u64]| -> Vec<Hit> {
                ids.iter().zip(clicks).map(|(id, clicks)| Hit { id: ElementId(id.clone()), score: 0.0, click_count: *clicks }).collect()
            };
            let (first, second) = (list(&a, &clicks), list(&b, &clicks[30..]));
            let fused = fuse(&[
                Voice { method: Method::Keyword, hits: &first, introduces: true },
                Voice { method: Method::Graph, hits: &second, introduces },
            ]);
            let mut ids: Vec<String> = fused.iter().map(|fused| fused.id.0.clone()).collect();
            ids.sort();
            let mut expected: Vec<String> = a.union(&b).cloned().collect();
            expected.sort();
            prop_assert_eq!(ids, expected);
        }

        #[test]
        fn popularity_never_passes_a_better_rank(clicks in proptest::collection::vec(any::<u64>(), 100)) {
            let keyword: Vec<Hit> = clicks.iter().enumerate()
                .map(|(at, clicks)| Hit { id: ElementId(format!("{at:03}")), score: 0.0, click_count: *clicks }).collect();
            let fused = fuse(&[Voice { method: Method::Keyword, hits: &keyword, introduces: true }]);
            prop_assert!(fused.is_sorted_by_key(|fused| fused.id.0.clone()));
        }
    }
}
