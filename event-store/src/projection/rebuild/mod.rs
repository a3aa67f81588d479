//! Rebuilds a read model beside the live one, without interrupting readers.
//!
//! 1. Everything up to the settled horizon is [replayed](super::replay) into a new set of tables, under the same names in a
//!    separate schema.
//! 2. Keys and statistics are created, and newer events are applied until it has nearly caught up.
//! 3. One transaction applies the last events, swaps the schemas and moves the checkpoint. The running projection waits at the
//!    checkpoint's row and continues in the new tables; readers never see a position go back.
//!
//! The previous tables are kept, and can be brought up to date and [restored](Rebuild::back). An interrupted rebuild leaves only
//! tables without readers, which the next one drops. Policies have no read model and are separate consumers, so a rebuild repeats
//! no side effects.

mod report;
mod site;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::thread::available_parallelism;
use std::time::Duration;

use sqlx::{Connection, PgConnection};
use tokio::sync::watch;
use tokio::time::{Instant, sleep};

use super::checkpoint::Key;
use super::replay::BATCH;
use super::schemas::{self, SchemaRole};
use super::{Projection, poison};
use crate::advisory_lock;
use crate::store::Store;

pub use report::{RebuildError, RebuildPhase, RebuildProgress, Rebuilt};
use site::Site;

/// Maximum number of segments chosen automatically: more would contend for the database.
const SEGMENTS: usize = 4;

/// Interval of progress updates.
const TELL: Duration = Duration::from_millis(500);

/// Number of segments worthwhile for this many events: each uses two connections and scans the whole log for its events.
fn segments(events: i64) -> u32 {
    let cores = available_parallelism().map_or(1, usize::from);
    let batches = usize::try_from(events).unwrap_or(usize::MAX) / BATCH;
    u32::try_from(batches.clamp(1, cores.min(SEGMENTS))).unwrap_or(1)
}

/// Lock number of a read model's rebuild.
pub(super) fn lock_of(name: &str) -> i64 {
    advisory_lock::key("rebuild", &[name.as_bytes()])
}

/// A rebuild of one read model, or a return to its previous tables.
pub struct Rebuild {
    store: Store,
    projection: Arc<dyn Projection>,
    /// Number of segments; none for automatic.
    segments: Option<u32>,
    progress: watch::Sender<RebuildProgress>,
}

impl Rebuild {
    /// Prepares a rebuild; it starts with [`Rebuild::run`] or [`Rebuild::back`].
    pub fn of(store: &Store, projection: Arc<dyn Projection>) -> Self {
        Self {
            store: store.clone(),
            projection,
            segments: None,
            progress: watch::Sender::new(RebuildProgress::default()),
        }
    }

    /// Uses this many parallel segments, if the projection's rows allow it.
    #[must_use]
    pub fn with_segments(mut self, segments: u32) -> Self {
        self.segments = Some(segments.clamp(1, 64));
        self
    }

    /// Progress updates.
    pub fn progress(&self) -> watch::Receiver<RebuildProgress> {
        self.progress.subscribe()
    }

    /// Rebuilds the read model; readers see the new tables when this returns, and the previous ones are kept.
    ///
    /// # Errors
    /// [`RebuildError`]; readers see the same tables as before.
    pub async fn run(&self) -> Result<Rebuilt, RebuildError> {
        self.act("rebuild").await
    }

    /// Returns to the tables that were live before the last rebuild; the present ones are kept instead.
    ///
    /// # Errors
    /// [`RebuildError`]; readers see the same tables as before.
    pub async fn back(&self) -> Result<Rebuilt, RebuildError> {
        self.act("back").await
    }

    /// Drops the kept tables: those before the last rebuild, and older versions. Returns whether there were any.
    ///
    /// # Errors
    /// [`RebuildError::Busy`], or database errors.
    pub async fn drop_previous(&self) -> Result<bool, RebuildError> {
        let key = self.key()?;
        let home = schemas::home(&self.store).await?;
        let mut connection = self.take_lock(&home, &home).await?;
        let mut transaction = connection.begin().await?;
        let kept = sqlx::query("DELETE FROM projection_kept WHERE name = $1")
            .bind(key.name)
            .execute(&mut *transaction)
            .await?
            .rows_affected();
        schemas::sweep(
            &mut transaction,
            key.name,
            SchemaRole::Previous.schema(&home),
        )
        .await?;
        poison::forget(&mut transaction, key, SchemaRole::Previous).await?;
        let older: Vec<i32> = sqlx::query_scalar(
            "DELETE FROM projection_checkpoint WHERE name = $1 AND version < $2 AND NOT active RETURNING version",
        )
        .bind(key.name)
        .bind(key.version)
        .fetch_all(&mut *transaction)
        .await?;
        for version in &older {
            let old = Key {
                version: *version,
                ..key
            };
            schemas::drop_tables(&mut transaction, old, &home).await?;
        }
        transaction.commit().await?;
        self.give_up(connection).await?;
        Ok(kept > 0 || !older.is_empty())
    }

    fn key(&self) -> Result<Key, RebuildError> {
        if !self.projection.is_read_model() || self.projection.create_sql().is_empty() {
            return Err(RebuildError::NoReadModel(self.projection.name().to_owned()));
        }
        Ok(Key::of(self.projection.as_ref())?)
    }

    /// Takes the rebuild lock on a new connection; it is released with the connection.
    async fn take_lock(&self, schema: &str, home: &str) -> Result<PgConnection, RebuildError> {
        let mut connection = schemas::connect(&self.store, schema, home).await?;
        let name = self.projection.name();
        let free: bool = sqlx::query_scalar("SELECT pg_try_advisory_lock($1)")
            .bind(lock_of(name))
            .fetch_one(&mut connection)
            .await?;
        if free {
            Ok(connection)
        } else {
            Err(RebuildError::Busy(name.to_owned()))
        }
    }

    /// Releases the lock explicitly: closing the connection would release it only once its server process has noticed.
    async fn give_up(&self, mut connection: PgConnection) -> Result<(), sqlx::Error> {
        sqlx::query("SELECT pg_advisory_unlock($1)")
            .bind(lock_of(self.projection.name()))
            .execute(&mut connection)
            .await?;
        connection.close().await
    }

    async fn act(&self, act: &'static str) -> Result<Rebuilt, RebuildError> {
        let key = self.key()?;
        let home = schemas::home(&self.store).await?;
        let place = if act == "back" {
            SchemaRole::Previous
        } else {
            SchemaRole::Next
        };
        let mut connection = self.take_lock(place.schema(&home), &home).await?;
        let done = Arc::new(AtomicI64::new(0));
        let site = Site {
            rebuild: self,
            key,
            home,
            place,
            done: Arc::clone(&done),
            began: Instant::now(),
        };
        self.progress.send_replace(RebuildProgress::default());
        self.begin(key, act).await?;
        let outcome = tokio::select! {
            outcome = async {
                match place {
                    SchemaRole::Previous => site.back(&mut connection).await,
                    _ => site.build(&mut connection).await,
                }
            } => outcome,
            never = self.tell(key, &done) => match never {},
        };
        let noted = self.end(key, &done, outcome.as_ref().err()).await;
        // If the connection is lost, the lock is released already.
        let _ = self.give_up(connection).await;
        let rebuilt = outcome?;
        noted?;
        Ok(rebuilt)
    }

    async fn begin(&self, key: Key, act: &str) -> Result<(), RebuildError> {
        sqlx::query(
            "INSERT INTO projection_rebuild (name, act, phase, began_at) VALUES ($1, $2, 'reading', clock_timestamp())
             ON CONFLICT (name) DO UPDATE
                 SET act = excluded.act, phase = excluded.phase, began_at = excluded.began_at,
                     done = 0, total = 0, read_at = NULL, ended_at = NULL, error = NULL",
        )
        .bind(key.name)
        .bind(act)
        .execute(self.store.pool())
        .await?;
        Ok(())
    }

    async fn end(
        &self,
        key: Key,
        done: &AtomicI64,
        error: Option<&RebuildError>,
    ) -> Result<(), RebuildError> {
        // A short rebuild may finish before its first progress update.
        let total = self.progress.borrow().total;
        sqlx::query(
            "UPDATE projection_rebuild
             SET phase = CASE WHEN $2::text IS NULL THEN 'done' ELSE 'failed' END, error = $2, done = $3, total = $4,
                 ended_at = clock_timestamp()
             WHERE name = $1",
        )
        .bind(key.name)
        .bind(error.map(ToString::to_string))
        .bind(done.load(Ordering::Relaxed))
        .bind(total)
        .execute(self.store.pool())
        .await?;
        Ok(())
    }

    /// Publishes progress until cancelled.
    async fn tell(&self, key: Key, done: &AtomicI64) -> std::convert::Infallible {
        loop {
            sleep(TELL).await;
            self.progress
                .send_modify(|progress| progress.done = done.load(Ordering::Relaxed));
            let now = *self.progress.borrow();
            let told = sqlx::query(
                "UPDATE projection_rebuild
                 SET phase = $2, done = $3, total = $4,
                     read_at = CASE WHEN $2 = 'reading' THEN NULL ELSE coalesce(read_at, clock_timestamp()) END
                 WHERE name = $1",
            )
            .bind(key.name)
            .bind(now.phase.word())
            .bind(now.done)
            .bind(now.total)
            .execute(self.store.pool())
            .await;
            if let Err(error) = told {
                tracing::debug!(%error, "progress of a rebuild is not told");
            }
        }
    }

    fn enter(&self, phase: RebuildPhase, done: &AtomicI64) {
        self.progress.send_modify(|progress| {
            progress.phase = phase;
            progress.done = done.load(Ordering::Relaxed);
        });
    }
}
