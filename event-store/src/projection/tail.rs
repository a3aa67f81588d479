//! The tail of the log, read once for all projections of a process.
//!
//! Projections that have caught up need the same few events at the same time; only those that lag read for themselves.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, watch};

use crate::error::StoreError;
use crate::store::Store;
use crate::stored_event::StoredEvent;

/// Maximum number of stored events per chunk.
const MOST: i64 = 1_000;
/// Pause after a read error.
const PAUSE: Duration = Duration::from_millis(500);

/// All events after one position, up to another; all settled.
#[derive(Debug, Default)]
pub(super) struct LogChunk {
    pub after: i64,
    pub up_to: i64,
    events: Vec<StoredEvent>,
}

impl LogChunk {
    /// The events of some kinds after `position`, about `most` at most, and the position up to which they are complete; `None` if
    /// the chunk starts later.
    pub(super) fn after(
        &self,
        position: i64,
        kinds: &[&str],
        most: usize,
    ) -> Option<(Vec<StoredEvent>, i64)> {
        if self.after > position {
            return None;
        }
        let mut wanted: Vec<StoredEvent> = Vec::new();
        for event in &self.events {
            if event.position <= position
                || !(kinds.is_empty() || kinds.contains(&event.stream.kind.as_str()))
            {
                continue;
            }
            // Events that an upcaster derived from one stored event share its position and stay together.
            let last = wanted.last().map(|last| last.position);
            if wanted.len() >= most
                && let Some(last) = last.filter(|last| *last != event.position)
            {
                return Some((wanted, last));
            }
            wanted.push(event.clone());
        }
        Some((wanted, self.up_to))
    }
}

/// Reads settled events and publishes them, chunk by chunk.
pub(super) async fn feed(
    store: Store,
    mut settled: watch::Receiver<i64>,
    publish: watch::Sender<Arc<LogChunk>>,
    outdated: mpsc::UnboundedSender<StoreError>,
) {
    let mut at = None;
    while settled.changed().await.is_ok() {
        let up_to = *settled.borrow_and_update();
        // Older events are read by lagging projections themselves.
        let mut after = *at.get_or_insert(up_to);
        if after == up_to {
            let nothing = LogChunk {
                after,
                up_to,
                events: Vec::new(),
            };
            publish.send_replace(Arc::new(nothing));
        }
        while after < up_to {
            match read(&store, after, up_to).await {
                Ok(piece) => {
                    after = piece.up_to;
                    publish.send_replace(Arc::new(piece));
                }
                Err(error) if error.is_newer() => {
                    drop(outdated.send(error));
                    return;
                }
                Err(error) => {
                    tracing::warn!(%error, "the log cannot be read");
                    tokio::time::sleep(PAUSE).await;
                }
            }
        }
        at = Some(up_to);
    }
}

async fn read(store: &Store, after: i64, settled: i64) -> Result<LogChunk, StoreError> {
    let page = store.log_page(&[], after, settled, MOST).await?;
    let full = i64::try_from(page.rows).is_ok_and(|rows| rows >= MOST);
    let up_to = if full { page.last_position } else { settled };
    Ok(LogChunk {
        after,
        up_to,
        events: page.events,
    })
}
