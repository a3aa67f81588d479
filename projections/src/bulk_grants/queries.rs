//! Lists of bulk grants.

use domain::Amount;
use domain::ids::BulkGrantId;
use serde::de::DeserializeOwned;
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
const SELECT_POINTS: &str = "(SELECT jsonb_build_object('grant', to_jsonb(g), 'total', coalesce(sum(l.amount), 0)::bigint, \
     'used', coalesce(sum(l.spent), 0)::bigint, 'left', coalesce(sum(l.\"left\"), 0)::bigint) \
     FROM points_book_lots l WHERE l.grant_id = g.id)";

/// A bulk grant of a coupon, and what became of what was given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CouponGrant {
    /// The grant.
    pub grant: BulkGrantRow,
    /// Coupons issued so far.
    pub issued: i64,
    /// Of those: used now.
    pub used: i64,
    /// Of those: taken back by staff.
    pub taken: i64,
    /// What those used take off, hundredths.
    pub discount: Amount,
}

const SELECT_COUPONS: &str = "(SELECT jsonb_build_object('grant', to_jsonb(g), 'issued', count(c.id), \
     'used', count(*) FILTER (WHERE c.used), 'taken', count(*) FILTER (WHERE c.taken AND NOT c.used), \
     'discount', coalesce(sum(c.amount) FILTER (WHERE c.used), 0)::bigint) \
     FROM coupon_box c WHERE c.grant_id = g.id)";

/// Bulk grants of coupons, newest first, ordered in a period.
///
/// # Errors
/// [`ReadError`].
pub async fn coupon_grants(
    pool: &PgPool,
    period: GrantPeriod,
    page: Page,
) -> Result<ListPage<CouponGrant>, ReadError> {
    list(pool, (SELECT_COUPONS, "coupon"), period, page).await
}

/// One bulk grant of a coupon.
///
/// # Errors
/// [`ReadError`].
pub async fn coupon_grant(
    pool: &PgPool,
    id: BulkGrantId,
) -> Result<Option<CouponGrant>, ReadError> {
    one(pool, (SELECT_COUPONS, "coupon"), id).await
}

/// Bulk grants of points, newest first, ordered in a period.
///
/// # Errors
/// [`ReadError`].
pub async fn points_grants(
    pool: &PgPool,
    period: GrantPeriod,
    page: Page,
) -> Result<ListPage<PointsGrant>, ReadError> {
    list(pool, (SELECT_POINTS, "points"), period, page).await
}

/// One bulk grant of points.
///
/// # Errors
/// [`ReadError`].
pub async fn points_grant(
    pool: &PgPool,
    id: BulkGrantId,
) -> Result<Option<PointsGrant>, ReadError> {
    one(pool, (SELECT_POINTS, "points"), id).await
}

/// When a bulk grant was ordered: from, and before.
pub type GrantPeriod = (Option<OffsetDateTime>, Option<OffsetDateTime>);

/// What is selected of a bulk grant, and the benefit of those it is selected of.
type Selection = (&'static str, &'static str);

async fn list<T: DeserializeOwned>(
    pool: &PgPool,
    (select, benefit): Selection,
    (from, to): GrantPeriod,
    page: Page,
) -> Result<ListPage<T>, ReadError> {
    List {
        select,
        from: FROM,
        narrow: FROM,
        key: "g.id",
        order: "g.created_at DESC, g.id DESC",
    }
    .page(pool, page, |query| {
        query.push("g.benefit ? ").push_bind(benefit);
        if let Some(from) = from {
            query.push(" AND g.created_at >= ").push_bind(from);
        }
        if let Some(to) = to {
            query.push(" AND g.created_at < ").push_bind(to);
        }
    })
    .await
}

async fn one<T: DeserializeOwned>(
    pool: &PgPool,
    (select, benefit): Selection,
    id: BulkGrantId,
) -> Result<Option<T>, ReadError> {
    let sql = format!("SELECT {select} FROM {FROM} WHERE g.benefit ? $2 AND g.id = $1");
    let found = sqlx::query_scalar(&sql)
        .bind(id.0)
        .bind(benefit)
        .fetch_all(pool)
        .await?;
    Ok(typed(found)?.pop())
}
