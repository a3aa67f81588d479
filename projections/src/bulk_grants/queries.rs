//! Lists of bulk grants.

use domain::Amount;
use domain::ids::BulkGrantId;
use serde::{Deserialize, Serialize};
use sqlx::PgPool;
use time::OffsetDateTime;

use super::BulkGrantRow;
use crate::error::ReadError;
use crate::page::{List, ListPage, Page, typed};

/// A bulk grant of points, and what became of what was given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PointsGrant {
    /// The grant.
    pub grant: BulkGrantRow,
    /// Granted so far, hundredths.
    pub total: Amount,
    /// Spent of that, less what orders gave back, hundredths.
    pub used: Amount,
    /// What is left of it, hundredths.
    pub left: Amount,
}

const FROM: &str = "bulk_grants g";
const SELECT: &str = "(SELECT jsonb_build_object('grant', to_jsonb(g), 'total', coalesce(sum(l.amount), 0)::bigint, \
     'used', coalesce(sum(l.spent), 0)::bigint, 'left', coalesce(sum(l.\"left\"), 0)::bigint) \
     FROM points_book_lots l WHERE l.grant_id = g.id)";

/// Bulk grants of points, newest first, ordered in a period.
///
/// # Errors
/// [`ReadError`].
pub async fn points_grants(
    pool: &PgPool,
    (from, to): (Option<OffsetDateTime>, Option<OffsetDateTime>),
    page: Page,
) -> Result<ListPage<PointsGrant>, ReadError> {
    List {
        select: SELECT,
        from: FROM,
        narrow: FROM,
        key: "g.id",
        order: "g.created_at DESC, g.id DESC",
    }
    .page(pool, page, |query| {
        query.push("g.benefit ? 'points'");
        if let Some(from) = from {
            query.push(" AND g.created_at >= ").push_bind(from);
        }
        if let Some(to) = to {
            query.push(" AND g.created_at < ").push_bind(to);
        }
    })
    .await
}

/// One bulk grant of points.
///
/// # Errors
/// [`ReadError`].
pub async fn points_grant(
    pool: &PgPool,
    id: BulkGrantId,
) -> Result<Option<PointsGrant>, ReadError> {
    let sql = format!("SELECT {SELECT} FROM {FROM} WHERE g.benefit ? 'points' AND g.id = $1");
    let found = sqlx::query_scalar(&sql).bind(id.0).fetch_all(pool).await?;
    Ok(typed(found)?.pop())
}
