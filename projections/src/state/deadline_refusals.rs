//! Deadlines whose command was refused: stored, so that no process retries the command before the stream has changed or a retry is
//! requested, which is an event ([`domain::deadline`]).

use domain::deadline::stream_id;
use domain::ids::MemberId;
use serde::{Deserialize, Serialize};
use sqlx::PgPool;
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::deadlines::{DeadlineRow, waiting};
use crate::error::ReadError;
use crate::page::{ListPage, Page, typed};

/// A refused deadline that is still pending.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, sqlx::FromRow, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeadlineRefusal {
    /// Kind of the deadline: `unpaid-order`, `confirm-purchase`, `resolve-approval`, `resolve-refund`.
    pub kind: String,
    /// The order, purchaseNo, payment or refund.
    #[serde(rename = "_id")]
    pub id: String,
    /// Id of the order's or payment's stream.
    pub stream: String,
    /// Position of the event that set the deadline.
    pub position: i64,
    /// Code of the refusal.
    pub code: String,
    /// Message of the refusal, for staff.
    pub message: String,
    /// When it was refused.
    #[serde(with = "crate::timestamp")]
    #[schema(value_type = String, format = DateTime)]
    pub refused_at: OffsetDateTime,
}

/// Current refusals: the deadline is still pending, and no retry was requested since.
macro_rules! standing {
    () => {
        concat!(
            "deadline_refusals r JOIN ",
            waiting!(),
            " d ON d.kind = r.kind AND d.id = r.id AND d.position = r.position \
         AND coalesce(stream_position('deadline', r.kind || ':' || r.id), 0) <= r.seen"
        )
    };
}

/// Position of the last event of the deadline's stream, or of its last retry request: to be read before the command is executed.
///
/// # Errors
/// [`ReadError`].
pub async fn seen(pool: &PgPool, due: &DeadlineRow) -> Result<i64, ReadError> {
    Ok(sqlx::query_scalar(
        "SELECT coalesce(greatest(stream_position($1, $2), stream_position('deadline', $3)), 0)",
    )
    .bind(due.kind.ledger())
    .bind(&due.stream)
    .bind(stream_id(due.kind.word(), &due.id))
    .fetch_one(pool)
    .await?)
}

/// Stores a refusal; `seen` is the result of [`seen`] from before the command was executed.
///
/// # Errors
/// [`ReadError`].
pub async fn write_down(
    pool: &PgPool,
    due: &DeadlineRow,
    seen: i64,
    (code, message): (&str, &str),
    at: OffsetDateTime,
) -> Result<(), ReadError> {
    sqlx::query(
        "INSERT INTO deadline_refusals AS r (kind, id, position, stream, seen, code, message, refused_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) \
         ON CONFLICT (kind, id) DO UPDATE SET position = excluded.position, seen = greatest(r.seen, excluded.seen), \
             code = excluded.code, message = excluded.message, refused_at = excluded.refused_at",
    )
    .bind(due.kind.word())
    .bind(&due.id)
    .bind(due.position)
    .bind(&due.stream)
    .bind(seen)
    .bind(code)
    .bind(message)
    .bind(at)
    .execute(pool)
    .await?;
    Ok(())
}

/// Code of a deadline that was given up: its command was not refused, but failed on every attempt.
pub const GIVEN_UP: &str = "given_up";

/// Deletes the refusals of deadlines that were given up, so that they are retried; returns how many.
///
/// # Errors
/// [`ReadError`].
pub async fn forget_given_up(pool: &PgPool) -> Result<u64, ReadError> {
    let gone = sqlx::query("DELETE FROM deadline_refusals WHERE code = $1")
        .bind(GIVEN_UP)
        .execute(pool)
        .await?;
    Ok(gone.rows_affected())
}

/// Number of deadlines that were given up and are still pending.
///
/// # Errors
/// [`ReadError`].
pub async fn count_given_up(pool: &PgPool) -> Result<i64, ReadError> {
    Ok(sqlx::query_scalar(concat!(
        "SELECT count(*) FROM ",
        standing!(),
        " WHERE r.code = $1"
    ))
    .bind(GIVEN_UP)
    .fetch_one(pool)
    .await?)
}

/// The refused deadlines that are still pending, newest refusal first.
///
/// # Errors
/// [`ReadError`].
pub async fn standing(pool: &PgPool, page: Page) -> Result<ListPage<DeadlineRefusal>, ReadError> {
    let total_count = sqlx::query_scalar(concat!("SELECT count(*) FROM ", standing!()))
        .fetch_one(pool)
        .await?;
    let rows = sqlx::query_as(concat!(
        "SELECT r.kind, r.id, r.stream, r.position, r.code, r.message, r.refused_at FROM ",
        standing!(),
        " ORDER BY r.refused_at DESC, r.kind, r.id OFFSET $1 LIMIT $2"
    ))
    .bind(page.skip)
    .bind(page.limit)
    .fetch_all(pool)
    .await?;
    Ok(ListPage { total_count, rows })
}

/// Result of a retry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum RetryOutcome {
    /// The deadline is no longer pending.
    Settled,
    /// It was refused again.
    Refused,
    /// Not retried yet, or failing and being retried.
    Waiting,
}

/// One refused deadline, if it is still pending.
///
/// # Errors
/// [`ReadError`].
pub async fn one_standing(
    pool: &PgPool,
    (kind, id): (&str, &str),
) -> Result<Option<DeadlineRefusal>, ReadError> {
    Ok(sqlx::query_as(concat!(
        "SELECT r.kind, r.id, r.stream, r.position, r.code, r.message, r.refused_at FROM ",
        standing!(),
        " WHERE r.kind = $1 AND r.id = $2"
    ))
    .bind(kind)
    .bind(id)
    .fetch_optional(pool)
    .await?)
}

/// A requested retry of a refused deadline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeadlineRetry {
    /// Position of the retry event.
    pub number: i64,
    /// Kind of the deadline.
    pub kind: String,
    /// The order, purchaseNo, payment or refund.
    #[serde(rename = "_id")]
    pub id: String,
    /// Id of the order's or payment's stream.
    pub stream: String,
    /// The code of the refusal.
    pub code: String,
    /// Message of the refusal.
    pub message: String,
    /// When it was refused.
    #[serde(with = "crate::timestamp")]
    #[schema(value_type = String, format = DateTime)]
    pub refused_at: OffsetDateTime,
    /// When the retry was requested.
    #[serde(with = "crate::timestamp")]
    #[schema(value_type = String, format = DateTime)]
    pub retried_at: OffsetDateTime,
    /// Who requested it.
    pub retried_by: Option<MemberId>,
    /// Reason given, if any.
    pub reason: Option<String>,
    /// Result of the retry.
    pub outcome: RetryOutcome,
}

/// The latest retries, newest first, up to `most`.
///
/// # Errors
/// [`ReadError`].
pub async fn retries(pool: &PgPool, most: i64) -> Result<Vec<DeadlineRetry>, ReadError> {
    let rows = sqlx::query_scalar(concat!(
        "SELECT jsonb_build_object('number', t.position, 'kind', t.kind, '_id', t.id, 'stream', t.stream, 'code', t.code, \
             'message', t.message, 'refusedAt', t.refused_at, 'retriedAt', t.retried_at, 'retriedBy', t.retried_by, \
             'reason', t.reason, 'outcome', \
             CASE WHEN EXISTS (SELECT FROM deadlines_retries l WHERE l.kind = t.kind AND l.id = t.id AND l.set_by = t.set_by \
                     AND l.position > t.position) \
                 OR EXISTS (SELECT FROM deadline_refusals r WHERE r.kind = t.kind AND r.id = t.id AND r.position = t.set_by \
                     AND r.seen >= t.position) \
                 THEN 'refused' \
             WHEN EXISTS (SELECT FROM ", waiting!(), " d WHERE d.kind = t.kind AND d.id = t.id AND d.position = t.set_by) THEN 'waiting' \
             ELSE 'settled' END) \
         FROM deadlines_retries t ORDER BY t.position DESC LIMIT $1",
    ))
    .bind(most)
    .fetch_all(pool)
    .await?;
    typed(rows)
}
