//! The whole catalogue as NDJSON, the same that can be imported again.

use futures::{Stream, StreamExt, TryStreamExt, stream};

use crate::{
    model::element::{Element, ElementId, Visibility},
    ports::{PortError, PortResult, Records},
};

const PAGE: usize = 500;

/// Which elements leave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExportScope {
    /// What everybody may see.
    #[default]
    Public,
    /// Private and withdrawn ones too: a backup.
    All,
}

/// The elements as lines of JSON, each with its line end, in the order of their ids; reads page by page as it is polled.
pub fn export(records: &dyn Records, scope: ExportScope) -> impl Stream<Item = PortResult<String>> + '_ {
    elements(records, scope).and_then(|element| async move {
        let mut line = serde_json::to_string(&element).map_err(PortError::internal("export"))?;
        line.push('\n');
        Ok(line)
    })
}

/// The elements themselves, in the order of their ids.
pub fn elements(records: &dyn Records, scope: ExportScope) -> impl Stream<Item = PortResult<Element>> + '_ {
    let pages = stream::try_unfold(None::<ElementId>, move |after| async move {
        let page = records.page(after.as_ref(), PAGE).await?;
        let last = page.last().map(|element| element.id.clone());
        Ok::<_, PortError>(last.map(|last| (page, Some(last))))
    });
    pages
        .map_ok(|page| stream::iter(page.into_iter().map(Ok::<_, PortError>)))
        .try_flatten()
        .try_filter(move |element| {
            let leaves = scope == ExportScope::All || element.visibility == Visibility::Public;
            futures::future::ready(leaves)
        })
        .boxed()
}
