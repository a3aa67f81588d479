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

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::thread::available_parallelism;
use std::time::Duration;

use sqlx::{Connection, Executor, PgConnection};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use super::checkpoint::{self, Key};
use super::poison::{self, Blocker, Parked, apply_around};
use super::replay::{BATCH, Replay, Segment};
use super::schemas::{self, SchemaRole};
use super::{Projection, ProjectionError};
use crate::advisory_lock;
use crate::append::StreamId;
use crate::error::{StoreError, lock_timed_out, worth_repeating};
use crate::store::Store;

/// Maximum number of segments chosen automatically: more would contend for the database.
const SEGMENTS: usize = 4;
/// Number of events applied at once while catching up.
const STEP: i64 = 5_000;
/// Maximum lag at which a swap is attempted.
const NEAR: i64 = 500;
/// Maximum lag inside the swap transaction: a larger one would block the running projection for too long.
const FAR: i64 = 2_000;
/// Lock timeouts of the swap, for the first and for the later attempts. The first is shorter than Postgres' `deadlock_timeout`, so
/// that a reader is never canceled.
const PATIENCE: (Duration, Duration) = (Duration::from_millis(300), Duration::from_secs(2));
/// Number of attempts with the first timeout, and in total.
const ATTEMPTS: (u32, u32) = (10, 100);
/// Interval of progress updates.
const TELL: Duration = Duration::from_millis(500);

/// Phase of a rebuild.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RebuildPhase {
    /// Replaying the log.
    #[default]
    Reading,
    /// Creating keys and statistics.
    Keys,
    /// Applying newer events.
    CatchingUp,
    /// Swapping the schemas.
    Switching,
}

impl RebuildPhase {
    const fn word(self) -> &'static str {
        match self {
            Self::Reading => "reading",
            Self::Keys => "keys",
            Self::CatchingUp => "catching-up",
            Self::Switching => "switching",
        }
    }
}

/// Progress of a rebuild.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RebuildProgress {
    /// Current phase.
    pub phase: RebuildPhase,
    /// Events replayed.
    pub done: i64,
    /// Events to replay.
    pub total: i64,
}

/// Result of a finished rebuild.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rebuilt {
    /// Position at which the new tables took over.
    pub position: i64,
    /// Events replayed before catching up.
    pub events: i64,
    /// Duration of the replay.
    pub reading: Duration,
    /// Total duration.
    pub took: Duration,
    /// Time the running projection was blocked by the swap.
    pub switch: Duration,
    /// Number of parked streams.
    pub parked: i64,
}

/// Reasons why a rebuild failed; the live read model is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum RebuildError {
    /// Another process is rebuilding it.
    #[error("{0} is being rebuilt by another process")]
    Busy(String),
    /// It has no tables, or is a policy, whose side effects would be repeated.
    #[error("{0} is not a read model")]
    NoReadModel(String),
    /// No previous tables are kept.
    #[error("no previous tables of {0} are kept")]
    NothingKept(String),
    /// An event cannot be applied, and the projection does not park.
    #[error("{event_type} of {stream} at position {position} cannot be applied: {error}")]
    Poison {
        /// The stream.
        stream: StreamId,
        /// Its position.
        position: i64,
        /// Its event type.
        event_type: String,
        /// The reason.
        #[source]
        error: Box<ProjectionError>,
    },
    /// Readers held locks on the tables throughout.
    #[error("the tables of {0} were in use for too long to be swapped; try again")]
    InUse(String),
    /// A database or log error.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<sqlx::Error> for RebuildError {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(error.into())
    }
}

impl From<Blocker> for RebuildError {
    fn from(stuck: Blocker) -> Self {
        match stuck {
            Blocker::At(event, error) => Self::Poison {
                stream: event.stream,
                position: event.position,
                event_type: event.event_type,
                error: Box::new(error),
            },
            Blocker::Around(error) => Self::Store(error),
        }
    }
}

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

/// A rebuild in progress.
struct Site<'a> {
    rebuild: &'a Rebuild,
    key: Key,
    home: String,
    /// The schema whose tables become live.
    place: SchemaRole,
    done: Arc<AtomicI64>,
    began: Instant,
}

impl Site<'_> {
    fn store(&self) -> &Store {
        &self.rebuild.store
    }

    async fn build(&self, connection: &mut PgConnection) -> Result<Rebuilt, RebuildError> {
        let next = self.place.schema(&self.home);
        let create = self.rebuild.projection.create_sql();
        // Remains of an interrupted rebuild.
        schemas::sweep(connection, self.key.name, next).await?;
        poison::forget(connection, self.key, SchemaRole::Next).await?;
        connection.execute(create).await?;
        let up_to = self.store().settle().await?;
        let total = self.count(up_to).await?;
        self.rebuild
            .progress
            .send_modify(|progress| progress.total = total);
        let added = self.fold(connection, up_to, segments(total)).await?;
        let reading = self.began.elapsed();
        self.rebuild.enter(RebuildPhase::Keys, &self.done);
        for key in added {
            connection.execute(key.as_str()).await?;
        }
        for table in schemas::tables(connection, self.key, next).await? {
            let look = format!("ANALYZE \"{next}\".\"{table}\"");
            connection.execute(look.as_str()).await?;
        }
        let at = self.catch_up(connection, up_to).await?;
        self.switch(connection, at, reading).await
    }

    /// Replays the log; returns the keys to create afterwards.
    async fn fold(
        &self,
        connection: &mut PgConnection,
        up_to: i64,
        worth_it: u32,
    ) -> Result<Vec<String>, RebuildError> {
        let replay = Replay {
            store: self.store().clone(),
            projection: Arc::clone(&self.rebuild.projection),
            key: self.key,
            home: self.home.clone(),
            up_to,
            done: Arc::clone(&self.done),
        };
        let mut keys = schemas::added_indexes(connection, self.key, &self.home).await?;
        if !self.rebuild.projection.rows_of_one_stream() {
            replay.whole(connection).await?;
            return Ok(keys);
        }
        let next = self.place.schema(&self.home);
        keys.splice(
            0..0,
            schemas::take_keys_off(connection, self.key, next).await?,
        );
        let mut segments = JoinSet::new();
        let of = self.rebuild.segments.unwrap_or(worth_it);
        for nr in 0..of {
            segments.spawn(replay.clone().segment(Segment { nr, of }));
        }
        while let Some(ended) = segments.join_next().await {
            ended.map_err(|cut| {
                StoreError::Database(sqlx::Error::Io(std::io::Error::other(cut)))
            })??;
        }
        let merge = self.rebuild.projection.merge_sql();
        if !merge.is_empty() {
            connection.execute(merge).await?;
        }
        Ok(keys)
    }

    async fn count(&self, up_to: i64) -> Result<i64, RebuildError> {
        let kinds = self.rebuild.projection.kinds();
        Ok(sqlx::query_scalar(
            "SELECT count(*) FROM events
             WHERE global_position <= $1 AND (aggregate_type = ANY($2) OR cardinality($2::text[]) = 0)",
        )
        .bind(up_to)
        .bind(kinds)
        .fetch_one(self.store().pool())
        .await?)
    }

    async fn back(&self, connection: &mut PgConnection) -> Result<Rebuilt, RebuildError> {
        let kept: Option<i64> = sqlx::query_scalar(
            "SELECT position FROM projection_kept WHERE name = $1 AND version = $2",
        )
        .bind(self.key.name)
        .bind(self.key.version)
        .fetch_optional(&mut *connection)
        .await?;
        let nothing = || RebuildError::NothingKept(self.key.name.to_owned());
        let at = self.catch_up(connection, kept.ok_or_else(nothing)?).await?;
        self.switch(connection, at, Duration::ZERO).await
    }

    /// Applies the events between this set of tables and the live one, until few are left.
    async fn catch_up(
        &self,
        connection: &mut PgConnection,
        mut at: i64,
    ) -> Result<i64, RebuildError> {
        self.rebuild.enter(RebuildPhase::CatchingUp, &self.done);
        loop {
            let live: Option<i64> = sqlx::query_scalar(
                "SELECT position FROM projection_checkpoint WHERE name = $1 AND version = $2",
            )
            .bind(self.key.name)
            .bind(self.key.version)
            .fetch_optional(self.store().pool())
            .await?;
            let live = live.unwrap_or(0);
            if live.saturating_sub(at) <= NEAR {
                return Ok(at);
            }
            let mut transaction = connection.begin().await?;
            at = self.step(&mut transaction, at, live).await?;
            transaction.commit().await?;
        }
    }

    /// Applies some events after `at`, up to `live`; returns the new position.
    async fn step(
        &self,
        transaction: &mut PgConnection,
        at: i64,
        live: i64,
    ) -> Result<i64, RebuildError> {
        let projection = self.rebuild.projection.as_ref();
        let page = self
            .store()
            .log_page(projection.kinds(), at, live, STEP)
            .await?;
        let full = i64::try_from(page.rows).is_ok_and(|rows| rows >= STEP);
        let new = if full { page.last_position } else { live };
        let mut parked = Parked::load(transaction, self.key, self.place).await?;
        let place = (self.key, self.place);
        apply_around(transaction, projection, place, &mut parked, page.events).await?;
        if self.place == SchemaRole::Previous {
            sqlx::query("UPDATE projection_kept SET position = $2 WHERE name = $1")
                .bind(self.key.name)
                .bind(new)
                .execute(transaction)
                .await?;
        }
        Ok(new)
    }

    /// Applies the last events and swaps the schemas, in one transaction.
    async fn switch(
        &self,
        connection: &mut PgConnection,
        mut at: i64,
        reading: Duration,
    ) -> Result<Rebuilt, RebuildError> {
        self.rebuild.enter(RebuildPhase::Switching, &self.done);
        for attempt in 0..ATTEMPTS.1 {
            let patience = if attempt < ATTEMPTS.0 {
                PATIENCE.0
            } else {
                PATIENCE.1
            };
            let began = Instant::now();
            match self.change_places(connection, at, patience).await {
                Ok(Some((position, parked))) => {
                    return Ok(Rebuilt {
                        position,
                        events: self.done.load(Ordering::Relaxed),
                        reading,
                        took: self.began.elapsed(),
                        switch: began.elapsed(),
                        parked,
                    });
                }
                Ok(None) => at = self.catch_up(connection, at).await?,
                Err(RebuildError::Store(StoreError::Database(error)))
                    if lock_timed_out(&error) || worth_repeating(&error) =>
                {
                    tracing::debug!(%error, "tables in use do not change places");
                    sleep(patience).await;
                    at = self.catch_up(connection, at).await?;
                }
                Err(error) => return Err(error),
            }
            self.rebuild.enter(RebuildPhase::Switching, &self.done);
        }
        Err(RebuildError::InUse(self.key.name.to_owned()))
    }

    /// Returns the position and the number of parked streams; `None` if the live tables are too far ahead.
    async fn change_places(
        &self,
        connection: &mut PgConnection,
        at: i64,
        patience: Duration,
    ) -> Result<Option<(i64, i64)>, RebuildError> {
        let mut transaction = connection.begin().await?;
        let patience = format!("SET LOCAL lock_timeout = {}", patience.as_millis());
        transaction.execute(patience.as_str()).await?;
        checkpoint::one_maker_at_a_time(&mut transaction, self.key).await?;
        // From here on the running projection waits, and its position does not change.
        let live: Option<(i64, bool)> = sqlx::query_as(
            "SELECT position, active FROM projection_checkpoint WHERE name = $1 AND version = $2 FOR UPDATE",
        )
        .bind(self.key.name)
        .bind(self.key.version)
        .fetch_optional(&mut *transaction)
        .await?;
        let (live_at, live_active) = live.unwrap_or((0, false));
        let position = at.max(live_at);
        if live_at.saturating_sub(at) > FAR {
            return Ok(None);
        }
        if live_at > at {
            self.step(&mut transaction, at, live_at).await?;
        }
        checkpoint::keep_readers_out(&mut transaction, self.key).await?;
        self.move_all(&mut transaction, live_active.then_some(live_at))
            .await?;
        let parked: i64 = sqlx::query_scalar(
            "SELECT count(*) FROM projection_parked WHERE name = $1 AND version = $2 AND place = 'live'",
        )
        .bind(self.key.name)
        .bind(self.key.version)
        .fetch_one(&mut *transaction)
        .await?;
        // Takes a new epoch only if the running projection must reload, because that interrupts it briefly.
        sqlx::query(
            "INSERT INTO projection_checkpoint AS c (name, version, position, lease_epoch) VALUES ($1, $2, $3, 2)
             ON CONFLICT (name, version) DO UPDATE
                 SET position = excluded.position, last_error = NULL, failing_since = NULL, stopped_at = NULL,
                     updated_at = clock_timestamp(),
                     lease_epoch = c.lease_epoch + CASE
                         WHEN c.position = excluded.position AND c.active AND c.stopped_at IS NULL
                              AND NOT EXISTS (SELECT FROM projection_parked p WHERE p.name = c.name AND p.version = c.version)
                         THEN 0 ELSE 1 END",
        )
        .bind(self.key.name)
        .bind(self.key.version)
        .bind(position)
        .execute(&mut *transaction)
        .await?;
        let home = format!("SET LOCAL search_path TO \"{}\"", self.home);
        transaction.execute(home.as_str()).await?;
        checkpoint::show(&mut transaction, self.key).await?;
        transaction.commit().await?;
        Ok(Some((position, parked)))
    }

    /// Keeps the live tables (if they are complete: `live_at`), and makes the new or kept ones live.
    async fn move_all(
        &self,
        transaction: &mut PgConnection,
        live_at: Option<i64>,
    ) -> Result<(), RebuildError> {
        let schema = |place: SchemaRole| place.schema(&self.home);
        let (next, live, previous) = (
            schema(SchemaRole::Next),
            schema(SchemaRole::Live),
            schema(SchemaRole::Previous),
        );
        if self.place == SchemaRole::Previous {
            schemas::sweep(transaction, self.key.name, next).await?;
            poison::forget(transaction, self.key, SchemaRole::Next).await?;
            self.carry(transaction, SchemaRole::Previous, SchemaRole::Next)
                .await?;
        }
        schemas::sweep(transaction, self.key.name, previous).await?;
        poison::forget(transaction, self.key, SchemaRole::Previous).await?;
        sqlx::query("DELETE FROM projection_kept WHERE name = $1")
            .bind(self.key.name)
            .execute(&mut *transaction)
            .await?;
        match live_at {
            Some(position) => {
                self.carry(transaction, SchemaRole::Live, SchemaRole::Previous)
                    .await?;
                sqlx::query(
                    "INSERT INTO projection_kept (name, version, position) VALUES ($1, $2, $3)",
                )
                .bind(self.key.name)
                .bind(self.key.version)
                .bind(position)
                .execute(&mut *transaction)
                .await?;
            }
            None => {
                schemas::drop_tables(transaction, self.key, live).await?;
                poison::forget(transaction, self.key, SchemaRole::Live).await?;
            }
        }
        self.carry(transaction, SchemaRole::Next, SchemaRole::Live)
            .await
    }

    async fn carry(
        &self,
        transaction: &mut PgConnection,
        from: SchemaRole,
        to: SchemaRole,
    ) -> Result<(), RebuildError> {
        let (source, target) = (from.schema(&self.home), to.schema(&self.home));
        schemas::move_tables(transaction, self.key, source, target).await?;
        sqlx::query(
            "UPDATE projection_parked SET place = $4 WHERE name = $1 AND version = $2 AND place = $3",
        )
        .bind(self.key.name)
        .bind(self.key.version)
        .bind(from.word())
        .bind(to.word())
        .execute(transaction)
        .await?;
        Ok(())
    }
}
