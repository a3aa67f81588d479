//! Queries for due deadlines.

use sqlx::PgPool;
use time::OffsetDateTime;

use super::{DeadlineKind, DeadlineRow};
use crate::error::ReadError;
use crate::page::typed;

/// Deadlines of these kinds that are due at `now`, oldest first, `limit` of each kind at most. A deadline that cannot be settled stays, so
/// the limit has to be larger than the number that fail at a time. A refused one is left out until its stream has a new event or a retry is requested.
///
/// # Errors
/// [`ReadError`].
pub async fn due(
    pool: &PgPool,
    kinds: &[DeadlineKind],
    now: OffsetDateTime,
    limit: i64,
) -> Result<Vec<DeadlineRow>, ReadError> {
    let (kinds, ledgers): (Vec<&str>, Vec<&str>) = kinds
        .iter()
        .map(|kind| (kind.word(), kind.ledger()))
        .unzip();
    typed(
        sqlx::query_scalar(
            concat!("SELECT to_jsonb(due) FROM unnest($1::text[], $2::text[]) AS asked(kind, ledger) CROSS JOIN LATERAL (SELECT d.* FROM ", waiting!(), " d \
             WHERE d.kind = asked.kind AND d.due_at <= $3 \
             AND NOT EXISTS (SELECT FROM deadline_refusals r WHERE r.kind = d.kind AND r.id = d.id AND r.position = d.position \
                 AND coalesce(stream_position(asked.ledger, d.stream), 0) <= r.seen \
                 AND coalesce(stream_position('deadline', d.kind || ':' || d.id), 0) <= r.seen) \
             ORDER BY d.due_at, d.id LIMIT $4) AS due ORDER BY due.due_at, due.kind, due.id"),
        )
        .bind(kinds)
        .bind(ledgers)
        .bind(now)
        .bind(limit)
        .fetch_all(pool)
        .await?,
    )
}

/// When the next deadline after `now` is due: how long a worker may sleep.
///
/// # Errors
/// [`ReadError`].
pub async fn next_due(
    pool: &PgPool,
    now: OffsetDateTime,
) -> Result<Option<OffsetDateTime>, ReadError> {
    Ok(sqlx::query_scalar(concat!(
        "SELECT min(due_at) FROM ",
        waiting!(),
        " d WHERE due_at > $1"
    ))
    .bind(now)
    .fetch_one(pool)
    .await?)
}
