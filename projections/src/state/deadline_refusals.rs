//! Deadlines whose command was refused: written down, so that no process asks again before something has changed.

use serde::{Deserialize, Serialize};
use sqlx::PgPool;
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::deadlines::DeadlineRow;
use crate::error::ReadError;
use crate::page::{Listed, Page};

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
