//! One target of the change log, and one step towards its end.

use std::sync::Arc;

use super::embedding_text;
use crate::{
    model::element::{ElementId, Visibility},
    ports::{
        Embedder, ErrorKind, PortError, PortResult, Seq,
        records::{ChangeKind, LoggedChange},
        search_index::{ElementVectors, IndexPart},
    },
    services::Services,
};

/// Rows of the log in one batch: a commit of an index costs more than its rows do.
const BATCH: usize = 500;
/// Fewer where each row costs tens of milliseconds, so that the checkpoint moves every few seconds.
const VECTOR_BATCH: usize = 128;
/// Texts handed to the model at once.
const TEXTS_AT_ONCE: usize = 32;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    Text,
    Vectors,
    Graph,
}

/// An element that a target would not take: reported and passed over, for one bad element must not stop the rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub projection: &'static str,
    pub id: ElementId,
    pub reason: String,
}

/// What one step along the log did.
pub(super) enum Step {
    Applied {
        upto: Seq,
        refused: Vec<Refusal>,
    },
    /// The target had followed another log and starts again.
    Erased,
    /// There is nothing after this position.
    AtTheEnd(Seq),
}

#[derive(Clone)]
pub(super) struct Projection {
    target: Target,
    services: Services,
}

impl Projection {
    pub fn all(services: &Services) -> impl Iterator<Item = Self> {
        let services = services.clone();
        [Target::Text, Target::Vectors, Target::Graph].into_iter().map(move |target| Self { target, services: services.clone() })
    }

    pub fn name(&self) -> &'static str {
        match self.target {
            Target::Text => "text",
            Target::Vectors => "vectors",
            Target::Graph => "graph",
        }
    }

    /// Why it stands still until the program is started in another way.
    pub fn cannot_move(&self) -> Option<String> {
        match (self.target, &self.services.embedder) {
            (Target::Vectors, Err(reason)) => Some(reason.to_string()),
            _ => None,
        }
    }

    pub async fn checkpoint(&self) -> PortResult<Seq> {
        match self.target {
            Target::Text => self.services.index.checkpoint(IndexPart::Text).await,
            Target::Vectors => self.services.index.checkpoint(IndexPart::Vectors).await,
            Target::Graph => self.services.graph.checkpoint().await,
        }
    }

    /// Erases a target that has seen more than the log holds: it followed another log. Tells whether it did.
    pub async fn reset_if_foreign(&self) -> PortResult<bool> {
        let (checkpoint, last_seq) = (self.checkpoint().await?, self.services.records.last_seq().await?);
        if checkpoint <= last_seq {
            return Ok(false);
        }
        tracing::warn!(
            projection = self.name(),
            checkpoint,
            last_seq,
            "the projection is ahead of the records; it is built anew"
        );
        match self.target {
            Target::Text => self.services.index.reset(IndexPart::Text).await?,
            Target::Vectors => self.services.index.reset(IndexPart::Vectors).await?,
            Target::Graph => self.services.graph.reset().await?,
        }
        Ok(true)
    }

    /// Applies the next batch of the log.
    pub async fn advance(&self) -> PortResult<Step> {
        let checkpoint = self.checkpoint().await?;
        let batch = if self.target == Target::Vectors { VECTOR_BATCH } else { BATCH };
        let changes = self.services.records.changes(checkpoint, batch).await?;
        let Some(last) = changes.last() else {
            let erased = self.reset_if_foreign().await?;
            return Ok(if erased { Step::Erased } else { Step::AtTheEnd(checkpoint) });
        };
        let upto = last.seq;
        let refused = match (self.target, &self.services.embedder) {
            (Target::Vectors, Ok(embedder)) => self.apply_vectors(embedder, &changes, upto).await?,
            (Target::Vectors, Err(reason)) => {
                return Err(PortError::new(ErrorKind::Unavailable, "projection: vectors", reason.to_string()));
            }
            (Target::Text | Target::Graph, _) => self.apply(&changes).await?,
        };
        for refusal in &refused {
            tracing::warn!(projection = refusal.projection, id = %refusal.id, reason = refusal.reason, "an element was refused");
        }
        metrics::counter!("cairn_projected_rows_total", "projection" => self.name()).increment(changes.len() as u64);
        metrics::counter!("cairn_projection_refused_total", "projection" => self.name()).increment(refused.len() as u64);
        Ok(Step::Applied { upto, refused })
    }

    /// A batch that is refused is halved until what is wrong stands alone.
    async fn apply(&self, changes: &[LoggedChange]) -> PortResult<Vec<Refusal>> {
        let mut refused = Vec::new();
        let mut parts = vec![changes];
        while let Some(part) = parts.pop() {
            let Some(last) = part.last() else { continue };
            let error = match self.apply_whole(part, last.seq).await {
                Ok(()) => continue,
                Err(error) if error.kind == ErrorKind::Invalid => error,
                Err(error) => return Err(error),
            };
            if part.len() > 1 {
                let (first, second) = part.split_at(part.len() / 2);
                parts.extend([second, first]);
                continue;
            }
            refused.push(self.refusal(&last.element.id, &error));
            self.pass_over(last).await?;
        }
        Ok(refused)
    }

    async fn apply_whole(&self, changes: &[LoggedChange], upto: Seq) -> PortResult<()> {
        match self.target {
            Target::Graph => self.services.graph.apply(changes, upto).await,
            Target::Text | Target::Vectors => self.services.index.apply(changes, upto).await,
        }
    }

    /// Moves on without the element. What the target holds of it from before goes too: it may no longer be public.
    async fn pass_over(&self, refused: &LoggedChange) -> PortResult<()> {
        let mut removal = LoggedChange { what: ChangeKind::Withdrawn, ..refused.clone() };
        removal.element.visibility = Visibility::Withdrawn;
        match self.apply_whole(&[removal], refused.seq).await {
            Err(error) if error.kind == ErrorKind::Invalid => self.apply_whole(&[], refused.seq).await,
            other => other,
        }
    }

    async fn apply_vectors(&self, embedder: &Arc<dyn Embedder>, changes: &[LoggedChange], upto: Seq) -> PortResult<Vec<Refusal>> {
        let mut vectors = Vec::with_capacity(changes.len());
        let mut texts = Vec::new();
        for change in changes.iter().filter(|change| change.what != ChangeKind::Clicked) {
            let text = if change.element.is_public() { embedding_text(&change.element) } else { String::new() };
            if text.is_empty() {
                vectors.push(ElementVectors { id: change.element.id.clone(), chunks: Vec::new() });
            } else {
                texts.push((&change.element.id, text));
            }
        }
        // texts of one length together: a batch takes as long as its longest text in engines that pad
        texts.sort_by_key(|(_, text)| text.len());
        let mut refused = Vec::new();
        for part in texts.chunks(TEXTS_AT_ONCE) {
            for (id, embedded) in self.embed(embedder, part).await? {
                let chunks = match embedded {
                    Ok(vector) => vec![vector],
                    Err(error) => {
                        refused.push(self.refusal(&id, &error));
                        Vec::new()
                    }
                };
                vectors.push(ElementVectors { id, chunks });
            }
        }
        self.services.index.apply_vectors(&vectors, upto).await?;
        Ok(refused)
    }

    /// Embeds texts together, or one by one when one of them is refused.
    async fn embed(
        &self,
        embedder: &Arc<dyn Embedder>,
        part: &[(&ElementId, String)],
    ) -> PortResult<Vec<(ElementId, PortResult<Vec<f32>>)>> {
        let texts: Vec<String> = part.iter().map(|(_, text)| text.clone()).collect();
        match embedder.embed(&texts).await {
            Ok(vectors) => return Ok(part.iter().zip(vectors).map(|((id, _), vector)| ((*id).clone(), Ok(vector))).collect()),
            Err(error) if error.kind != ErrorKind::Invalid => return Err(error),
            Err(_) => {}
        }
        let mut embedded = Vec::with_capacity(part.len());
        for (id, text) in part {
            let vector = match embedder.embed(std::slice::from_ref(text)).await {
                Err(error) if error.kind != ErrorKind::Invalid => return Err(error),
                Err(error) => Err(error),
                Ok(vectors) => {
                    vectors.into_iter().next().ok_or_else(|| PortError::new(ErrorKind::Internal, "embed", "no vector came back"))
                }
            };
            embedded.push(((*id).clone(), vector));
        }
        Ok(embedded)
    }

    fn refusal(&self, id: &ElementId, error: &PortError) -> Refusal {
        Refusal { projection: self.name(), id: id.clone(), reason: super::explain(error) }
    }
}
