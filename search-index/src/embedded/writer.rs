//! The only writer of an index.

use std::collections::HashMap;
use std::sync::Arc;

use tantivy::indexer::IndexWriterOptions;
use tantivy::{IndexWriter, TantivyDocument};
use uuid::Uuid;

use super::index::{Mark, Volume};
use crate::index_op::IndexOp;

/// Memory for documents being indexed.
const MEMORY_BYTES: usize = 50_000_000;

/// Number of changes that are written without waiting for the next commit.
const FLUSH_AT: usize = 10_000;

/// The pending changes, and their index.
pub struct Writing {
    pub volume: Arc<Volume>,
    /// Opened on demand, and again after an error: a writer is unusable after its first error.
    writer: Option<IndexWriter>,
    waiting: HashMap<Uuid, IndexOp>,
    complete: bool,
}

impl Writing {
    /// A writer of the live index, or of one being built.
    pub fn new(volume: Arc<Volume>, complete: bool) -> Self {
        Self {
            volume,
            writer: None,
            waiting: HashMap::new(),
            complete,
        }
    }

    /// A writer of an index being built, with a copy of the changes pending for the live one.
    pub fn beside(live: &Writing, volume: Arc<Volume>) -> Self {
        Self {
            waiting: live.waiting.clone(),
            ..Self::new(volume, false)
        }
    }

    /// Takes a change, unless a newer one of the same product is pending or written already.
    pub fn take(&mut self, change: IndexOp) -> tantivy::Result<()> {
        let known = match self.waiting.get(&change.id()) {
            Some(waiting) => Some(waiting.position()),
            None => self.volume.position_of(change.id())?,
        };
        if known.is_some_and(|known| known > change.position()) {
            return Ok(());
        }
        self.waiting.insert(change.id(), change);
        if self.waiting.len() >= FLUSH_AT {
            self.commit(self.volume.position())?;
        }
        Ok(())
    }

    /// Commits all pending changes durably and shows them to searches. On an error all stay pending.
    pub fn commit(&mut self, position: i64) -> tantivy::Result<()> {
        let position = position.max(self.volume.position());
        let written = self.write(Mark::new(self.complete, position));
        if written.is_err() {
            self.writer = None;
        } else {
            self.waiting.clear();
        }
        written
    }

    /// As [`Writing::commit`]; from then on the index is the live one.
    pub fn complete(&mut self, position: i64) -> tantivy::Result<()> {
        self.complete = true;
        self.commit(position)
    }

    /// Ends writing, including background work.
    pub fn end(self) -> Arc<Volume> {
        if let Some(Err(error)) = self.writer.map(IndexWriter::wait_merging_threads) {
            tracing::warn!(%error, "a search index that is no longer needed did not end well");
        }
        self.volume
    }

    fn write(&mut self, mark: Mark) -> tantivy::Result<()> {
        let volume = self.volume.as_ref();
        let fields = volume.fields;
        let mut writer = match self.writer.take() {
            Some(writer) => writer,
            None => open(volume)?,
        };
        for change in self.waiting.values() {
            writer.delete_term(fields.of_id(change.id()));
            writer.add_document(match change {
                IndexOp::State(document) => fields.product(document),
                IndexOp::Gone(removal) => fields.removal(*removal),
            })?;
        }
        let payload = serde_json::to_string(&mark).map_err(std::io::Error::from)?;
        let mut prepared = writer.prepare_commit()?;
        prepared.set_payload(&payload);
        prepared.commit()?;
        self.writer = Some(writer);
        volume.show(mark.position)
    }
}

fn open(volume: &Volume) -> tantivy::Result<IndexWriter> {
    let options = IndexWriterOptions::builder()
        .num_worker_threads(1)
        .memory_budget_per_thread(MEMORY_BYTES)
        .num_merge_threads(1)
        .build();
    volume.index.writer_with_options::<TantivyDocument>(options)
}
