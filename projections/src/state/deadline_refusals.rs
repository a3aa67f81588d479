//! Deadlines whose command was refused: written down, so that no process asks again before something has changed, or somebody
//! wants it asked again.

use domain::ids::MemberId;
use serde::{Deserialize, Serialize};
use sqlx::PgPool;
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::deadlines::DeadlineRow;
use crate::error::ReadError;
use crate::page::{Listed, Page, typed};

/// A deadline that was refused and still stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, sqlx::FromRow, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeadlineRefusal {
    /// What was due: `unpaid-order`, `confirm-purchase`, `resolve-approval`, `resolve-refund`.
    pub kind: String,
    /// The order, purchaseNo, payment or refund.
    #[serde(rename = "_id")]
    pub id: String,
    /// Id of the order or payment that was asked.
    pub stream: String,
    /// Position of the event that set the deadline.
    pub position: i64,
    /// The refusal's code.
    pub code: String,
    /// Its words, for people who look after the shop.
    pub message: String,
    /// When.
    #[serde(with = "crate::instant")]
    #[schema(value_type = String, format = DateTime)]
    pub refused_at: OffsetDateTime,
}

/// Position of the last event of the ledger a deadline asks: to be read before it is asked.
///
/// # Errors
/// [`ReadError`].
pub async fn seen(pool: &PgPool, due: &DeadlineRow) -> Result<i64, ReadError> {
    Ok(sqlx::query_scalar(
        "SELECT coalesce(max(global_position), 0) FROM events WHERE aggregate_type = $1 AND aggregate_id = $2",
    )
    .bind(due.kind.ledger())
    .bind(&due.stream)
    .fetch_one(pool)
    .await?)
}

/// Writes a refusal down; `seen` is what [`seen`] said before it was asked.
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

/// The code of a deadline that was given up: it was not refused, but failed however often it was tried.
pub const GIVEN_UP: &str = "given_up";

/// Lets the deadlines that were given up be tried again; how many.
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

/// How many deadlines were given up and still stand.
///
/// # Errors
/// [`ReadError`].
pub async fn count_given_up(pool: &PgPool) -> Result<i64, ReadError> {
    Ok(sqlx::query_scalar(
        "SELECT count(*) FROM deadline_refusals r JOIN deadlines d ON d.kind = r.kind AND d.id = r.id AND d.position = r.position \
         WHERE r.code = $1",
    )
    .bind(GIVEN_UP)
    .fetch_one(pool)
    .await?)
}

/// The refused deadlines that still stand, the newest refusal first. What was settled since is not among them.
///
/// # Errors
/// [`ReadError`].
pub async fn standing(pool: &PgPool, page: Page) -> Result<Listed<DeadlineRefusal>, ReadError> {
    let total_count = sqlx::query_scalar(
        "SELECT count(*) FROM deadline_refusals r JOIN deadlines d ON d.kind = r.kind AND d.id = r.id AND d.position = r.position",
    )
    .fetch_one(pool)
    .await?;
    let rows = sqlx::query_as(
        "SELECT r.kind, r.id, r.stream, r.position, r.code, r.message, r.refused_at FROM deadline_refusals r \
         JOIN deadlines d ON d.kind = r.kind AND d.id = r.id AND d.position = r.position \
         ORDER BY r.refused_at DESC, r.kind, r.id OFFSET $1 LIMIT $2",
    )
    .bind(page.skip)
    .bind(page.limit)
    .fetch_all(pool)
    .await?;
    Ok(Listed { total_count, rows })
}

/// What came of trying a refused deadline again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum RetryOutcome {
    /// It does not stand any more.
    Settled,
    /// It was refused again.
    Refused,
    /// It was not tried yet, or fails and is tried again.
    Waiting,
}

/// A refused deadline somebody had tried again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeadlineRetry {
    /// Which time this was, of all that were ever asked for.
    pub number: i64,
    /// What was due.
    pub kind: String,
    /// The order, purchaseNo, payment or refund.
    #[serde(rename = "_id")]
    pub id: String,
    /// Id of the order or payment that was asked.
    pub stream: String,
    /// The code of the refusal.
    pub code: String,
    /// Its words.
    pub message: String,
    /// When it was refused.
    #[serde(with = "crate::instant")]
    #[schema(value_type = String, format = DateTime)]
    pub refused_at: OffsetDateTime,
    /// When somebody had it tried again.
    #[serde(with = "crate::instant")]
    #[schema(value_type = String, format = DateTime)]
    pub retried_at: OffsetDateTime,
    /// Who.
    pub retried_by: MemberId,
    /// What came of it.
    pub outcome: RetryOutcome,
}

/// Lets a refused deadline that still stands be tried again. What it was refused is kept, with who wants it tried; none: it does
/// not stand, or somebody else just did the same.
///
/// # Errors
/// [`ReadError`].
pub async fn retry(
    pool: &PgPool,
    (kind, id): (&str, &str),
    by: MemberId,
    at: OffsetDateTime,
) -> Result<Option<DeadlineRetry>, ReadError> {
    let rows = sqlx::query_scalar(
        "WITH gone AS (DELETE FROM deadline_refusals r USING deadlines d \
             WHERE r.kind = $1 AND r.id = $2 AND d.kind = r.kind AND d.id = r.id AND d.position = r.position RETURNING r.*), \
         kept AS (INSERT INTO deadline_retries (kind, id, position, stream, code, message, refused_at, retried_at, retried_by) \
             SELECT kind, id, position, stream, code, message, refused_at, $3::timestamptz, $4::uuid FROM gone RETURNING *) \
         SELECT jsonb_build_object('number', number, 'kind', kind, '_id', id, 'stream', stream, 'code', code, 'message', message, \
             'refusedAt', refused_at, 'retriedAt', retried_at, 'retriedBy', retried_by, 'outcome', 'waiting') FROM kept",
    )
    .bind(kind)
    .bind(id)
    .bind(at)
    .bind(by.0)
    .fetch_all(pool)
    .await?;
    Ok(typed(rows)?.pop())
}

/// What was tried again, the newest first, `most` of them.
///
/// # Errors
/// [`ReadError`].
pub async fn retries(pool: &PgPool, most: i64) -> Result<Vec<DeadlineRetry>, ReadError> {
    let rows = sqlx::query_scalar(
        "SELECT jsonb_build_object('number', t.number, 'kind', t.kind, '_id', t.id, 'stream', t.stream, 'code', t.code, \
             'message', t.message, 'refusedAt', t.refused_at, 'retriedAt', t.retried_at, 'retriedBy', t.retried_by, 'outcome', \
             CASE WHEN EXISTS (SELECT FROM deadline_retries l WHERE l.kind = t.kind AND l.id = t.id AND l.position = t.position \
                     AND l.number > t.number) \
                 OR EXISTS (SELECT FROM deadline_refusals r WHERE r.kind = t.kind AND r.id = t.id AND r.position = t.position) \
                 THEN 'refused' \
             WHEN EXISTS (SELECT FROM deadlines d WHERE d.kind = t.kind AND d.id = t.id AND d.position = t.position) THEN 'waiting' \
             ELSE 'settled' END) \
         FROM deadline_retries t ORDER BY t.number DESC LIMIT $1",
    )
    .bind(most)
    .fetch_all(pool)
    .await?;
    typed(rows)
}
