//! Looking into a member's coupon box.

use domain::Amount;
use domain::catalogue::ValueUnit;
use domain::coupon::{CouponStatus, Stage};
use domain::ids::{CouponId, IssuedCouponId, MemberId, OrderId};
use serde::{Deserialize, Serialize};
use sqlx::PgPool;
use time::{Duration, OffsetDateTime};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{CampaignRow, IssuedRow};
use crate::error::ReadError;
use crate::page::{List, ListPage, Page, typed};

/// Coupons within this long of their end expire soon.
const SOON: Duration = Duration::days(7);

/// The tabs of the coupon box.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum CouponTab {
    /// In the box and not too old.
    #[default]
    Usable,
    /// Of those, the ones that expire within seven days.
    Expiring,
    /// Used on an order.
    Used,
    /// In the box, and too old; or taken back by the shop.
    Expired,
}

/// A coupon as `GET /api/v1/me/coupons` shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BoxedCoupon {
    /// The one in the box.
    #[serde(rename = "_id")]
    pub id: IssuedCouponId,
    /// Its definition.
    #[serde(rename = "_coupon")]
    pub coupon: CouponId,
    /// Name.
    pub name: String,
    /// What it does, in one sentence.
    pub sentence: String,
    /// Names of the products, categories or displays it is for; none: for everything.
    pub goods: Vec<String>,
    /// Where it takes off.
    pub stage: Stage,
    /// Amount or percent.
    pub unit: ValueUnit,
    /// Hundredths, or whole percent.
    pub value: i64,
    /// The most it takes off, hundredths.
    pub limit: Option<Amount>,
    /// The least the lines it is for must cost, hundredths.
    pub price_min: Option<Amount>,
    /// Not before.
    #[serde(with = "crate::timestamp::option")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub starts_at: Option<OffsetDateTime>,
    /// Not at or after.
    #[serde(with = "crate::timestamp::option")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub ends_at: Option<OffsetDateTime>,
    /// Where it is now.
    pub state: CouponStatus,
    /// Can be used for less than seven days.
    pub expiring_soon: bool,
    /// Since when it is used.
    #[serde(
        with = "crate::timestamp::option",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub used_at: Option<OffsetDateTime>,
    /// The order it is used on.
    #[serde(rename = "_order", skip_serializing_if = "Option::is_none")]
    pub order: Option<OrderId>,
    /// What the shop said who gave, took or changed it last.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub memo: Option<String>,
}

impl IssuedRow {
    /// Where the coupon is at `now`.
    pub fn status(&self, now: OffsetDateTime) -> CouponStatus {
        if self.used {
            CouponStatus::Used
        } else if self.taken {
            CouponStatus::Taken
        } else if self.ends_at.is_some_and(|ends_at| ends_at <= now) {
            CouponStatus::Expired
        } else {
            CouponStatus::Held
        }
    }

    /// As the member sees it at `now`. `goods`: names of what it can be used on.
    pub fn boxed(self, now: OffsetDateTime, goods: Vec<String>) -> BoxedCoupon {
        let state = self.status(now);
        let ends_soon = self.ends_at.is_some_and(|ends_at| ends_at <= now + SOON);
        BoxedCoupon {
            id: self.id,
            coupon: self.coupon,
            sentence: self.terms.sentence(&goods),
            goods,
            name: self.terms.name,
            stage: self.terms.stage,
            unit: self.terms.unit,
            value: self.terms.value,
            limit: self.terms.limit,
            price_min: self.terms.price_min,
            starts_at: self.terms.starts_at,
            ends_at: self.terms.ends_at,
            state,
            expiring_soon: ends_soon && state == CouponStatus::Held,
            used_at: self.used_at,
            order: self.order_id,
            memo: self.memo,
        }
    }
}

/// One tab of a member's box at `now`: usable ones by their end, others newest first.
///
/// # Errors
/// [`ReadError`].
pub async fn coupon_box(
    pool: &PgPool,
    member: MemberId,
    tab: CouponTab,
    now: OffsetDateTime,
    page: Page,
) -> Result<ListPage<IssuedRow>, ReadError> {
    List {
        select: "to_jsonb(c)",
        from: "coupon_box c",
        narrow: "coupon_box c",
        key: "c.id",
        order: match tab {
            CouponTab::Usable | CouponTab::Expiring => "ends_at NULLS LAST, issued_at, id",
            CouponTab::Used => "used_at DESC, id",
            CouponTab::Expired => "ends_at DESC NULLS LAST, id",
        },
    }
    .page(pool, page, |query| {
        query.push("member = ").push_bind(member.0);
        match tab {
            CouponTab::Usable => query
                .push(" AND NOT used AND NOT taken AND (ends_at IS NULL OR ends_at > ")
                .push_bind(now)
                .push(")"),
            CouponTab::Expiring => query
                .push(" AND NOT used AND NOT taken AND ends_at > ")
                .push_bind(now)
                .push(" AND ends_at <= ")
                .push_bind(now + SOON),
            CouponTab::Used => query.push(" AND used"),
            CouponTab::Expired => query
                .push(" AND NOT used AND (taken OR ends_at <= ")
                .push_bind(now)
                .push(")"),
        };
    })
    .await
}

/// How many coupons of a member can be used for less than seven days more.
///
/// # Errors
/// [`ReadError`].
pub async fn expiring_coupons(
    pool: &PgPool,
    member: MemberId,
    now: OffsetDateTime,
) -> Result<i64, ReadError> {
    let count = "SELECT count(*) FROM coupon_box \
         WHERE member = $1 AND NOT used AND NOT taken AND ends_at > $2 AND ends_at <= $3";
    let counted = sqlx::query_scalar(count)
        .bind(member.0)
        .bind(now)
        .bind(now + SOON);
    Ok(counted.fetch_one(pool).await?)
}

/// All coupons a member could use at `now`, for pricing an order. Periods that begin later are included: pricing says why not.
///
/// # Errors
/// [`ReadError`].
pub async fn usable_coupons(
    pool: &PgPool,
    member: MemberId,
    now: OffsetDateTime,
) -> Result<Vec<IssuedRow>, ReadError> {
    typed(
        sqlx::query_scalar(
            "SELECT to_jsonb(c) FROM coupon_box c WHERE member = $1 AND NOT used AND NOT taken \
             AND (ends_at IS NULL OR ends_at > $2) ORDER BY ends_at NULLS LAST, issued_at, id",
        )
        .bind(member.0)
        .bind(now)
        .fetch_all(pool)
        .await?,
    )
}

/// How many pieces of a coupon members still have to use.
///
/// # Errors
/// [`ReadError`].
pub async fn still_held(
    pool: &PgPool,
    coupon: CouponId,
    now: OffsetDateTime,
) -> Result<i64, ReadError> {
    let count = "SELECT count(*) FROM coupon_box c JOIN members m ON m.id = c.member \
         WHERE c.coupon = $1 AND NOT c.used AND NOT c.taken AND (c.ends_at IS NULL OR c.ends_at > $2) AND m.left_at IS NULL";
    let counted = sqlx::query_scalar(count).bind(coupon.0).bind(now);
    Ok(counted.fetch_one(pool).await?)
}

/// Which of these definitions the member has ever drawn, with how many of each.
///
/// # Errors
/// [`ReadError`].
pub async fn drawn_by(
    pool: &PgPool,
    member: MemberId,
    coupons: &[CouponId],
) -> Result<Vec<(CouponId, i64)>, ReadError> {
    let ids: Vec<Uuid> = coupons.iter().map(|id| id.0).collect();
    let rows: Vec<(Uuid, i64)> = sqlx::query_as(
        "SELECT coupon, count(*) FROM coupon_box WHERE member = $1 AND coupon = ANY($2) GROUP BY coupon",
    )
    .bind(member.0)
    .bind(ids)
    .fetch_all(pool)
    .await?;
    Ok(rows
        .into_iter()
        .map(|(coupon, count)| (CouponId(coupon), count))
        .collect())
}

/// The counters of these campaigns; those without limits may be missing.
///
/// # Errors
/// [`ReadError`].
pub async fn campaigns(pool: &PgPool, coupons: &[CouponId]) -> Result<Vec<CampaignRow>, ReadError> {
    let ids: Vec<Uuid> = coupons.iter().map(|id| id.0).collect();
    typed(
        sqlx::query_scalar("SELECT to_jsonb(c) FROM coupon_box_campaigns c WHERE coupon = ANY($1)")
            .bind(ids)
            .fetch_all(pool)
            .await?,
    )
}
