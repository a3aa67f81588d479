//! Imported tables, one row for each batch: a long table is uploaded once and processed batch by batch, by any process.

use domain::ids::MemberId;
use serde_json::Value;
use sqlx::PgPool;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::error::ReadError;

/// Retention of a table.
pub const KEPT: Duration = Duration::DAY;
/// Maximum number of tables of an owner; the oldest is dropped for a new one.
const TABLES_MOST: i64 = 5;

/// Key of a table.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// Its id, a UUIDv7.
    pub id: Uuid,
    /// Owner.
    pub owner: MemberId,
    /// Kind of its records.
    pub kind: &'static str,
}

/// Stores a table: the file row after which each batch begins, and the batch.
///
/// # Errors
/// [`ReadError`].
pub async fn keep(
    pool: &PgPool,
    table: Table,
    parts: Vec<(usize, Value)>,
    now: OffsetDateTime,
) -> Result<(), ReadError> {
    let (rows, parts): (Vec<usize>, Vec<Value>) = parts.into_iter().unzip();
    let rows: Vec<i32> = rows.into_iter().map(number).collect();
    let mut transaction = event_store::begin(pool).await?;
    sqlx::query(
        "INSERT INTO import_parts (id, after, owner, kind, part, kept_at) \
         SELECT $1::uuid, after, $2::uuid, $3::text, part, $4::timestamptz FROM unnest($5::integer[], $6::jsonb[]) AS p (after, part)",
    )
    .bind(table.id)
    .bind(table.owner.0)
    .bind(table.kind)
    .bind(now)
    .bind(rows)
    .bind(parts)
    .execute(&mut *transaction)
    .await?;
    sqlx::query(
        "DELETE FROM import_parts WHERE owner = $1 AND id NOT IN \
         (SELECT DISTINCT id FROM import_parts WHERE owner = $1 ORDER BY id DESC LIMIT $2) \
         AND NOT EXISTS (SELECT FROM import_runs r WHERE r.id = import_parts.id)",
    )
    .bind(table.owner.0)
    .bind(TABLES_MOST)
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    Ok(())
}

/// The batch of a table that begins after this row of the file.
///
/// # Errors
/// [`ReadError`].
pub async fn find(pool: &PgPool, table: Table, after: usize) -> Result<Option<Value>, ReadError> {
    Ok(sqlx::query_scalar(
        "SELECT part FROM import_parts WHERE id = $1 AND owner = $2 AND kind = $3 AND after = $4",
    )
    .bind(table.id)
    .bind(table.owner.0)
    .bind(table.kind)
    .bind(number(after))
    .fetch_optional(pool)
    .await?)
}

/// All parts of a table, in order.
///
/// # Errors
/// [`ReadError`].
pub async fn all(pool: &PgPool, id: Uuid) -> Result<Vec<(i32, Value)>, ReadError> {
    let sql = "SELECT after, part FROM import_parts WHERE id = $1 ORDER BY after";
    Ok(sqlx::query_as(sql).bind(id).fetch_all(pool).await?)
}

/// Deletes tables older than [`KEPT`]; those of runs stay with them ([`super::import_runs`]).
///
/// # Errors
/// [`ReadError`].
pub async fn forget_old(pool: &PgPool, now: OffsetDateTime) -> Result<u64, ReadError> {
    let gone = sqlx::query(
        "DELETE FROM import_parts WHERE kept_at < $1 AND NOT EXISTS (SELECT FROM import_runs r WHERE r.id = import_parts.id)",
    )
        .bind(now - KEPT)
        .execute(pool)
        .await?;
    Ok(gone.rows_affected())
}

/// A row number as the database type; no file is long enough to overflow it.
fn number(row: usize) -> i32 {
    i32::try_from(row).unwrap_or(i32::MAX)
}
