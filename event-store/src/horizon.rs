//! The settled horizon: up to where the log is complete.
//!
//! Positions are assigned when a row is inserted, but rows become visible when their transaction commits, in any order. A reader of
//! "everything after my checkpoint" therefore skips events (measured: 10 to 41 % behind 32 writers). Up to the horizon this cannot
//! happen any more:
//!
//! 1. read `M`, the last position handed out;
//! 2. *then*, in a separate statement, read the holders of `RowExclusiveLock` on `events`. An INSERT takes that lock
//!    before it draws a position, so every position up to `M` belongs to a transaction that has ended or is listed;
//! 3. wait until every holder listed has ended. From then on every new snapshot sees all of the log up to `M`; rolled-back events
//!    are absent.
//!
//! Holders are identified by `virtualtransaction`, not by process: a busy pooled connection begins the next transaction before the next
//! poll and would never leave a list of processes. Unrelated transactions are never on the list, however long they take.
//!
//! On a standby that only replays, none of that is visible: its sequence runs ahead of the rows, and it has no lock holders. But a
//! checkpoint is moved on the primary only when the log is complete up to it, and a standby sees commits in commit order. So the
//! horizon of a standby is its farthest checkpoint.
//!
//! Conditions: the sequence caches nothing (`CACHE 1`); only an INSERT into `events` draws from it; no two-phase commit
//! (`max_prepared_transactions = 0`, the default); the SELECT of events starts after the horizon is known, never in one statement
//! or function with it.

use std::collections::HashSet;
use std::time::Duration;

use sqlx::PgPool;
use sqlx::postgres::PgPoolOptions;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::error::StoreError;
use crate::notify::CHANNEL;
use crate::store::Store;
use crate::tail::Tail;

/// Minimum time between two advances.
const APART: Duration = Duration::from_millis(5);
/// Wait for a wake-up after new events; doubles while there are none.
const SOON: Duration = Duration::from_millis(25);
/// Maximum wait for a wake-up.
const LATE: Duration = Duration::from_secs(2);
/// Interval at which the holders are polled; doubles up to [`SOON`].
const HOLDERS_APART: Duration = Duration::from_millis(2);
/// A holder older than this is logged as a warning, because it delays every projection.
const LONG: Duration = Duration::from_secs(2);
/// Pause after a database error.
const PAUSE: Duration = Duration::from_millis(500);

/// A task that follows the log and publishes the settled horizon; it ends when this value is dropped.
#[derive(Debug)]
pub struct Horizon {
    settled: watch::Receiver<i64>,
    task: JoinHandle<()>,
}

impl Horizon {
    /// Starts following the log of `store`, on two connections of its own.
    pub fn follow(store: &Store) -> Self {
        let (publish, settled) = watch::channel(0);
        let address = (*store.pool().connect_options()).clone();
        let tail = Tail::follow(
            address.clone(),
            store.pool().options().get_acquire_timeout(),
            CHANNEL,
        );
        let pool = PgPoolOptions::new()
            .max_connections(1)
            .connect_lazy_with(address);
        let task = tokio::spawn(follow(pool, store.appended_signal(), tail, publish));
        Self { settled, task }
    }

    /// The newest position up to which the log is complete; never decreases.
    pub fn settled(&self) -> watch::Receiver<i64> {
        self.settled.clone()
    }
}

impl Drop for Horizon {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// SQL for the locks of transactions that are writing events.
macro_rules! holding {
    () => {
        "locktype = 'relation' AND mode = 'RowExclusiveLock' AND granted
           AND relation = 'events'::regclass
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    };
}
pub(crate) use holding;

impl Store {
    /// Waits until everything written up to now is settled, and returns that position. For one-off readers; continuous readers use
    /// a [`Horizon`].
    ///
    /// # Errors
    /// Database errors.
    pub async fn settle(&self) -> Result<i64, StoreError> {
        let last = last_position(self.pool()).await?;
        others_ended(self.pool()).await?;
        Ok(last)
    }

    /// Age in seconds of the oldest writing transaction: nothing after it is settled.
    ///
    /// # Errors
    /// Database errors.
    pub async fn horizon_age(&self) -> Result<f64, StoreError> {
        let age = sqlx::query_scalar(concat!(
            "SELECT coalesce(extract(epoch FROM max(clock_timestamp() - a.xact_start)), 0)::float8
             FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE ",
            holding!()
        ));
        Ok(age.fetch_one(self.pool()).await?)
    }
}

async fn follow(
    pool: PgPool,
    mut appended: watch::Receiver<i64>,
    tail: Tail,
    publish: watch::Sender<i64>,
) {
    let mut wait = SOON;
    loop {
        let looked = Instant::now();
        match advance(&pool, &publish).await {
            Ok(true) => wait = SOON,
            Ok(false) => wait = (wait * 2).min(LATE),
            Err(error) => {
                tracing::warn!(%error, "the settled horizon cannot be read");
                tokio::time::sleep(PAUSE).await;
            }
        }
        tokio::select! {
            () = tokio::time::sleep(wait) => {}
            own = appended.changed() => if own.is_err() {
                // The store is dropped; other processes may still write.
                tokio::time::sleep(wait).await;
            },
            () = tail.notified() => {}
        }
        tokio::time::sleep_until(looked + APART).await;
    }
}

/// Publishes the next horizon; false if it has not advanced.
async fn advance(pool: &PgPool, publish: &watch::Sender<i64>) -> Result<bool, sqlx::Error> {
    let last = last_position(pool).await?;
    if last <= *publish.borrow() {
        return Ok(false);
    }
    others_ended(pool).await?;
    publish.send_replace(last);
    Ok(true)
}

/// The last position assigned, committed or not; 0 before the first. On a standby the last position known to be settled.
async fn last_position(pool: &PgPool) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar(
        "SELECT CASE WHEN pg_is_in_recovery() THEN (SELECT coalesce(max(position), 0) FROM projection_checkpoint)
                     WHEN is_called THEN last_value ELSE 0 END FROM events_global_position_seq",
    )
    .fetch_one(pool)
    .await
}

/// Waits until all transactions that may have drawn a position by now have ended.
async fn others_ended(pool: &PgPool) -> Result<(), sqlx::Error> {
    let since = Instant::now();
    let mut pause = HOLDERS_APART;
    let mut warned = false;
    let mut left: Option<HashSet<String>> = None;
    loop {
        let now = holders(pool).await?;
        let mut still: HashSet<String> = now.iter().map(|(who, _)| who.clone()).collect();
        if let Some(before) = &left {
            still.retain(|who| before.contains(who));
        }
        if still.is_empty() {
            return Ok(());
        }
        if !warned && since.elapsed() > LONG {
            warned = true;
            let processes: Vec<i32> = now
                .iter()
                .filter(|(who, _)| still.contains(who))
                .filter_map(|(_, process)| *process)
                .collect();
            tracing::warn!(
                ?processes,
                "a long transaction writes events; projections wait for it"
            );
        }
        left = Some(still);
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(SOON);
    }
}

/// The transactions that are writing events, with their process ids.
async fn holders(pool: &PgPool) -> Result<Vec<(String, Option<i32>)>, sqlx::Error> {
    sqlx::query_as(concat!(
        "SELECT virtualtransaction, pid FROM pg_locks WHERE ",
        holding!()
    ))
    .fetch_all(pool)
    .await
}
