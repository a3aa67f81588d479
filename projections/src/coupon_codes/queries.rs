//! Lists of batches, and the redeemed codes of one.

use domain::ids::{CodeBatchId, CouponId};
use serde::{Deserialize, Serialize};
use sqlx::PgPool;

use super::{CodeBatchRow, RedeemedCodeRow};
use crate::error::ReadError;
use crate::page::{List, ListPage, Page, typed};

/// A batch and the use of its coupons.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodeBatchUse {
    /// The batch.
    pub batch: CodeBatchRow,
    /// Redeemed codes whose coupon is used on an order now.
    pub used: i64,
}

const FROM: &str = "coupon_codes b";
const SELECT: &str = "(SELECT jsonb_build_object('batch', to_jsonb(b), 'used', count(*) FILTER (WHERE c.used)) \
     FROM coupon_codes_redeemed r LEFT JOIN coupon_box c ON c.id = r.issued WHERE r.batch = b.id)";

/// Batches, newest first: of one coupon, or all.
///
/// # Errors
/// [`ReadError`].
pub async fn code_batches(
    pool: &PgPool,
    coupon: Option<CouponId>,
    page: Page,
) -> Result<ListPage<CodeBatchUse>, ReadError> {
    List {
        select: SELECT,
        from: FROM,
        narrow: FROM,
        key: "b.id",
        order: "b.created_at DESC, b.id DESC",
    }
    .page(pool, page, |query| {
        query.push("true");
        if let Some(coupon) = coupon {
            query.push(" AND b.coupon = ").push_bind(coupon.0);
        }
    })
    .await
}

/// One batch.
///
/// # Errors
/// [`ReadError`].
pub async fn code_batch(pool: &PgPool, id: CodeBatchId) -> Result<Option<CodeBatchUse>, ReadError> {
    let sql = format!("SELECT {SELECT} FROM {FROM} WHERE b.id = $1");
    let found = sqlx::query_scalar(&sql).bind(id.0).fetch_all(pool).await?;
    Ok(typed(found)?.pop())
}

/// A redeemed code, and whether its coupon is used now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RedeemedCode {
    /// The code.
    pub code: RedeemedCodeRow,
    /// Whether the coupon is used on an order now.
    pub used: bool,
}

/// The redeemed codes of a batch, the newest first.
///
/// # Errors
/// [`ReadError`].
pub async fn redeemed_codes(
    pool: &PgPool,
    batch: CodeBatchId,
    page: Page,
) -> Result<ListPage<RedeemedCode>, ReadError> {
    List {
        select: "jsonb_build_object('code', to_jsonb(r), 'used', coalesce(c.used, false))",
        from: "coupon_codes_redeemed r LEFT JOIN coupon_box c ON c.id = r.issued",
        narrow: "coupon_codes_redeemed r",
        key: "r.batch, r.number",
        order: "r.redeemed_at DESC, r.number DESC",
    }
    .page(pool, page, |query| {
        query.push("r.batch = ").push_bind(batch.0);
    })
    .await
}

/// The redeemed codes of a batch whose numbers are in a range, in their order.
///
/// # Errors
/// [`ReadError`].
pub async fn redeemed_between(
    pool: &PgPool,
    batch: CodeBatchId,
    (first, last): (u32, u32),
) -> Result<Vec<RedeemedCode>, ReadError> {
    let sql = "SELECT jsonb_build_object('code', to_jsonb(r), 'used', coalesce(c.used, false)) \
         FROM coupon_codes_redeemed r LEFT JOIN coupon_box c ON c.id = r.issued \
         WHERE r.batch = $1 AND r.number BETWEEN $2 AND $3 ORDER BY r.number";
    let found = sqlx::query_scalar(sql)
        .bind(batch.0)
        .bind(i64::from(first))
        .bind(i64::from(last))
        .fetch_all(pool)
        .await?;
    typed(found)
}
