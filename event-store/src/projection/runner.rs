//! Runs all projections of a process.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use sqlx::PgPool;
use sqlx::postgres::PgPoolOptions;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

use super::checkpoint::Key;
use super::lease::{self, Seat};
use super::poison::ParkedStreams;
use super::shared_commit::mover;
use super::tail::{LogChunk, feed};
use super::worker::{ATTEMPTS, Worker};
use super::{Projection, WaitOutcome};
use crate::error::StoreError;
use crate::horizon::Horizon;
use crate::store::Progress;
use crate::store::Store;

/// Maximum number of events per batch.
const BATCH: i64 = 500;
/// Number of connections shared by the projections of a process.
const CONNECTIONS: u32 = 8;
/// How long projections that commit together wait for a lock: who holds it delays one of them, not all.
const LOCK_WAIT: &str = "100ms";
/// Timeout for one of them.
const ACQUIRE: Duration = Duration::from_secs(30);

/// Runs projections: each in one process at a time, the one that holds its lease.
pub struct Runner {
    store: Store,
    projections: Vec<Arc<dyn Projection>>,
    batch: i64,
    attempts: u32,
}

impl Runner {
    /// A runner for `projections`; started by [`Runner::run`].
    pub fn new(store: Store, projections: Vec<Arc<dyn Projection>>) -> Self {
        Self {
            store,
            projections,
            batch: BATCH,
            attempts: ATTEMPTS,
        }
    }

    /// Sets how often a single event is tried (default 7, over about six seconds) before its stream is parked or the projection
    /// stops.
    #[must_use]
    pub fn with_attempts(mut self, attempts: u32) -> Self {
        self.attempts = attempts.max(1);
        self
    }

    /// Sets the maximum number of events per batch (default 500).
    #[must_use]
    pub fn with_batch(mut self, events: u32) -> Self {
        self.batch = i64::from(events.max(1));
        self
    }

    /// Runs them until `shutdown` is ready; batches in progress are finished first.
    ///
    /// Errors of a projection do not end this: they are retried and stored in its checkpoint.
    ///
    /// # Errors
    /// [`StoreError::Newer`] at an event of a newer program: all leases are released, and neither that event nor later ones were
    /// applied. [`StoreError::ProjectionName`] for an invalid or duplicate name.
    pub async fn run(&self, shutdown: impl Future<Output = ()> + Send) -> Result<(), StoreError> {
        let seats = self.seats()?;
        let horizon = Horizon::follow(&self.store);
        let pool = self.pool(CONNECTIONS, &[]);
        let (stop, stopping) = watch::channel(false);
        let (publish, news) = watch::channel(Arc::new(LogChunk::default()));
        let (shared, steps) = mpsc::channel(seats.len().max(1));
        let mut helpers = JoinSet::new();
        let (outdated, mut newer) = mpsc::unbounded_channel();
        helpers.spawn(feed(
            self.store.clone(),
            horizon.settled(),
            publish,
            outdated.clone(),
        ));
        let impatient = self.pool(1, &[("lock_timeout", LOCK_WAIT)]);
        helpers.spawn(mover(impatient, steps));
        let (fenced, fences) = mpsc::unbounded_channel();
        let mut workers = JoinSet::new();
        for seat in seats.iter() {
            let worker = Worker {
                store: self.store.clone(),
                key: seat.key,
                projection: Arc::clone(&seat.projection),
                held: seat.held.subscribe(),
                pool: pool.clone(),
                news: news.clone(),
                shared: shared.clone(),
                fenced: fenced.clone(),
                outdated: outdated.clone(),
                stop: stopping.clone(),
                batch: self.batch,
                active: false,
                attempts: self.attempts,
                parked: ParkedStreams::default(),
            };
            workers.spawn(worker.run());
        }
        helpers.spawn(lease::keep(self.store.clone(), seats, fences));
        let end = tokio::select! {
            () = shutdown => Ok(()),
            // A program that knows the event continues from here.
            Some(error) = newer.recv() => Err(error),
        };
        stop.send_replace(true);
        while workers.join_next().await.is_some() {}
        // The lease keeper stops last: dropping its connection releases the leases.
        helpers.shutdown().await;
        pool.close().await;
        end
    }

    /// A separate pool, so that a rebuild does not delay requests.
    fn pool(&self, connections: u32, options: &[(&str, &str)]) -> PgPool {
        let address = (*self.store.pool().connect_options()).clone();
        PgPoolOptions::new()
            .max_connections(connections)
            .acquire_timeout(ACQUIRE)
            .connect_lazy_with(
                address
                    .application_name("event-store projections")
                    .options([("synchronous_commit", "off")])
                    .options(options.iter().copied()),
            )
    }

    fn seats(&self) -> Result<Arc<[Seat]>, StoreError> {
        let mut names = HashSet::new();
        self.projections
            .iter()
            .map(|projection| {
                let key = Key::of(projection.as_ref())?;
                if !names.insert(key.name) {
                    return Err(StoreError::ProjectionName(key.name.to_owned()));
                }
                Ok(Seat {
                    key,
                    projection: Arc::clone(projection),
                    held: watch::Sender::new(None),
                })
            })
            .collect()
    }

    /// Positions of the read models that run in this process, as they advance.
    pub fn positions(&self) -> watch::Receiver<Progress> {
        self.store.progress()
    }

    /// [`Store::wait_for`].
    ///
    /// # Errors
    /// Database errors.
    pub async fn wait_for(
        &self,
        names: &[&str],
        position: i64,
        timeout: Duration,
    ) -> Result<WaitOutcome, StoreError> {
        self.store.wait_for(names, position, timeout).await
    }
}
