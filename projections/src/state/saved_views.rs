//! Saved views of the console's lists: search, filters, sort order and columns under a name.

use domain::ids::MemberId;
use serde::{Deserialize, Serialize};
use sqlx::PgPool;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::error::ReadError;
use crate::page::typed;

/// Maximum number of views of one owner on one page.
pub const MOST: i64 = 50;

/// One view.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedView {
    /// The view.
    pub id: Uuid,
    /// Owner.
    pub owner: MemberId,
    /// The page it belongs to.
    pub page: String,
    /// Name given by its owner.
    pub name: String,
    /// Query string.
    pub query: String,
    /// The columns shown, in order; none: the default ones.
    pub columns: Vec<String>,
    /// Shared with all staff.
    pub shared: bool,
}

/// The views of a page, by name: the member's own, with `others` also shared ones.
///
/// # Errors
/// [`ReadError`].
pub async fn list(
    pool: &PgPool,
    member: MemberId,
    page: &str,
    others: bool,
) -> Result<Vec<SavedView>, ReadError> {
    typed(
        sqlx::query_scalar(
            "SELECT to_jsonb(v) FROM saved_views v WHERE page = $1 AND (owner = $2 OR (shared AND $3)) \
             ORDER BY name COLLATE \"C\", id",
        )
        .bind(page)
        .bind(member.0)
        .bind(others)
        .fetch_all(pool)
        .await?,
    )
}

/// One view, if the member may see it.
///
/// # Errors
/// [`ReadError`].
pub async fn find(
    pool: &PgPool,
    member: MemberId,
    id: Uuid,
    others: bool,
) -> Result<Option<SavedView>, ReadError> {
    Ok(typed(
        sqlx::query_scalar(
            "SELECT to_jsonb(v) FROM saved_views v WHERE id = $1 AND (owner = $2 OR (shared AND $3))",
        )
        .bind(id)
        .bind(member.0)
        .bind(others)
        .fetch_all(pool)
        .await?,
    )?
    .pop())
}

/// Creates a view or updates it for its owner; false if its owner has too many, or it belongs to another member.
///
/// # Errors
/// [`ReadError`].
pub async fn keep(pool: &PgPool, view: &SavedView, now: OffsetDateTime) -> Result<bool, ReadError> {
    let kept = sqlx::query(
        "INSERT INTO saved_views (id, owner, page, name, query, columns, shared, updated_at) \
         SELECT $1, $2, $3, $4, $5, $6, $7, $8 \
         WHERE EXISTS (SELECT FROM saved_views WHERE id = $1) \
            OR (SELECT count(*) FROM saved_views WHERE owner = $2 AND page = $3) < $9 \
         ON CONFLICT (id) DO UPDATE SET page = excluded.page, name = excluded.name, query = excluded.query, \
             columns = excluded.columns, shared = excluded.shared, updated_at = excluded.updated_at \
         WHERE saved_views.owner = excluded.owner",
    )
    .bind(view.id)
    .bind(view.owner.0)
    .bind(&view.page)
    .bind(&view.name)
    .bind(&view.query)
    .bind(&view.columns)
    .bind(view.shared)
    .bind(now)
    .bind(MOST)
    .execute(pool)
    .await?;
    Ok(kept.rows_affected() > 0)
}

/// Removes a view; false if it is not the member's.
///
/// # Errors
/// [`ReadError`].
pub async fn remove(pool: &PgPool, member: MemberId, id: Uuid) -> Result<bool, ReadError> {
    let removed = sqlx::query("DELETE FROM saved_views WHERE owner = $1 AND id = $2")
        .bind(member.0)
        .bind(id)
        .execute(pool)
        .await?;
    Ok(removed.rows_affected() > 0)
}
