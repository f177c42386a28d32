//! Rank metrics as trec_eval defines them (BEIR uses the same), over one ranked list and its judgements.

use std::collections::HashMap;

/// Relevance grade by document id.
pub type Judgements = HashMap<String, u32>;

/// Σ gain/log₂(rank + 1) over the first `cut`, divided by that of the ideal order. Source: trec_eval `ndcg_cut`, linear gain.
pub fn ndcg(ranked: &[String], judged: &Judgements, cut: usize) -> f64 {
    let discounted = |gains: &mut dyn Iterator<Item = u32>| -> f64 {
        gains.take(cut).zip(2_u32..).map(|(gain, at)| f64::from(gain) / f64::from(at).log2()).sum()
    };
    let mut ideal: Vec<u32> = judged.values().copied().collect();
    ideal.sort_unstable_by(|a, b| b.cmp(a));
    let best = discounted(&mut ideal.into_iter());
    if best == 0.0 {
        return 0.0;
    }
    discounted(&mut ranked.iter().map(|id| judged.get(id).copied().unwrap_or(0))) / best
}

/// 1/rank of the first relevant document within the first `cut`, else 0.
pub fn reciprocal_rank(ranked: &[String], judged: &Judgements, cut: usize) -> f64 {
    let first = ranked.iter().take(cut).position(|id| judged.get(id).is_some_and(|grade| *grade > 0));
    first.map_or(0.0, |at| 1.0 / (at as f64 + 1.0))
}

/// Share of the relevant documents within the first `cut`.
pub fn recall(ranked: &[String], judged: &Judgements, cut: usize) -> f64 {
    let relevant = judged.values().filter(|grade| **grade > 0).count();
    let found = ranked.iter().take(cut).filter(|id| judged.get(*id).is_some_and(|grade| *grade > 0)).count();
    if relevant == 0 { 0.0 } else { found as f64 / relevant as f64 }
}

/// The value below which this share of the sorted values lies, by nearest rank.
pub fn percentile(sorted: &[f64], share: f64) -> f64 {
    let rank = (share * sorted.len() as f64).ceil().max(1.0) as usize - 1;
    sorted.get(rank.min(sorted.len().saturating_sub(1))).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_of_a_known_list() {
        let ranked: Vec<String> = ["a", "b", "c"].map(str::to_owned).into();
        let judged = Judgements::from([("b".to_owned(), 1), ("x".to_owned(), 1)]);
        let ideal = 1.0 + 1.0 / 3_f64.log2();
        assert!((ndcg(&ranked, &judged, 10) - (1.0 / 3_f64.log2()) / ideal).abs() < 1e-12);
        assert_eq!(reciprocal_rank(&ranked, &judged, 10), 0.5);
        assert_eq!(recall(&ranked, &judged, 10), 0.5);
        assert_eq!(recall(&ranked, &judged, 1), 0.0);
        assert_eq!(percentile(&[1.0, 2.0, 3.0, 4.0], 0.5), 2.0);
        assert_eq!(percentile(&[1.0, 2.0, 3.0, 4.0], 0.95), 4.0);
    }
}
