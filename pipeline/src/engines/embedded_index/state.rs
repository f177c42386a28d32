//! What searches read.

use std::sync::{Arc, RwLock};

use super::{no_model, recent::Recent};
use crate::{
    engines::{
        attributes::{Attributes, best::Best, row_set::RowSet},
        footprints::{Footprints, PreparedArea},
        tantivy::TextSnapshot,
        vectors::Vectors,
    },
    model::{
        place::{Area, AreaFilter},
        problem::FieldError,
        query::{Filter, Sort},
        results::Facets,
    },
    ports::{
        ErrorKind, PortError, PortResult, Seq,
        search_index::{FacetScope, Hit, RankList},
    },
};

pub struct State {
    pub text: TextSnapshot,
    pub attributes: Attributes,
    pub footprints: Footprints,
    pub text_seq: Seq,
    /// Absent without a model.
    pub vectors: Option<VectorPart>,
    /// Filters and what passes them, facets and what they count: until the next write.
    pub passing: Recent<Filter, RowSet>,
    pub counted: Recent<(Filter, usize), Facets>,
    pub areas: Recent<Area, PreparedArea>,
}

pub struct VectorPart {
    pub vectors: Vectors,
    pub seq: Seq,
}

/// The state behind its lock. A read takes a few milliseconds at most, a write as long as it takes to swap in what is prepared.
pub struct Shared {
    state: RwLock<State>,
}

impl Shared {
    pub fn new(state: State) -> Self {
        Self { state: RwLock::new(state) }
    }

    pub fn read<T>(&self, read: impl FnOnce(&State) -> PortResult<T>) -> PortResult<T> {
        let state = self.state.read().map_err(|_| half_written())?;
        read(&state)
    }

    /// What filters let pass is forgotten with every write.
    pub fn write<T>(&self, write: impl FnOnce(&mut State) -> T) -> PortResult<T> {
        let mut state = self.state.write().map_err(|_| half_written())?;
        state.passing.clear();
        state.counted.clear();
        Ok(write(&mut state))
    }
}

fn half_written() -> PortError {
    PortError::new(
        ErrorKind::Internal,
        "index: lock",
        "a change broke off half-way; restart cairn, it reads the index from the disk again",
    )
}

impl State {
    pub fn keyword(&self, text: &str, filter: &Filter, limit: usize) -> PortResult<RankList> {
        let passing = self.passing(filter)?;
        let mut best = Best::new(&self.attributes, limit);
        let total = self.text.search(text, &passing, &mut best)?;
        Ok(self.rank_list(best.finish(), total))
    }

    pub fn semantic(&self, vector: &[f32], filter: &Filter, limit: usize) -> PortResult<RankList> {
        let part = self.vectors.as_ref().ok_or_else(no_model)?;
        check_dimension(vector.len(), part.vectors.dimension())?;
        let passing = self.passing(filter)?;
        let nearest = part.vectors.nearest(vector, &passing, &self.attributes, limit);
        Ok(self.rank_list(nearest, part.vectors.count(&passing)))
    }

    pub fn spatial(&self, area: &AreaFilter, filter: &Filter, limit: usize) -> PortResult<RankList> {
        let passing = self.passing(filter)?;
        let prepared = self.prepared(&area.area)?;
        let (hits, total) = self.footprints.nearest(&prepared, area.relation, &passing, &self.attributes, limit);
        Ok(self.rank_list(hits, total))
    }

    pub fn browse(&self, filter: &Filter, sort: Sort, offset: u64, limit: usize) -> PortResult<RankList> {
        let passing = self.passing(filter)?;
        let offset = usize::try_from(offset).unwrap_or(usize::MAX);
        let page = self.attributes.orders().page(sort, &passing, offset, limit);
        Ok(self.rank_list(page, passing.len()))
    }

    pub fn count_without_footprint(&self, filter: &Filter) -> PortResult<u64> {
        let mut rows = RowSet::clone(&self.attributes.matching(filter));
        rows.subtract(self.footprints.rows());
        Ok(rows.len())
    }

    pub fn facets(&self, scope: FacetScope<'_>, limit: usize, this_year: i32) -> PortResult<Facets> {
        match scope {
            FacetScope::Elements(ids) => {
                let rows = ids.iter().filter_map(|id| self.attributes.row(&id.0)).collect();
                Ok(self.attributes.facets(&rows, limit, this_year))
            }
            FacetScope::Filter(filter) => {
                let count = || Ok(Arc::new(self.attributes.facets(&*self.passing(filter)?, limit, this_year)));
                let facets = self.counted.get(&(filter.clone(), limit), count)?;
                Ok(Facets::clone(&facets))
            }
        }
    }

    /// The public elements that pass the whole filter.
    pub fn passing(&self, filter: &Filter) -> PortResult<Arc<RowSet>> {
        if filter.is_empty() {
            return Ok(Arc::clone(self.attributes.live()));
        }
        self.passing.get(filter, || {
            let rows = self.attributes.matching(filter);
            let Some(area) = &filter.area else { return Ok(rows) };
            let mut in_area = self.footprints.matching(&*self.prepared(&area.area)?, area.relation);
            in_area.intersect(&rows);
            Ok(Arc::new(in_area))
        })
    }

    fn prepared(&self, area: &Area) -> PortResult<Arc<PreparedArea>> {
        self.areas.get(area, || PreparedArea::new(area).map(Arc::new)).map_err(invalid_area)
    }

    fn rank_list(&self, rows: Vec<(u32, f32)>, total: u64) -> RankList {
        let hit =
            |(row, score)| Hit { id: self.attributes.element_id(row), score, click_count: self.attributes.click_count(row) };
        RankList { hits: rows.into_iter().map(hit).collect(), total }
    }
}

pub fn check_dimension(got: usize, wanted: usize) -> PortResult<()> {
    if got == wanted {
        return Ok(());
    }
    let text = format!("the vector has {got} dimensions, those of the index have {wanted}; another model needs `cairn reindex`");
    Err(PortError::new(ErrorKind::Invalid, "index: vectors", text))
}

fn invalid_area(error: FieldError) -> PortError {
    PortError::new(ErrorKind::Invalid, "index: read the area", error.message)
}
