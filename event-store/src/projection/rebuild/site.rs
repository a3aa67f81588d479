//! The new tables of a rebuild: filled, brought up to date, and swapped with the live ones.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use sqlx::{Connection, Executor, PgConnection};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use super::report::{RebuildError, RebuildPhase, Rebuilt};
use super::{Rebuild, segments};
use crate::error::{StoreError, lock_timed_out, worth_repeating};
use crate::projection::checkpoint::{self, Key};
use crate::projection::poison::{self, ParkedStreams, apply_around};
use crate::projection::replay::{Replay, Segment};
use crate::projection::schemas::{self, SchemaRole};
use crate::store::Store;
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

/// A rebuild in progress.
pub(super) struct Site<'a> {
    pub(super) rebuild: &'a Rebuild,
    pub(super) key: Key,
    pub(super) home: String,
    /// The schema whose tables become live.
    pub(super) place: SchemaRole,
    pub(super) done: Arc<AtomicI64>,
    pub(super) began: Instant,
}

impl Site<'_> {
    fn store(&self) -> &Store {
        &self.rebuild.store
    }

    pub(super) async fn build(
        &self,
        connection: &mut PgConnection,
    ) -> Result<Rebuilt, RebuildError> {
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

    pub(super) async fn back(
        &self,
        connection: &mut PgConnection,
    ) -> Result<Rebuilt, RebuildError> {
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
        let mut parked = ParkedStreams::load(transaction, self.key, self.place).await?;
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
