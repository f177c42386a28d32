//! Counts per value over a set of rows.

use std::collections::BTreeMap;

use super::{Attributes, NO_NAME, names::Names, row_set::RowSet};
use crate::model::{
    element::Kind,
    results::{FacetCount, Facets},
};

impl Attributes {
    /// Most frequent first, ties by value; at most `limit` values a facet (all kinds). An open coverage counts into the decades
    /// up to `this_year`.
    pub fn facets(&self, rows: &RowSet, limit: usize, this_year: i32) -> Facets {
        let mut kinds = [0_u64; Kind::ALL.len()];
        let mut tags = vec![0_u64; self.tag_names.count()];
        let mut contributors = vec![0_u64; self.contributor_names.count()];
        let mut decades = Decades::default();
        for row in rows.iter() {
            let at = row as usize;
            if let Some(kind) = self.kinds.get(at) {
                count_one(&mut kinds, *kind as usize);
            }
            for tag in self.tags.get(at).into_iter().flatten() {
                count_one(&mut tags, *tag as usize);
            }
            if let Some(name) = self.contributors.get(at).filter(|name| **name != NO_NAME) {
                count_one(&mut contributors, *name as usize);
            }
            if let Some(coverage) = self.coverages.get(at) {
                decades.add(coverage.years);
            }
        }
        let kinds = Kind::ALL.into_iter().map(|kind| (kind.name().to_owned(), kinds.get(kind as usize).copied().unwrap_or(0)));
        Facets {
            kinds: most_frequent(kinds.filter(|(_, count)| *count > 0).collect(), Kind::ALL.len()),
            tags: most_frequent_names(&tags, &self.tag_names, limit),
            contributors: most_frequent_names(&contributors, &self.contributor_names, limit),
            decades: decades.most_frequent(limit, this_year),
        }
    }
}

fn count_one(counts: &mut [u64], at: usize) {
    if let Some(count) = counts.get_mut(at) {
        *count += 1;
    }
}

fn most_frequent_names(counts: &[u64], names: &Names, limit: usize) -> Vec<FacetCount> {
    let mut seen: Vec<(u64, usize)> = counts.iter().copied().zip(0..).filter(|(count, _)| *count > 0).collect();
    // only names that may be among the first are compared by name
    if let Some(least) = limit.checked_sub(1).filter(|least| *least < seen.len()) {
        let (_, (floor, _), _) = seen.select_nth_unstable_by(least, |a, b| b.0.cmp(&a.0));
        let floor = *floor;
        seen.retain(|(count, _)| *count >= floor);
    }
    most_frequent(seen.into_iter().map(|(count, number)| (names.shown(number).to_owned(), count)).collect(), limit)
}

fn most_frequent(mut values: Vec<(String, u64)>, limit: usize) -> Vec<FacetCount> {
    values.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    values.truncate(limit);
    values.into_iter().map(|(value, count)| FacetCount { value, count }).collect()
}

/// Counts by where coverages begin and end, so that a coverage of ten thousand years costs as much as one of a day.
#[derive(Default)]
struct Decades {
    /// How the count changes at a decade (its first year divided by ten).
    changes: BTreeMap<i32, i64>,
    open_starts: i64,
    last_end: Option<i32>,
}

impl Decades {
    fn add(&mut self, (first, last): (i32, i32)) {
        if first > last {
            return;
        }
        if first == i32::MIN {
            self.open_starts += 1;
        } else {
            *self.changes.entry(first.div_euclid(10)).or_default() += 1;
        }
        if last < i32::MAX {
            let last = last.div_euclid(10);
            *self.changes.entry(last + 1).or_default() -= 1;
            self.last_end = self.last_end.max(Some(last));
        }
    }

    fn most_frequent(self, limit: usize, this_year: i32) -> Vec<FacetCount> {
        let past_the_last = self.last_end.map_or(i32::MIN, |last| last + 1).max(this_year.div_euclid(10) + 1);
        let mut values: Vec<(i32, i64)> = Vec::new();
        let mut count = self.open_starts;
        let mut changes = self.changes.iter().peekable();
        if let Some((first_change, _)) = changes.peek() {
            // before the first change only open starts count: the decade before an end must not be lost
            values.extend((count > 0).then_some((**first_change - 1, count)));
        }
        while let Some((decade, change)) = changes.next() {
            count += change;
            let next = changes.peek().map_or(past_the_last, |(next, _)| **next).min(past_the_last);
            if count > 0 {
                // within a stretch of equal counts only the first `limit` decades can be shown
                values.extend((*decade..next).take(limit).map(|decade| (decade, count)));
            }
        }
        values.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        values.truncate(limit);
        values.into_iter().map(|(decade, count)| FacetCount { value: year_text(decade * 10), count: count as u64 }).collect()
    }
}

/// As dates are written: `0190`, `-0010`.
fn year_text(year: i32) -> String {
    if year < 0 { format!("-{:04}", -year) } else { format!("{year:04}") }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    const OPEN: (i32, i32) = (i32::MIN, i32::MAX);

    #[rstest]
    #[case(&[(2011, 2019), (2019, 2021)], &[("2010", 2), ("2020", 1)])]
    #[case(&[(2015, OPEN.1)], &[("2010", 1), ("2020", 1)])]
    #[case(&[(OPEN.0, 1994)], &[("1990", 1)])]
    #[case(&[(OPEN.0, 1994), (1988, 1990)], &[("1980", 2), ("1990", 2), ("1970", 1)])]
    #[case(&[(2090, 2100), (2020, OPEN.1)], &[("2090", 2), ("2100", 2), ("2020", 1), ("2030", 1), ("2040", 1), ("2050", 1)])]
    #[case(&[(-10_000, 2000), (1999, 1999)], &[("1990", 2), ("-10000", 1), ("-9990", 1), ("-9980", 1), ("-9970", 1), ("-9960", 1)])]
    #[case(&[(-5, 5)], &[("-0010", 1), ("0000", 1)])]
    #[case(&[(i32::MAX, i32::MIN)], &[])]
    #[case(&[], &[])]
    fn decades_by_overlap(#[case] coverages: &[(i32, i32)], #[case] expected: &[(&str, u64)]) {
        let mut decades = Decades::default();
        coverages.iter().for_each(|years| decades.add(*years));
        let counted: Vec<(String, u64)> =
            decades.most_frequent(6, 2026).into_iter().map(|facet| (facet.value, facet.count)).collect();
        assert_eq!(counted, expected.iter().map(|(value, count)| ((*value).to_owned(), *count)).collect::<Vec<_>>());
    }
}
