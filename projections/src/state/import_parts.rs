//! Tables people import, a part a row: a long one is sent once and done part by part, by any process.

use domain::ids::MemberId;
use serde_json::Value;
use sqlx::PgPool;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::error::ReadError;

/// How long a table is kept.
pub const KEPT: Duration = Duration::DAY;
/// Tables of one owner at most; the oldest goes for a new one.
const TABLES_MOST: i64 = 5;

/// Which table.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// What it is known by: a UUIDv7.
    pub id: Uuid,
    /// Whose it is.
    pub owner: MemberId,
    /// The kind of records it is of.
    pub kind: &'static str,
}

/// Keeps a table: after which row of the file each part begins, and the part.
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
         (SELECT DISTINCT id FROM import_parts WHERE owner = $1 ORDER BY id DESC LIMIT $2)",
    )
    .bind(table.owner.0)
    .bind(TABLES_MOST)
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    Ok(())
}

/// The part of a table that begins behind this row of the file.
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

/// Forgets tables older than [`KEPT`].
///
/// # Errors
/// [`ReadError`].
pub async fn forget_old(pool: &PgPool, now: OffsetDateTime) -> Result<u64, ReadError> {
    let gone = sqlx::query("DELETE FROM import_parts WHERE kept_at < $1")
        .bind(now - KEPT)
        .execute(pool)
        .await?;
    Ok(gone.rows_affected())
}

/// A row's number as the database keeps it; no file is so long that it does not fit.
fn number(row: usize) -> i32 {
    i32::try_from(row).unwrap_or(i32::MAX)
}
