//! One search: place name → retrieval by every method → fusion → cards and facets.

mod cards;
mod order;
mod removed;

use std::{collections::HashMap, time::Instant};

pub use cards::Highlighter;

use crate::{
    ask::{
        augmentation::{Augmented, augment},
        fusion::{Fused, Voice, fuse, merge},
        retrieval::{DEPTH, Retrieved, retrieve},
        routing::{Route, route},
    },
    geometry::Shape,
    model::{
        cursor::Cursor,
        element::{Element, ElementId},
        place::PlaceStatus,
        problem::FieldError,
        query::{Filter, Method, SearchQuery, Sort},
        results::{Facets, ResultItem, SearchResults},
    },
    ports::{PortError, search_index::FacetScope},
    services::Services,
};

/// Values shown a facet.
const FACET_VALUES: usize = 20;
/// How far a list can be paged.
const MAX_OFFSET: u64 = 10_000;

#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The query itself is wrong: what to do stands in each error.
    #[error("the search is not valid")]
    Invalid(Vec<FieldError>),
    #[error("the search could not be run")]
    Failed(#[from] PortError),
}

/// What the list of a search is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Listing {
    /// The fused candidates of the methods, from the first one on.
    Fused,
    /// Everything in an area by fit, from the first one on.
    Area,
    /// The page asked for of everything that passes the filter, in another order than fit.
    Browsed,
}

/// Candidates of one search, fused, before any card is made.
pub struct Candidates {
    pub question: Augmented,
    /// The filter with the area of a place that was asked for.
    pub filter: Filter,
    pub routes: Vec<Route>,
    pub retrieved: Vec<Retrieved>,
    pub fused: Vec<Fused>,
    /// Elements that can be paged through.
    pub total: u64,
    listing: Listing,
}

/// Runs a search. A method whose engine fails is reported as degraded; the search itself fails only where nothing could be
/// shown at all.
///
/// # Errors
/// An invalid cursor or area; records that cannot be read.
pub async fn search(services: &Services, query: &SearchQuery) -> Result<SearchResults, SearchError> {
    let started = Instant::now();
    let offset = offset(query)?;
    if let Some(asked) = &query.filter.area {
        Shape::from_area(&asked.area).map_err(|error| SearchError::Invalid(vec![error]))?;
    }
    let candidates = find_candidates(services, query, offset).await?;
    let page = page(services, query, &candidates, offset).await?;
    let facets = facets(services, &candidates).await;
    let end = offset + page.len() as u64;
    let next_cursor = (end < candidates.total && end < MAX_OFFSET && !page.is_empty())
        .then(|| Cursor { offset: end, query: query.fingerprint() }.encode());
    let without_footprint = match candidates.filter.area {
        Some(_) => services.index.count_without_footprint(&candidates.filter).await.unwrap_or_default(),
        None => 0,
    };
    let removed_by = if candidates.total == 0 { removed::removed_by(services, query, &candidates).await } else { Vec::new() };
    Ok(SearchResults {
        total: candidates.total,
        items: page,
        methods: candidates.retrieved.into_iter().map(|retrieved| retrieved.report).collect(),
        facets,
        place: candidates.question.place,
        without_footprint,
        removed_by,
        next_cursor,
        elapsed_ms: started.elapsed().as_secs_f64() * 1_000.0,
    })
}

fn offset(query: &SearchQuery) -> Result<u64, SearchError> {
    let Some(cursor) = &query.cursor else { return Ok(0) };
    if cursor.query != query.fingerprint() {
        let message = "this cursor belongs to another search; start again without it";
        return Err(SearchError::Invalid(vec![FieldError::new("cursor", message)]));
    }
    if cursor.offset > MAX_OFFSET {
        return Err(SearchError::Invalid(vec![FieldError::new(
            "cursor",
            format!("paging ends after {MAX_OFFSET} elements; narrow the search"),
        )]));
    }
    Ok(cursor.offset)
}

/// Augmentation, routing, retrieval and fusion, as the question pipeline runs them too.
///
/// # Errors
/// Records or an index that cannot be read.
pub async fn find_candidates(services: &Services, query: &SearchQuery, offset: u64) -> Result<Candidates, PortError> {
    let question = augment(services, query).await;
    let routes = route(query, &question);
    candidates_of(services, query, question, routes, offset).await
}

/// The same for a question that is read and routed already.
///
/// # Errors
/// As [`find_candidates`].
pub async fn candidates_of(
    services: &Services,
    query: &SearchQuery,
    question: Augmented,
    mut routes: Vec<Route>,
    offset: u64,
) -> Result<Candidates, PortError> {
    let mut filter = query.filter.clone();
    if query.place.is_some() {
        filter.area = question.area.clone();
    }
    let place_unknown = query.place.is_some()
        && question.place.as_ref().is_some_and(|place| matches!(place.status, PlaceStatus::NotFound | PlaceStatus::Failed));
    if place_unknown {
        // an area that cannot be drawn holds nothing; widening it in silence would be a lie
        for route in &mut routes {
            route.takes_part = false;
            "the place is not known".clone_into(&mut route.why);
        }
    }
    let taking_part: Vec<Method> = routes.iter().filter(|route| route.takes_part).map(|route| route.name).collect();
    let listing = match taking_part.as_slice() {
        [] if !place_unknown => Listing::Browsed,
        [Method::Spatial] if query.sort == Sort::Relevance => Listing::Area,
        [Method::Spatial] => Listing::Browsed,
        _ => Listing::Fused,
    };
    if taking_part == [Method::Spatial] {
        // a list of nothing but an area is filtered by it, also where words named it
        filter.area = question.area.clone();
    }
    let depth = if listing == Listing::Area { DEPTH.max(offset as usize + query.limit()) } else { DEPTH };
    let retrieved = retrieve(services, &question, &filter, &routes, depth).await;
    let voices: Vec<Voice<'_>> = retrieved
        .iter()
        .map(|retrieved| Voice { method: retrieved.report.name, hits: &retrieved.hits, introduces: retrieved.introduces })
        .collect();
    let mut fused = fuse(&voices);
    let mut total = match listing {
        Listing::Area => retrieved.iter().map(|retrieved| retrieved.total).max().unwrap_or_default(),
        Listing::Fused | Listing::Browsed => fused.len() as u64,
    };
    if listing == Listing::Browsed {
        let mut ranks: HashMap<_, _> = fused.into_iter().map(|fused| (fused.id, fused.ranks)).collect();
        let list = services.index.browse(&filter, query.sort, offset, query.limit()).await?;
        total = list.total;
        fused = list
            .hits
            .into_iter()
            .map(|hit| Fused { ranks: ranks.remove(&hit.id).unwrap_or_default(), id: hit.id, score: 0.0 })
            .collect();
    } else if query.sort != Sort::Relevance {
        fused = order::sorted(services, query.sort, fused).await?;
    }
    Ok(Candidates { question, filter, routes, retrieved, fused, total, listing })
}

impl Candidates {
    /// Takes in what another search of the same question found.
    pub fn absorb(&mut self, other: Self) {
        self.fused = merge(&[&self.fused, &other.fused]);
        self.total = self.fused.len() as u64;
        self.retrieved.extend(other.retrieved);
    }
}

async fn page(
    services: &Services,
    query: &SearchQuery,
    candidates: &Candidates,
    offset: u64,
) -> Result<Vec<ResultItem>, PortError> {
    let skip = if candidates.listing == Listing::Browsed { 0 } else { offset as usize };
    let shown: Vec<&Fused> = candidates.fused.iter().skip(skip).take(query.limit()).collect();
    items(services, candidates, &shown, offset).await
}

/// Cards of these elements; an element that was withdrawn since the index was asked is left out.
///
/// # Errors
/// Records that cannot be read.
pub async fn items(
    services: &Services,
    candidates: &Candidates,
    shown: &[&Fused],
    offset: u64,
) -> Result<Vec<ResultItem>, PortError> {
    let ids: Vec<ElementId> = shown.iter().map(|fused| fused.id.clone()).collect();
    let mut elements: HashMap<ElementId, Element> =
        services.records.elements(&ids).await?.into_iter().map(|element| (element.id.clone(), element)).collect();
    let highlighter = Highlighter::new(&candidates.question.text);
    let mut items = Vec::with_capacity(shown.len());
    for (position, fused) in (offset as u32 + 1..).zip(shown) {
        let Some(element) = elements.remove(&fused.id).filter(Element::is_public) else { continue };
        let because = candidates.retrieved.iter().filter_map(|retrieved| retrieved.because.get(&fused.id).cloned()).collect();
        items.push(cards::card(element, fused, position, because, &highlighter));
    }
    Ok(items)
}

async fn facets(services: &Services, candidates: &Candidates) -> Facets {
    let ids: Vec<ElementId>;
    let scope = match candidates.listing {
        Listing::Area | Listing::Browsed => FacetScope::Filter(&candidates.filter),
        Listing::Fused => {
            ids = candidates.fused.iter().map(|fused| fused.id.clone()).collect();
            FacetScope::Elements(&ids)
        }
    };
    match services.index.facets(scope, FACET_VALUES).await {
        Ok(facets) => facets,
        Err(error) => {
            tracing::warn!(error = %error, cause = %error.source, "facets are left out");
            Facets::default()
        }
    }
}

#[cfg(all(test, feature = "embedded"))]
mod tests;
