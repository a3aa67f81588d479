//! What became of the coupons of a definition, from everything that happened to each: issued, used, given back, and what it cost.

use domain::Amount;
use domain::ids::CouponId;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::PgPool;
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use super::CouponEntryKind;
use crate::error::ReadError;
use crate::page::typed;

/// What became of the coupons of a definition.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CouponStatistics {
    /// Issued to members, by whatever way.
    pub issued: i64,
    /// Used on orders, also those that came back.
    pub used: i64,
    /// Came back from orders.
    pub returned: i64,
    /// Ended unused in the period.
    pub expired: i64,
    /// Taken back by staff, less those brought back.
    pub taken: i64,
    /// What the uses took off, less what came back, hundredths.
    pub discount: Amount,
    /// Of the discount of uses that did not come back, what sellers bear, hundredths.
    pub sellers_share: Amount,
    /// Of the discount of uses that did not come back, what the shop bears, hundredths.
    pub shop_share: Amount,
    /// What was paid for the orders of these uses, hundredths.
    pub revenue: Amount,
}

/// What happened to the coupons of a definition on one Seoul day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CouponDayStatistics {
    /// `2026-11-21`.
    pub day: String,
    /// Issued.
    pub issued: i64,
    /// Used.
    pub used: i64,
    /// What the uses took off, less what came back, hundredths.
    pub discount: Amount,
}

/// A period of statistics: from (inclusive) and to (exclusive).
pub type StatisticsPeriod = (Option<OffsetDateTime>, Option<OffsetDateTime>);

#[derive(Deserialize)]
struct StatisticsRow {
    coupon: CouponId,
    #[serde(flatten)]
    statistics: CouponStatistics,
}

const STATISTICS: &str = "\
WITH asked AS (SELECT unnest($1::uuid[]) AS coupon),
happened AS (
    SELECT e.* FROM coupon_box_entries e JOIN asked USING (coupon)
    WHERE ($2::timestamptz IS NULL OR e.at >= $2) AND ($3::timestamptz IS NULL OR e.at < $3)
),
counts AS (
    SELECT coupon,
           count(*) FILTER (WHERE kind = $5) AS issued,
           count(*) FILTER (WHERE kind = $6) AS used,
           count(*) FILTER (WHERE kind = $7) AS returned,
           count(*) FILTER (WHERE kind = $8) - count(*) FILTER (WHERE kind = $9) AS taken,
           coalesce(sum(amount), 0)::bigint AS discount
    FROM happened GROUP BY coupon
),
ended AS (
    SELECT c.coupon, count(*) AS expired FROM coupon_box c JOIN asked USING (coupon)
    WHERE NOT c.used AND NOT c.taken AND c.ends_at <= least($4, coalesce($3, $4)) AND ($2 IS NULL OR c.ends_at > $2)
    GROUP BY c.coupon
),
uses AS (
    SELECT coupon, id, order_id FROM happened WHERE kind IN ($6, $7)
    GROUP BY coupon, id, order_id HAVING sum(CASE kind WHEN $6 THEN 1 ELSE -1 END) > 0
),
borne AS (
    SELECT u.coupon, sum((used ->> 'sellerShare')::bigint)::bigint AS sellers, sum((used ->> 'amount')::bigint)::bigint AS whole
    FROM uses u JOIN orders o ON o.id = u.order_id
         CROSS JOIN LATERAL jsonb_array_elements(o.state -> 'terms' -> 'coupons') AS used
    WHERE used ->> '_issued' = u.id::text GROUP BY u.coupon
),
earned AS (
    SELECT u.coupon, sum(o.payable)::bigint AS revenue
    FROM (SELECT DISTINCT coupon, order_id FROM uses) u JOIN orders o ON o.id = u.order_id
    WHERE o.paid_at IS NOT NULL GROUP BY u.coupon
)
SELECT jsonb_build_object(
    'coupon', coupon, 'issued', coalesce(issued, 0), 'used', coalesce(used, 0), 'returned', coalesce(returned, 0),
    'expired', coalesce(expired, 0), 'taken', coalesce(taken, 0), 'discount', coalesce(discount, 0),
    'sellersShare', coalesce(sellers, 0), 'shopShare', coalesce(whole - sellers, 0), 'revenue', coalesce(revenue, 0))
FROM asked LEFT JOIN counts USING (coupon) LEFT JOIN ended USING (coupon) LEFT JOIN borne USING (coupon) LEFT JOIN earned USING (coupon)";

/// The statistics of definitions in a period, at `now`; one that was never issued has zeros.
///
/// # Errors
/// [`ReadError`].
pub async fn coupon_statistics(
    pool: &PgPool,
    coupons: &[CouponId],
    (from, to): StatisticsPeriod,
    now: OffsetDateTime,
) -> Result<Vec<(CouponId, CouponStatistics)>, ReadError> {
    let ids: Vec<Uuid> = coupons.iter().map(|id| id.0).collect();
    let found: Vec<Value> = sqlx::query_scalar(STATISTICS)
        .bind(ids)
        .bind(from)
        .bind(to)
        .bind(now)
        .bind(CouponEntryKind::Issued.code())
        .bind(CouponEntryKind::Used.code())
        .bind(CouponEntryKind::Returned.code())
        .bind(CouponEntryKind::Taken.code())
        .bind(CouponEntryKind::BroughtBack.code())
        .fetch_all(pool)
        .await?;
    let found = typed::<StatisticsRow>(found)?.into_iter();
    Ok(found.map(|one| (one.coupon, one.statistics)).collect())
}

/// What happened to the coupons of a definition, day by day; days without anything are missing.
///
/// # Errors
/// [`ReadError`].
pub async fn coupon_days(
    pool: &PgPool,
    coupon: CouponId,
    (from, to): StatisticsPeriod,
) -> Result<Vec<CouponDayStatistics>, ReadError> {
    let found = sqlx::query_scalar(
        "SELECT jsonb_build_object(
             'day', day, 'issued', count(*) FILTER (WHERE kind = $4),
             'used', count(*) FILTER (WHERE kind = $5), 'discount', coalesce(sum(amount), 0)::bigint)
         FROM (SELECT kind, amount, to_char(at AT TIME ZONE INTERVAL '+09:00', 'YYYY-MM-DD') AS day FROM coupon_box_entries
               WHERE coupon = $1 AND ($2::timestamptz IS NULL OR at >= $2) AND ($3::timestamptz IS NULL OR at < $3)
                 AND kind IN ($4, $5, $6)) e
         GROUP BY day ORDER BY day",
    )
    .bind(coupon.0)
    .bind(from)
    .bind(to)
    .bind(CouponEntryKind::Issued.code())
    .bind(CouponEntryKind::Used.code())
    .bind(CouponEntryKind::Returned.code())
    .fetch_all(pool)
    .await?;
    typed(found)
}
