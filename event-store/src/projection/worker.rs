//! Worker of one projection: applies batch after batch while it holds the lease.

use std::sync::Arc;
use std::time::Duration;

use sqlx::PgPool;
use tokio::sync::{mpsc, oneshot, watch};

use super::checkpoint::{self, Epoch, Key};
use super::poison::{self, ParkedStreams};
use super::schemas::SchemaRole;
use super::shared_commit::{MOST_EVENTS, Outcome, Step};
use super::tail::LogChunk;
use super::{OnPoison, Projection, ProjectionError};
use crate::error::StoreError;
use crate::store::Store;
use crate::stored_event::StoredEvent;
use crate::transaction::begin;

/// Maximum number of positions per checkpoint move, so that a rebuild of a rare kind shows progress.
const STRIDE: i64 = 50_000;
/// First pause after an error; doubles up to [`LONGEST_PAUSE`].
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// How often a single event is tried before the projection stops or parks its stream: over about six seconds.
pub(super) const ATTEMPTS: u32 = 7;

pub(super) struct Worker {
    pub store: Store,
    /// Pool for writing batches; its commits do not wait for the disk: rows and checkpoint lost together in a crash are derived
    /// again.
    pub pool: PgPool,
    pub key: Key,
    pub projection: Arc<dyn Projection>,
    pub held: watch::Receiver<Option<Epoch>>,
    pub news: watch::Receiver<Arc<LogChunk>>,
    /// Moves checkpoints together with other projections.
    pub shared: mpsc::Sender<Step>,
    pub fenced: mpsc::UnboundedSender<Key>,
    /// Receives an error for an event of a newer program.
    pub outdated: mpsc::UnboundedSender<StoreError>,
    pub stop: watch::Receiver<bool>,
    /// Maximum number of events per batch.
    pub batch: i64,
    /// Whether readers see this version.
    pub active: bool,
    /// How often a single event is tried.
    pub attempts: u32,
    /// The parked streams.
    pub parked: ParkedStreams,
}

/// Reasons why a worker stops working under an epoch.
enum WorkerExit {
    /// A newer epoch exists, or the checkpoint was deleted.
    Fenced,
    /// The lease's connection was lost.
    LeaseLost,
    /// The runner is shutting down.
    Stopped,
}

/// Events with the checkpoint position that follows them.
struct Batch {
    old: i64,
    new: i64,
    events: Arc<[StoredEvent]>,
}

impl Batch {
    /// The error message for operators.
    fn describe(&self, error: &ProjectionError) -> String {
        match (&*self.events, self.events.last()) {
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

/// Reasons why a batch was not applied.
enum BatchError {
    Fenced,
    /// The events could not be applied.
    Batch(Box<Batch>, ProjectionError),
    /// A failure not caused by the events.
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
                    // Waits until the keeper has released the lease.
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
            let troubled = size < self.batch || tried > 0;
            let moved = self.go_on(epoch, &mut at, (size, troubled)).await;
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
                // The reply to COMMIT may have been lost: the row has the position.
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
                        // The failure cannot be stored now; the event is retried until then.
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

    /// Applies one batch of `size` events at the most, alone after trouble; false if there is nothing to do.
    async fn go_on(
        &mut self,
        epoch: Epoch,
        at: &mut Option<i64>,
        (size, troubled): (i64, bool),
    ) -> Result<bool, BatchError> {
        let old = match *at {
            Some(position) => position,
            None => self.resume(epoch).await?,
        };
        *at = Some(old);
        let piece = Arc::clone(&self.news.borrow_and_update());
        if piece.up_to <= old {
            // The chunk before the first one is empty and ends at 0.
            if piece.up_to == old && old > 0 {
                self.show(epoch).await?;
            }
            return Ok(false);
        }
        let (events, new) = self.read(&piece, old, size).await?;
        let mut events = self.parked.pass(events);
        events.retain(|event| self.projection.wants(event));
        let batch = Batch {
            old,
            new,
            events: events.into(),
        };
        let moved = match batch.events.is_empty() || !troubled && self.joins(&batch) {
            true => self.join(epoch, &batch).await?,
            false => Outcome::Alone,
        };
        if moved == Outcome::Alone {
            self.apply(epoch, batch).await?;
        }
        *at = Some(new);
        if new >= piece.up_to {
            self.show(epoch).await?;
        }
        self.publish(new);
        Ok(true)
    }

    /// The next events of its kinds, and the position up to which they are complete.
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

    /// Whether a batch is applied together with those of other projections.
    fn joins(&self, batch: &Batch) -> bool {
        self.projection.is_read_model() && batch.events.len() <= MOST_EVENTS
    }

    /// Applies a batch together with those of other projections.
    async fn join(&self, epoch: Epoch, batch: &Batch) -> Result<Outcome, BatchError> {
        let (done, answer) = oneshot::channel();
        let step = Step {
            key: self.key,
            epoch,
            old: batch.old,
            new: batch.new,
            projection: Arc::clone(&self.projection),
            events: Arc::clone(&batch.events),
            done,
        };
        // The channel lives as long as the workers.
        let sent = self.shared.send(step).await;
        match (sent, answer.await) {
            (Ok(()), Ok(outcome)) => Ok(outcome?),
            _ => Err(BatchError::Fenced),
        }
    }

    /// Writes rows and checkpoint in one transaction. The checkpoint first: its row lock keeps a successor from starting before
    /// this batch is committed or rolled back.
    async fn apply(&self, epoch: Epoch, batch: Batch) -> Result<(), BatchError> {
        let mut transaction = begin(&self.pool).await?;
        if !checkpoint::advance(&mut transaction, self.key, epoch, batch.old, batch.new).await? {
            return Err(BatchError::Fenced);
        }
        if !batch.events.is_empty() {
            match self.projection.apply(&mut transaction, &batch.events).await {
                Ok(()) => {}
                Err(ProjectionError::Database(error)) if crate::error::passing(&error) => {
                    return Err(error.into());
                }
                Err(error) => return Err(BatchError::Batch(Box::new(batch), error)),
            }
        }
        transaction.commit().await?;
        Ok(())
    }

    /// Handles an event that cannot be applied; returns whether the projection continues without its stream.
    async fn give_up(
        &self,
        epoch: Epoch,
        batch: &Batch,
        error: &ProjectionError,
    ) -> Result<bool, BatchError> {
        let description = batch.describe(error);
        let first = batch.events.first();
        let parks =
            self.projection.rows_of_one_stream() && self.projection.on_poison() == OnPoison::Park;
        let Some(event) = first.filter(|_| parks) else {
            tracing::error!(
                projection = self.key.name,
                error = description,
                "it stops until somebody resumes it"
            );
            checkpoint::stopped(&self.pool, self.key, epoch, &description).await?;
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

    /// Waits for a resume or reset, which raises the epoch; the lease keeper notices that.
    async fn until_somebody_says_so(&mut self, epoch: Epoch) -> WorkerExit {
        tokio::select! {
            _ = self.held.wait_for(|held| *held != Some(epoch)) => WorkerExit::LeaseLost,
            _ = self.stop.wait_for(|stop| *stop) => WorkerExit::Stopped,
        }
    }

    /// The position in the checkpoint row.
    async fn resume(&mut self, epoch: Epoch) -> Result<i64, BatchError> {
        let row = checkpoint::position(&self.pool, self.key, epoch).await?;
        let (position, active) = row.ok_or(BatchError::Fenced)?;
        self.active = active;
        let mut connection = self.pool.acquire().await?;
        self.parked = ParkedStreams::load(&mut connection, self.key, SchemaRole::Live).await?;
        self.publish(position);
        Ok(position)
    }

    /// Caught up: makes this version visible to readers.
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

    /// Waits for new events, or for a reason to stop.
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
            BatchError::Batch(batch, error) => batch.describe(&error),
            BatchError::Database(error) => error.to_string(),
        };
        tracing::error!(projection = self.key.name, error, "it does not go on");
        // If this write fails too, the next attempt repeats it.
        let _ = checkpoint::failed(&self.pool, self.key, &error).await;
    }
}
