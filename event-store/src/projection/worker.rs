//! One projection at work: batch after batch, as long as its lease lasts.

use std::sync::Arc;
use std::time::Duration;

use sqlx::PgPool;
use tokio::sync::{mpsc, oneshot, watch};

use super::checkpoint::{self, Epoch, Key};
use super::feed::Piece;
use super::idle::Step;
use super::{Projection, ProjectionError};
use crate::error::{StoreError, unavailable};
use crate::recorded::Recorded;
use crate::store::Store;

/// Most positions one batch moves the checkpoint by, so that a rebuild of a rare kind shows progress.
const STRIDE: i64 = 50_000;
/// First pause after an error; doubles up to [`LONGEST_PAUSE`].
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

pub(super) struct Worker {
    pub store: Store,
    /// Where batches are written; commits on it do not wait for the disk: what a crash takes away, rows and
    /// checkpoint together, is derived again.
    pub pool: PgPool,
    pub key: Key,
    pub projection: Arc<dyn Projection>,
    pub held: watch::Receiver<Option<Epoch>>,
    pub news: watch::Receiver<Arc<Piece>>,
    pub idle: mpsc::Sender<Step>,
    pub fenced: mpsc::UnboundedSender<Key>,
    pub stop: watch::Receiver<bool>,
    /// Most events of a batch.
    pub batch: i64,
    /// Readers see this version.
    pub active: bool,
}

/// Why a worker stopped working under an epoch.
enum Ended {
    /// Somebody has a newer epoch, or the checkpoint was thrown away.
    Fenced,
    /// The lease's connection was lost.
    LeaseLost,
    /// The runner shuts down.
    Stopped,
}

/// Why a batch was not applied.
enum Setback {
    Fenced,
    /// The events themselves could not be applied: the first and the last position, how many, and why.
    Batch(i64, i64, usize, ProjectionError),
    /// Something around them.
    Database(StoreError),
}

impl From<sqlx::Error> for Setback {
    fn from(error: sqlx::Error) -> Self {
        Self::Database(error.into())
    }
}

impl From<StoreError> for Setback {
    fn from(error: StoreError) -> Self {
        Self::Database(error)
    }
}

impl Worker {
    pub(super) async fn run(mut self) {
        loop {
            let lease = tokio::select! {
                held = self.held.wait_for(Option::is_some) => held.map(|held| *held),
                _ = self.stop.wait_for(|stop| *stop) => return,
            };
            let Ok(Some(epoch)) = lease else { return };
            match self.work(epoch).await {
                Ended::Stopped => return,
                Ended::LeaseLost => {}
                Ended::Fenced => {
                    tracing::info!(projection = self.key.name, "somebody else runs it now");
                    let _ = self.fenced.send(self.key);
                    // until the keeper has given the lease back
                    let _ = self.held.wait_for(|held| *held != Some(epoch)).await;
                }
            }
        }
    }

    async fn work(&mut self, epoch: Epoch) -> Ended {
        let mut at = None;
        let mut size = self.batch;
        let mut pause = FIRST_PAUSE;
        loop {
            if *self.stop.borrow() {
                return Ended::Stopped;
            }
            if *self.held.borrow() != Some(epoch) {
                return Ended::LeaseLost;
            }
            let moved = self.go_on(epoch, &mut at, size).await;
            match moved {
                Ok(true) => {
                    size = (size * 2).min(self.batch);
                    pause = FIRST_PAUSE;
                }
                Ok(false) => self.news().await,
                Err(Setback::Fenced) => return Ended::Fenced,
                // the answer to COMMIT may have been lost: where we are is what the row says
                Err(Setback::Batch(_, _, count, error)) if count > 1 => {
                    tracing::debug!(projection = self.key.name, %error, "the batch is tried in smaller pieces");
                    at = None;
                    size = i64::try_from(count / 2).unwrap_or(1).max(1);
                }
                Err(setback) => {
                    at = None;
                    self.complain(setback).await;
                    tokio::select! {
                        () = tokio::time::sleep(pause) => {}
                        _ = self.stop.wait_for(|stop| *stop) => {}
                    }
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
            }
        }
    }

    /// One batch; false if there is nothing to do.
    async fn go_on(
        &mut self,
        epoch: Epoch,
        at: &mut Option<i64>,
        size: i64,
    ) -> Result<bool, Setback> {
        let old = match *at {
            Some(position) => position,
            None => self.resume(epoch).await?,
        };
        *at = Some(old);
        let piece = Arc::clone(&self.news.borrow_and_update());
        if piece.up_to <= old {
            // the piece before the first one is empty and ends at 0
            if piece.up_to == old && old > 0 {
                self.show(epoch).await?;
            }
            return Ok(false);
        }
        let (events, new) = self.read(&piece, old, size).await?;
        if events.is_empty() {
            self.skip(epoch, old, new).await?;
        } else {
            self.apply(epoch, old, new, &events).await?;
        }
        *at = Some(new);
        if new >= piece.up_to {
            self.show(epoch).await?;
        }
        self.publish(new);
        Ok(true)
    }

    /// The next events it wants, and up to where they are all.
    async fn read(
        &self,
        piece: &Piece,
        old: i64,
        size: i64,
    ) -> Result<(Vec<Recorded>, i64), StoreError> {
        let kinds = self.projection.kinds();
        if let Some(found) = piece.after(old, kinds, usize::try_from(size)?) {
            return Ok(found);
        }
        let up_to = piece.up_to.min(old.saturating_add(STRIDE));
        let page = self.store.log_page(kinds, old, up_to, size).await?;
        let full = i64::try_from(page.rows).is_ok_and(|rows| rows >= size);
        let new = if full { page.last_position } else { up_to };
        Ok((page.events, new))
    }

    /// Moves the checkpoint over events it does not want.
    async fn skip(&self, epoch: Epoch, old: i64, new: i64) -> Result<(), Setback> {
        let (done, answer) = oneshot::channel();
        let step = Step {
            key: self.key,
            epoch,
            old,
            new,
            done,
        };
        // the mover lives as long as the workers do
        let sent = self.idle.send(step).await;
        match (sent, answer.await) {
            (Ok(()), Ok(Ok(true))) => Ok(()),
            (Ok(()), Ok(Err(error))) => Err(error.into()),
            _ => Err(Setback::Fenced),
        }
    }

    /// The rows and the checkpoint in one transaction. The checkpoint first: its row lock keeps a successor from
    /// starting before this batch is in or out.
    async fn apply(
        &self,
        epoch: Epoch,
        old: i64,
        new: i64,
        events: &[Recorded],
    ) -> Result<(), Setback> {
        let mut transaction = self.pool.begin().await?;
        if !checkpoint::advance(&mut transaction, self.key, epoch, old, new).await? {
            return Err(Setback::Fenced);
        }
        match self.projection.apply(&mut transaction, events).await {
            Ok(()) => {}
            Err(ProjectionError::Database(error)) if unavailable(&error) => {
                return Err(error.into());
            }
            Err(error) => {
                let first = events.first().map_or(old, |event| event.position);
                let last = events.last().map_or(new, |event| event.position);
                return Err(Setback::Batch(first, last, events.len(), error));
            }
        }
        transaction.commit().await?;
        Ok(())
    }

    /// Where the row says we are.
    async fn resume(&mut self, epoch: Epoch) -> Result<i64, Setback> {
        let row = checkpoint::position(&self.pool, self.key, epoch).await?;
        let (position, active) = row.ok_or(Setback::Fenced)?;
        self.active = active;
        self.publish(position);
        Ok(position)
    }

    /// Caught up: readers may see this version.
    async fn show(&mut self, epoch: Epoch) -> Result<(), Setback> {
        if self.active {
            return Ok(());
        }
        let mut connection = self.pool.acquire().await?;
        checkpoint::activate(&mut connection, self.key).await?;
        self.resume(epoch).await?;
        tracing::info!(
            projection = self.key.name,
            version = self.key.version,
            "readers see this version now"
        );
        Ok(())
    }

    fn publish(&self, position: i64) {
        if self.active {
            self.store.inner.progress.send_modify(|progress| {
                progress.insert(self.key.name.to_owned(), position);
            });
        }
    }

    /// Waits for something to do, or for a reason to stop.
    async fn news(&mut self) {
        tokio::select! {
            _ = self.news.changed() => {}
            _ = self.held.changed() => {}
            _ = self.stop.changed() => {}
        }
    }

    async fn complain(&self, setback: Setback) {
        let error = match setback {
            Setback::Fenced => return,
            Setback::Batch(first, last, count, error) => {
                format!("{count} events from position {first} to {last}: {error}")
            }
            Setback::Database(error) => error.to_string(),
        };
        tracing::error!(projection = self.key.name, error, "it does not go on");
        // if this cannot be written either, the next attempt will try again
        let _ = checkpoint::failed(&self.pool, self.key, &error).await;
    }
}
