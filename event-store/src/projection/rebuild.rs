//! A read model built anew beside the live one, while the shop serves.
//!
//! 1. Everything up to the settled horizon is [read out and folded](super::replay) into a new set of tables, under the
//!    same names in a schema nobody reads.
//! 2. Keys, statistics, and what the live one has got meanwhile.
//! 3. In one transaction the last few events, the change of places and the checkpoint. Whoever runs the live one waits at
//!    the checkpoint's row for the moment that takes and goes on in the new tables; readers never see a position go back.
//!
//! What was live is kept, and brought up to date when somebody wants it [back](Rebuild::back). A rebuild that is cut off
//! leaves nothing but tables nobody reads; the next one drops them. Policies have no tables anybody reads and are
//! consumers of their own, so nothing is sent by a rebuild.

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

/// Most segments of their own accord: beyond that they wait for one database.
const SEGMENTS: usize = 4;
/// Events applied at once while catching up.
const STEP: i64 = 5_000;
/// So near to the live one it is worth trying to change places.
const NEAR: i64 = 500;
/// Farther away than this the transaction that changes places would keep the live one waiting too long.
const FAR: i64 = 2_000;
/// How long readers may be kept waiting by one attempt to change places, and how long by the later ones. The first is
/// shorter than Postgres' `deadlock_timeout`, so it is never a reader that is sent away.
const PATIENCE: (Duration, Duration) = (Duration::from_millis(300), Duration::from_secs(2));
/// Attempts of the first kind, and of both.
const ATTEMPTS: (u32, u32) = (10, 100);
/// How often progress is told.
const TELL: Duration = Duration::from_millis(500);

/// What a rebuild is at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RebuildPhase {
    /// Reading the log and folding it.
    #[default]
    Reading,
    /// Making keys and statistics.
    Keys,
    /// Taking in what came meanwhile.
    CatchingUp,
    /// Changing places.
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

/// How far a rebuild is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RebuildProgress {
    /// What it is at.
    pub phase: RebuildPhase,
    /// Events read and folded.
    pub done: i64,
    /// Events there are to read.
    pub total: i64,
}

/// A rebuild that is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rebuilt {
    /// Where the new tables took over: they hold everything up to here.
    pub position: i64,
    /// Events read and folded before they caught up.
    pub events: i64,
    /// How long reading and folding took.
    pub reading: Duration,
    /// How long it took in all.
    pub took: Duration,
    /// How long whoever runs the live one was kept waiting at the change of places.
    pub switch: Duration,
    /// Streams it could not take and holds back.
    pub parked: i64,
}

/// Why nothing was rebuilt; the live read model is as it was.
#[derive(Debug, thiserror::Error)]
pub enum RebuildError {
    /// Somebody rebuilds it now.
    #[error("{0} is being rebuilt by somebody else")]
    Busy(String),
    /// It has no tables, or it is a policy, which would do again what it did.
    #[error("{0} is no read model")]
    NoReadModel(String),
    /// There is nothing to return to.
    #[error("nothing of {0} was kept that could be returned to")]
    NothingKept(String),
    /// It stops at an event it cannot take.
    #[error("{event_type} of {stream} at position {position} cannot be applied: {error}")]
    Poison {
        /// Its stream.
        stream: StreamId,
        /// Its position.
        position: i64,
        /// Its type.
        event_type: String,
        /// Why.
        #[source]
        error: Box<ProjectionError>,
    },
    /// Readers never let go of the tables for a moment.
    #[error("the tables of {0} were in use for too long to change their places; try again")]
    InUse(String),
    /// The database, or the log.
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

/// Segments so many events are worth: each has two connections and looks through the whole log for its events.
fn segments(events: i64) -> u32 {
    let cores = available_parallelism().map_or(1, usize::from);
    let batches = usize::try_from(events).unwrap_or(usize::MAX) / BATCH;
    u32::try_from(batches.clamp(1, cores.min(SEGMENTS))).unwrap_or(1)
}

/// The lock of a read model's rebuild: whoever holds it is at it.
pub(super) fn lock_of(name: &str) -> i64 {
    advisory_lock::key("rebuild", &[name.as_bytes()])
}

/// One read model, to be built anew or returned to.
pub struct Rebuild {
    store: Store,
    projection: Arc<dyn Projection>,
    /// None: as many as are worth it.
    segments: Option<u32>,
    progress: watch::Sender<RebuildProgress>,
}

impl Rebuild {
    /// Nothing happens before [`Rebuild::run`] or [`Rebuild::back`].
    pub fn of(store: &Store, projection: Arc<dyn Projection>) -> Self {
        Self {
            store: store.clone(),
            projection,
            segments: None,
            progress: watch::Sender::new(RebuildProgress::default()),
        }
    }

    /// With this many segments side by side, where its rows allow that.
    #[must_use]
    pub fn with_segments(mut self, segments: u32) -> Self {
        self.segments = Some(segments.clamp(1, 64));
        self
    }

    /// How far it is, as it goes on.
    pub fn progress(&self) -> watch::Receiver<RebuildProgress> {
        self.progress.subscribe()
    }

    /// Builds it anew; readers see the new tables when this returns, and the old ones are kept.
    ///
    /// # Errors
    /// [`RebuildError`]; then readers see what they saw before.
    pub async fn run(&self) -> Result<Rebuilt, RebuildError> {
        self.act("rebuild").await
    }

    /// Returns to the tables that were live before the last rebuild; what is live now is kept instead.
    ///
    /// # Errors
    /// [`RebuildError`]; then readers see what they saw before.
    pub async fn back(&self) -> Result<Rebuilt, RebuildError> {
        self.act("back").await
    }

    /// Drops what is kept of it: the tables before the last rebuild, and older versions. Whether there was anything.
    ///
    /// # Errors
    /// [`RebuildError::Busy`], or the database's.
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

    /// The connection that holds the right to rebuild; it ends with the connection.
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

    /// The right ends here: with the connection it would end some time after, when its server process has noticed.
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
        // of a connection that is lost already the right has ended too
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
        // over before it was first told of, perhaps
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

    /// Tells how far it is, for as long as it takes.
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

/// A rebuild under way.
struct Site<'a> {
    rebuild: &'a Rebuild,
    key: Key,
    home: String,
    /// Where the tables are that will be live.
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
        // what a rebuild left that was cut off
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

    /// Reads and folds; answers the keys that are still to be made.
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

    /// Takes in what the live one has and this one has not, until little is left.
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

    /// Applies some events after `at`, up to `live`; answers up to where that is.
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

    /// The last events and the change of places, in one transaction.
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

    /// Answers the position and how many streams are held back; `None` if the live one is too far ahead.
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
        // from here on whoever runs the live one waits, and its position stands still
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
        // a new epoch only if whoever runs it must look again: it would pause for a moment
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

    /// What is live is kept (if it was whole: `live_at`), and what was made or kept is live.
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
