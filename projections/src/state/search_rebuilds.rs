//! Requested rebuilds of search indexes: requested by one process, run by the one that has the index open.

use serde::{Deserialize, Serialize};
use sqlx::pool::PoolConnection;
use sqlx::{PgPool, Postgres};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::error::ReadError;
use crate::page::typed;

/// State of a rebuild.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchRebuild {
    /// The rebuild.
    pub id: Uuid,
    /// When it was started; none: not yet.
    #[serde(with = "time::serde::rfc3339::option")]
    pub began_at: Option<OffsetDateTime>,
    /// When it ended.
    #[serde(with = "time::serde::rfc3339::option")]
    pub ended_at: Option<OffsetDateTime>,
    /// Documents indexed.
    pub done: i64,
    /// Documents in total.
    pub total: i64,
    /// Error that ended it.
    pub error: Option<String>,
}

impl SearchRebuild {
    /// Its speed so far, or overall: see [`Pace`].
    pub fn pace(&self, now: OffsetDateTime) -> Pace {
        let took = self
            .began_at
            .map(|began| self.ended_at.unwrap_or(now) - began);
        Pace::of(self.done, self.total, took.unwrap_or_default())
    }
}

/// Indexing speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// Documents a second.
    pub rate: i64,
    /// Estimated seconds left; none: unknown.
    pub seconds_left: Option<i64>,
}

impl Pace {
    /// Speed after `done` of `total` documents took this long.
    pub fn of(done: i64, total: i64, took: Duration) -> Self {
        let millis = i64::try_from(took.whole_milliseconds())
            .unwrap_or(i64::MAX)
            .max(1);
        let left = total.saturating_sub(done).max(0);
        Self {
            rate: done.saturating_mul(1_000) / millis,
            seconds_left: left
                .saturating_mul(millis)
                .checked_div(done.saturating_mul(1_000)),
        }
    }
}

/// Requests a rebuild of an index; idempotent by id.
///
/// # Errors
/// [`ReadError`].
pub async fn ask(
    pool: &PgPool,
    id: Uuid,
    target: &str,
    at: OffsetDateTime,
) -> Result<(), ReadError> {
    sqlx::query(
        "INSERT INTO search_rebuilds (id, target, asked_at) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING",
    )
        .bind(id)
        .bind(target)
        .bind(at)
        .execute(pool)
        .await?;
    Ok(())
}

/// Takes a requested rebuild of this index that has not started.
///
/// # Errors
/// [`ReadError`].
pub async fn take(
    pool: &PgPool,
    target: &str,
    at: OffsetDateTime,
) -> Result<Option<Uuid>, ReadError> {
    Ok(sqlx::query_scalar(
        "UPDATE search_rebuilds SET begun_at = $2 WHERE id = (SELECT id FROM search_rebuilds \
         WHERE target = $1 AND begun_at IS NULL ORDER BY asked_at LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING id",
    )
    .bind(target)
    .bind(at)
    .fetch_optional(pool)
    .await?)
}

/// Updates the progress.
///
/// # Errors
/// [`ReadError`].
pub async fn advance(pool: &PgPool, id: Uuid, done: i64, total: i64) -> Result<(), ReadError> {
    sqlx::query("UPDATE search_rebuilds SET done = $2, total = $3 WHERE id = $1")
        .bind(id)
        .bind(done)
        .bind(total)
        .execute(pool)
        .await?;
    Ok(())
}

/// Records the end, successful or not.
///
/// # Errors
/// [`ReadError`].
pub async fn end(
    pool: &PgPool,
    id: Uuid,
    at: OffsetDateTime,
    error: Option<&str>,
) -> Result<(), ReadError> {
    sqlx::query("UPDATE search_rebuilds SET ended_at = $2, error = $3 WHERE id = $1")
        .bind(id)
        .bind(at)
        .bind(error)
        .execute(pool)
        .await?;
    Ok(())
}

/// One rebuild.
///
/// # Errors
/// [`ReadError`].
pub async fn find(pool: &PgPool, id: Uuid) -> Result<Option<SearchRebuild>, ReadError> {
    Ok(typed(
        sqlx::query_scalar(
            "SELECT jsonb_build_object('id', id, 'began_at', begun_at, 'ended_at', ended_at, \
                 'done', done, 'total', total, 'error', error) FROM search_rebuilds WHERE id = $1",
        )
        .bind(id)
        .fetch_all(pool)
        .await?,
    )?
    .pop())
}

/// The latest requested rebuild of this index.
///
/// # Errors
/// [`ReadError`].
pub async fn newest(pool: &PgPool, target: &str) -> Result<Option<SearchRebuild>, ReadError> {
    let id: Option<Uuid> = sqlx::query_scalar(
        "SELECT id FROM search_rebuilds WHERE target = $1 ORDER BY asked_at DESC LIMIT 1",
    )
    .bind(target)
    .fetch_optional(pool)
    .await?;
    match id {
        Some(id) => find(pool, id).await,
        None => Ok(None),
    }
}

/// Withdraws a rebuild that has not started; returns whether it could be.
///
/// # Errors
/// [`ReadError`].
pub async fn withdraw(pool: &PgPool, id: Uuid) -> Result<bool, ReadError> {
    let gone = sqlx::query("DELETE FROM search_rebuilds WHERE id = $1 AND begun_at IS NULL")
        .bind(id)
        .execute(pool)
        .await?;
    Ok(gone.rows_affected() > 0)
}

/// The exclusive right to feed an index that several processes share. It ends with the connection.
pub struct FeedingRight(PoolConnection<Postgres>);

impl FeedingRight {
    /// Acquires the right, unless another process has it.
    ///
    /// # Errors
    /// [`ReadError`].
    pub async fn take(pool: &PgPool, target: &str) -> Result<Option<Self>, ReadError> {
        let mut connection = pool.acquire().await?;
        let taken: bool = sqlx::query_scalar(
            "SELECT pg_try_advisory_lock(hashtextextended('search feed:' || $1, 0))",
        )
        .bind(target)
        .fetch_one(&mut *connection)
        .await?;
        // a connection returned to the pool would hold the right without an owner
        connection.close_on_drop();
        Ok(taken.then_some(Self(connection)))
    }

    /// Whether the connection, and with it the right, is still alive.
    pub async fn is_held(&mut self) -> bool {
        sqlx::query("SELECT 1").execute(&mut *self.0).await.is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_follows_from_what_was_done_so_far() {
        let pace = |done, seconds| {
            let pace = Pace::of(done, 1_000, Duration::seconds(seconds));
            (pace.rate, pace.seconds_left)
        };
        assert_eq!(pace(0, 0), (0, None));
        assert_eq!(pace(500, 5), (100, Some(5)));
        // less than one a second
        assert_eq!(pace(10, 20), (0, Some(1_980)));
        assert_eq!(pace(1_000, 4), (250, Some(0)));
        assert_eq!(pace(1_001, 4), (250, Some(0)));
    }
}
