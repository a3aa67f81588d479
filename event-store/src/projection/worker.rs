//! One projection at work: batch after batch, as long as its lease lasts.

use std::sync::Arc;
use std::time::Duration;

use sqlx::PgPool;
use tokio::sync::{mpsc, oneshot, watch};

use super::checkpoint::{self, Epoch, Key};
use super::idle_checkpoints::Step;
use super::poison::{self, Parked};
use super::schemas::SchemaRole;
use super::tail::LogChunk;
use super::{OnPoison, Projection, ProjectionError};
use crate::error::StoreError;
use crate::store::Store;
use crate::stored_event::StoredEvent;
use crate::transaction::begin;

/// Most positions one batch moves the checkpoint by, so that a rebuild of a rare kind shows progress.
const STRIDE: i64 = 50_000;
/// First pause after an error; doubles up to [`LONGEST_PAUSE`].
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// How often a single event is tried before the projection stops or parks its stream: for about six seconds.
pub(super) const ATTEMPTS: u32 = 7;

pub(super) struct Worker {
    pub store: Store,
    /// Where batches are written; commits on it do not wait for the disk: what a crash takes away, rows and
    /// checkpoint together, is derived again.
    pub pool: PgPool,
    pub key: Key,
    pub projection: Arc<dyn Projection>,
    pub held: watch::Receiver<Option<Epoch>>,
    pub news: watch::Receiver<Arc<LogChunk>>,
    pub idle: mpsc::Sender<Step>,
    pub fenced: mpsc::UnboundedSender<Key>,
    /// Who is told that the log has an event of a newer program.
    pub outdated: mpsc::UnboundedSender<StoreError>,
    pub stop: watch::Receiver<bool>,
    /// Most events of a batch.
    pub batch: i64,
    /// Readers see this version.
    pub active: bool,
    /// How often a single event is tried.
    pub attempts: u32,
    /// The streams it holds back.
    pub parked: Parked,
}

/// Why a worker stopped working under an epoch.
enum WorkerExit {
    /// Somebody has a newer epoch, or the checkpoint was thrown away.
    Fenced,
    /// The lease's connection was lost.
    LeaseLost,
    /// The runner shuts down.
    Stopped,
}

/// Some events, and where the checkpoint goes with them.
struct Batch {
    old: i64,
    new: i64,
    events: Vec<StoredEvent>,
}

impl Batch {
    /// What operators are told about it.
    fn told(&self, error: &ProjectionError) -> String {
        match (self.events.as_slice(), self.events.last()) {
            ([one], _) => format!(
                "{} of {} at position {}: {error}",
                one.event_type, one.stream, one.position
            ),
            (events, last) => format!(
                "{} events from position {} to {}: {error}",
                events.len(),
                events.first().map_or(self.old, |event| event.position),
                last.map_or(self.new, |event| event.position)
            ),
        }
    }
}

/// Why a batch was not applied.
enum BatchError {
    Fenced,
    /// The events themselves could not be applied, and why.
    Batch(Box<Batch>, ProjectionError),
    /// Something around them.
    Database(StoreError),
}

impl From<sqlx::Error> for BatchError {
    fn from(error: sqlx::Error) -> Self {
        Self::Database(error.into())
    }
}

impl From<StoreError> for BatchError {
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
                WorkerExit::Stopped => return,
                WorkerExit::LeaseLost => {}
                WorkerExit::Fenced => {
                    tracing::info!(projection = self.key.name, "somebody else runs it now");
                    let _ = self.fenced.send(self.key);
                    // until the keeper has given the lease back
                    let _ = self.held.wait_for(|held| *held != Some(epoch)).await;
                }
            }
        }
    }

    async fn work(&mut self, epoch: Epoch) -> WorkerExit {
        let mut at = None;
        let mut size = self.batch;
        let mut pause = FIRST_PAUSE;
        let mut tried = 0;
        loop {
            if *self.stop.borrow() {
                return WorkerExit::Stopped;
            }
            if *self.held.borrow() != Some(epoch) {
                return WorkerExit::LeaseLost;
            }
            let moved = self.go_on(epoch, &mut at, size).await;
            match moved {
                Ok(true) => {
                    size = (size * 2).min(self.batch);
                    pause = FIRST_PAUSE;
                    tried = 0;
                }
                Ok(false) => self.news().await,
                Err(BatchError::Fenced) => return WorkerExit::Fenced,
                Err(BatchError::Database(error)) if error.is_newer() => {
                    drop(self.outdated.send(error));
                    let _ = self.stop.wait_for(|stop| *stop).await;
                    return WorkerExit::Stopped;
                }
                // the answer to COMMIT may have been lost: where we are is what the row says
                Err(BatchError::Batch(batch, error)) if size > 1 => {
                    tracing::debug!(projection = self.key.name, %error, "the batch is tried in smaller pieces");
                    at = None;
                    let count = i64::try_from(batch.events.len()).unwrap_or(size);
                    size = (size.min(count) / 2).max(1);
                }
                Err(BatchError::Batch(batch, error))
                    if !error.is_passing() && tried + 1 >= self.attempts =>
                {
                    at = None;
                    tried = 0;
                    match self.give_up(epoch, &batch, &error).await {
                        Ok(true) => pause = FIRST_PAUSE,
                        Ok(false) => return self.until_somebody_says_so(epoch).await,
                        // it cannot be written down now; the event is tried again until then
                        Err(setback) => self.complain(setback).await,
                    }
                }
                Err(setback) => {
                    at = None;
                    if matches!(setback, BatchError::Batch(..)) {
                        tried += 1;
                    }
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
    ) -> Result<bool, BatchError> {
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
        let events = self.parked.pass(events);
        if events.is_empty() {
            self.skip(epoch, old, new).await?;
        } else {
            self.apply(epoch, Batch { old, new, events }).await?;
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
        piece: &LogChunk,
        old: i64,
        size: i64,
    ) -> Result<(Vec<StoredEvent>, i64), StoreError> {
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
    async fn skip(&self, epoch: Epoch, old: i64, new: i64) -> Result<(), BatchError> {
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
            _ => Err(BatchError::Fenced),
        }
    }

    /// The rows and the checkpoint in one transaction. The checkpoint first: its row lock keeps a successor from
    /// starting before this batch is in or out.
    async fn apply(&self, epoch: Epoch, batch: Batch) -> Result<(), BatchError> {
        let mut transaction = begin(&self.pool).await?;
        if !checkpoint::advance(&mut transaction, self.key, epoch, batch.old, batch.new).await? {
            return Err(BatchError::Fenced);
        }
        match self.projection.apply(&mut transaction, &batch.events).await {
            Ok(()) => {}
            Err(ProjectionError::Database(error)) if crate::error::passing(&error) => {
                return Err(error.into());
            }
            Err(error) => return Err(BatchError::Batch(Box::new(batch), error)),
        }
        transaction.commit().await?;
        Ok(())
    }

    /// An event cannot be applied however often it is tried. Whether the projection goes on without its stream.
    async fn give_up(
        &self,
        epoch: Epoch,
        batch: &Batch,
        error: &ProjectionError,
    ) -> Result<bool, BatchError> {
        let told = batch.told(error);
        let first = batch.events.first();
        let parks =
            self.projection.rows_of_one_stream() && self.projection.on_poison() == OnPoison::Park;
        let Some(event) = first.filter(|_| parks) else {
            tracing::error!(
                projection = self.key.name,
                error = told,
                "it stops until somebody resumes it"
            );
            checkpoint::stopped(&self.pool, self.key, epoch, &told).await?;
            return Ok(false);
        };
        let mut transaction = begin(&self.pool).await?;
        if !checkpoint::advance(&mut transaction, self.key, epoch, batch.old, batch.new).await? {
            return Err(BatchError::Fenced);
        }
        poison::park(&mut transaction, self.key, SchemaRole::Live, event, error).await?;
        transaction.commit().await?;
        Ok(true)
    }

    /// Who resumes it, or begins anew, raises the epoch, and whoever keeps the lease sees that.
    async fn until_somebody_says_so(&mut self, epoch: Epoch) -> WorkerExit {
        tokio::select! {
            _ = self.held.wait_for(|held| *held != Some(epoch)) => WorkerExit::LeaseLost,
            _ = self.stop.wait_for(|stop| *stop) => WorkerExit::Stopped,
        }
    }

    /// Where the row says we are.
    async fn resume(&mut self, epoch: Epoch) -> Result<i64, BatchError> {
        let row = checkpoint::position(&self.pool, self.key, epoch).await?;
        let (position, active) = row.ok_or(BatchError::Fenced)?;
        self.active = active;
        let mut connection = self.pool.acquire().await?;
        self.parked = Parked::load(&mut connection, self.key, SchemaRole::Live).await?;
        self.publish(position);
        Ok(position)
    }

    /// Caught up: readers may see this version.
    async fn show(&mut self, epoch: Epoch) -> Result<(), BatchError> {
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

    async fn complain(&self, setback: BatchError) {
        let error = match setback {
            BatchError::Fenced => return,
            BatchError::Batch(batch, error) => batch.told(&error),
            BatchError::Database(error) => error.to_string(),
        };
        tracing::error!(projection = self.key.name, error, "it does not go on");
        // if this cannot be written either, the next attempt will try again
        let _ = checkpoint::failed(&self.pool, self.key, &error).await;
    }
}
