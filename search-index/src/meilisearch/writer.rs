//! The only writer of an index.

use std::collections::BTreeMap;
use std::sync::Arc;

use uuid::Uuid;

use super::documents::{FORMAT, Mark, document};
use super::server::Server;
use crate::Error;
use crate::index_op::IndexOp;

/// Number of changes that are sent without waiting for the next commit.
const SEND_AT: usize = 1_000;

/// The pending changes, and their index.
pub struct Writing {
    pub index: String,
    /// Distinguishes this writer from another one of an index with the same name.
    pub token: Arc<()>,
    waiting: BTreeMap<Uuid, IndexOp>,
}

impl Writing {
    /// A writer of an index.
    pub fn new(index: String) -> Self {
        Self {
            index,
            token: Arc::default(),
            waiting: BTreeMap::new(),
        }
    }

    /// A writer of an index being built, with a copy of the changes pending for the live one.
    pub fn beside(live: &Writing, index: String) -> Self {
        Self {
            waiting: live.waiting.clone(),
            ..Self::new(index)
        }
    }

    /// Takes a change, unless a newer one of the same product is pending.
    pub async fn take(&mut self, server: &Server, change: IndexOp) -> Result<(), Error> {
        let waiting = self.waiting.get(&change.id());
        if waiting.is_some_and(|waiting| waiting.position() > change.position()) {
            return Ok(());
        }
        self.waiting.insert(change.id(), change);
        if self.waiting.len() >= SEND_AT {
            self.send(server, None).await?;
        }
        Ok(())
    }

    /// Sends all pending changes and the position in the log, as one task. On an error all stay pending.
    pub async fn commit(&mut self, server: &Server, position: i64) -> Result<(), Error> {
        let format = FORMAT;
        self.send(server, Some(Mark { format, position })).await
    }

    /// Drops the pending changes: they are in the index that took this one's name.
    pub fn forget(&mut self) {
        self.waiting.clear();
    }

    async fn send(&mut self, server: &Server, mark: Option<Mark>) -> Result<(), Error> {
        server.idle(&self.index).await?;
        let products: Vec<Uuid> = self.waiting.keys().copied().collect();
        let known = match products.is_empty() {
            true => Default::default(),
            false => server.positions(&self.index, &products).await?,
        };
        let news = self.waiting.values().filter(|change| {
            let known = known.get(&change.id());
            known.is_none_or(|known| *known <= change.position())
        });
        let documents: Vec<_> = news.map(document).chain(mark.map(Mark::document)).collect();
        if !documents.is_empty() {
            server.put(&self.index, &documents).await?;
        }
        self.waiting.clear();
        Ok(())
    }
}
