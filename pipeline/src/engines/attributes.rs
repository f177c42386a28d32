//! What filters, facets and orders need to know of each public element, in memory, a column each.

pub mod best;
pub mod facets;
pub mod names;
pub mod orders;
pub mod row_set;

use std::{collections::HashMap, sync::Arc};

use crate::{
    model::{
        element::{Element, ElementId, Kind},
        period::Period,
        query::Filter,
    },
    text::fold::fold,
};

use names::{Names, ShownName};
use orders::{OrderKeys, Orders};
use row_set::RowSet;

/// One element's attributes, ready to be put into the columns.
#[derive(Clone, Debug)]
pub struct Entry {
    id: Arc<str>,
    kind: Kind,
    tags: Vec<ShownName>,
    contributor: Option<ShownName>,
    coverage: Option<Coverage>,
    title_key: Arc<str>,
    /// Microseconds since 1970; the least number when it is not known.
    updated_us: i64,
    click_count: u64,
}

/// Temporal coverage: seconds for filters, years for facets; open ends are the extremes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Coverage {
    seconds: (i64, i64),
    years: (i32, i32),
}

impl Coverage {
    /// Overlaps nothing.
    const NONE: Self = Self { seconds: (i64::MAX, i64::MIN), years: (i32::MAX, i32::MIN) };

    fn of(period: &Period) -> Option<Self> {
        let seconds = period.seconds()?;
        let years = (period.start.map_or(i32::MIN, |date| date.year()), period.end.map_or(i32::MAX, |date| date.year()));
        Some(Self { seconds, years })
    }
}

impl Entry {
    pub fn new(element: &Element) -> Self {
        let updated = element.updated.as_deref().and_then(|moment| moment.parse::<jiff::Timestamp>().ok());
        Self {
            id: Arc::from(element.id.0.as_str()),
            kind: element.kind,
            tags: element.tags.iter().map(|tag| ShownName::new(tag)).collect(),
            contributor: element.contributor.as_ref().map(|person| ShownName::new(&person.name)),
            coverage: element.temporal.as_ref().and_then(Coverage::of),
            title_key: Arc::from(fold(element.title.trim())),
            updated_us: updated.map_or(i64::MIN, jiff::Timestamp::as_microsecond),
            click_count: element.click_count,
        }
    }

    pub fn id(&self) -> &str {
        &self.id
    }
}

/// Rows are small numbers; the row of an element is the same in text, attributes and footprints for as long as it is public.
#[derive(Default)]
pub struct Attributes {
    rows: HashMap<Arc<str>, u32>,
    live: Arc<RowSet>,
    ids: Vec<Arc<str>>,
    kinds: Vec<Kind>,
    contributors: Vec<u32>,
    coverages: Vec<Coverage>,
    tags: Vec<Box<[u32]>>,
    keys: Vec<OrderKeys>,
    tag_names: Names,
    contributor_names: Names,
    orders: Orders,
}

/// For elements without a contributor.
const NO_NAME: u32 = u32::MAX;

impl Attributes {
    /// Puts an element at a row, in place of what was there.
    pub fn put(&mut self, row: u32, entry: Entry) {
        self.remove_row(row);
        self.grow_to(row);
        let mut tags: Vec<u32> = entry.tags.into_iter().map(|tag| self.tag_names.number(tag)).collect();
        tags.sort_unstable();
        tags.dedup();
        let contributor = entry.contributor.map_or(NO_NAME, |name| self.contributor_names.number(name));
        let keys = OrderKeys { click_count: entry.click_count, updated_us: entry.updated_us, title_key: entry.title_key };
        self.orders.insert(&keys, &entry.id, row);
        self.rows.insert(Arc::clone(&entry.id), row);
        set_at(&mut self.ids, row, entry.id);
        set_at(&mut self.kinds, row, entry.kind);
        set_at(&mut self.contributors, row, contributor);
        set_at(&mut self.coverages, row, entry.coverage.unwrap_or(Coverage::NONE));
        set_at(&mut self.tags, row, tags.into_boxed_slice());
        set_at(&mut self.keys, row, keys);
        Arc::make_mut(&mut self.live).insert(row);
    }

    /// The row that is free now, if the element was there.
    pub fn remove(&mut self, id: &str) -> Option<u32> {
        let row = self.row(id)?;
        self.remove_row(row);
        Some(row)
    }

    pub fn row(&self, id: &str) -> Option<u32> {
        self.rows.get(id).copied()
    }

    /// Empty for a row that holds nothing.
    pub fn id(&self, row: u32) -> &str {
        self.ids.get(row as usize).map_or("", |id| id)
    }

    pub fn element_id(&self, row: u32) -> ElementId {
        ElementId::from(self.id(row))
    }

    pub fn click_count(&self, row: u32) -> u64 {
        self.keys.get(row as usize).map_or(0, |keys| keys.click_count)
    }

    pub fn live(&self) -> &Arc<RowSet> {
        &self.live
    }

    pub fn orders(&self) -> &Orders {
        &self.orders
    }

    /// The rows that pass everything but the area of a filter. Tags and contributors compare without case and accents.
    pub fn matching(&self, filter: &Filter) -> Arc<RowSet> {
        let asks_nothing =
            filter.kinds.is_empty() && filter.tags.is_empty() && filter.contributors.is_empty() && filter.datetime.is_none();
        if asks_nothing {
            return Arc::clone(&self.live);
        }
        let mut passing = RowSet::clone(&self.live);
        if !filter.kinds.is_empty() {
            passing.retain(|row| self.kinds.get(row as usize).is_some_and(|kind| filter.kinds.contains(kind)));
        }
        if !filter.contributors.is_empty() {
            let wanted: Vec<u32> = filter.contributors.iter().filter_map(|name| self.contributor_names.find(name)).collect();
            passing.retain(|row| self.contributors.get(row as usize).is_some_and(|name| wanted.contains(name)));
        }
        for tag in &filter.tags {
            match self.tag_names.find(tag) {
                Some(tag) => {
                    passing.retain(|row| self.tags.get(row as usize).is_some_and(|tags| tags.binary_search(&tag).is_ok()))
                }
                None => return Arc::default(),
            }
        }
        if let Some(interval) = &filter.datetime {
            let (first, last) = interval.seconds();
            let overlaps = |coverage: &Coverage| coverage.seconds.0 <= last && first <= coverage.seconds.1;
            passing.retain(|row| self.coverages.get(row as usize).is_some_and(overlaps));
        }
        Arc::new(passing)
    }

    fn remove_row(&mut self, row: u32) {
        if !self.live.contains(row) {
            return;
        }
        Arc::make_mut(&mut self.live).remove(row);
        if let (Some(id), Some(keys)) = (self.ids.get(row as usize), self.keys.get(row as usize)) {
            self.orders.remove(keys, id, row);
            self.rows.remove(id);
        }
    }

    fn grow_to(&mut self, row: u32) {
        let rows = row as usize + 1;
        if rows <= self.ids.len() {
            return;
        }
        self.ids.resize_with(rows, || Arc::from(""));
        self.kinds.resize(rows, Kind::Dataset);
        self.contributors.resize(rows, NO_NAME);
        self.coverages.resize(rows, Coverage::NONE);
        self.tags.resize_with(rows, Box::default);
        self.keys.resize_with(rows, OrderKeys::default);
    }
}

fn set_at<T>(column: &mut [T], row: u32, value: T) {
    if let Some(slot) = column.get_mut(row as usize) {
        *slot = value;
    }
}
