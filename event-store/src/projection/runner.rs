//! All projections of a process.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

use super::checkpoint::Key;
use super::lease::{self, Seat};
use super::worker::Worker;
use super::{Progress, Projection, Waited};
use crate::error::StoreError;
use crate::horizon::Horizon;
use crate::store::Store;

/// Most events of a batch.
const BATCH: i64 = 500;

/// Runs projections: each in one process at a time, whichever gets its lease.
pub struct Runner {
    store: Store,
    projections: Vec<Arc<dyn Projection>>,
    batch: i64,
}

impl Runner {
    /// A runner for `projections`; nothing happens before [`Runner::run`].
    pub fn new(store: Store, projections: Vec<Arc<dyn Projection>>) -> Self {
        Self {
            store,
            projections,
            batch: BATCH,
        }
    }

    /// With at most `events` in a batch (500 otherwise).
    #[must_use]
    pub fn with_batch(mut self, events: u32) -> Self {
        self.batch = i64::from(events.max(1));
        self
    }

    /// Runs them until `shutdown` is ready; the batches at work are finished first.
    ///
    /// Errors of a projection do not end this: they are retried and kept in its checkpoint.
    ///
    /// # Errors
    /// [`StoreError::ProjectionName`] if a name is not one, or is there twice.
    pub async fn run(&self, shutdown: impl Future<Output = ()> + Send) -> Result<(), StoreError> {
        let seats = self.seats()?;
        let horizon = Horizon::follow(&self.store);
        let (stop, stopping) = watch::channel(false);
        let (fenced, fences) = mpsc::unbounded_channel();
        let mut workers = JoinSet::new();
        for seat in seats.iter() {
            let worker = Worker {
                store: self.store.clone(),
                key: seat.key,
                projection: Arc::clone(&seat.projection),
                held: seat.held.subscribe(),
                settled: horizon.settled(),
                fenced: fenced.clone(),
                stop: stopping.clone(),
                batch: self.batch,
                active: false,
            };
            workers.spawn(worker.run());
        }
        let mut keeper = JoinSet::new();
        keeper.spawn(lease::keep(self.store.clone(), seats, fences));
        shutdown.await;
        stop.send_replace(true);
        while workers.join_next().await.is_some() {}
        // the keeper goes last: dropping its connection gives the leases back
        keeper.shutdown().await;
        Ok(())
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

    /// How far the read models that run here are, as they move.
    pub fn positions(&self) -> watch::Receiver<Progress> {
        self.store.inner.progress.subscribe()
    }

    /// [`Store::wait_for`].
    ///
    /// # Errors
    /// The database's.
    pub async fn wait_for(
        &self,
        names: &[&str],
        position: i64,
        timeout: Duration,
    ) -> Result<Waited, StoreError> {
        self.store.wait_for(names, position, timeout).await
    }
}
