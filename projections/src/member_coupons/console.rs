//! What staff sees of the coupons in members' boxes.

use domain::Amount;
use domain::catalogue::ValueUnit;
use domain::coupon::CouponStatus;
use domain::ids::{BulkGrantId, CouponId, IssuedCouponId, MemberId, OrderId};
use event_store::StoredEvent;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::{PgPool, Postgres, QueryBuilder};
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::IssuedRow;
use crate::error::ReadError;
use crate::event_decode::event;
use crate::page::{List, ListPage, Page};

/// Where a coupon in a box is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum UserCouponState {
    /// Not used, not expired.
    Held,
    /// Used on an order.
    Used,
    /// Not used, and past its period.
    Expired,
    /// Taken back by staff.
    Taken,
}

impl From<CouponStatus> for UserCouponState {
    fn from(status: CouponStatus) -> Self {
        match status {
            CouponStatus::Held => Self::Held,
            CouponStatus::Used => Self::Used,
            CouponStatus::Expired => Self::Expired,
            CouponStatus::Taken => Self::Taken,
        }
    }
}

/// Which coupons in boxes staff wants to see.
#[derive(Clone, Debug, Default)]
pub struct UserCouponFilter {
    /// In this member's box.
    pub member: Option<MemberId>,
    /// Of this definition.
    pub coupon: Option<CouponId>,
    /// In this state.
    pub state: Option<UserCouponState>,
    /// Used on this order.
    pub order: Option<OrderId>,
    /// Of this bulk grant.
    pub grant: Option<BulkGrantId>,
    /// Issued from this moment.
    pub from: Option<OffsetDateTime>,
    /// Issued before this moment.
    pub to: Option<OffsetDateTime>,
    /// The oldest first.
    pub oldest_first: bool,
}

/// A coupon in a box with the number of the order it is used on.
#[derive(Clone, Debug, Deserialize)]
struct UserCouponRow {
    coupon: IssuedRow,
    order_no: Option<String>,
}

/// A coupon in a member's box, as staff sees it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserCoupon {
    /// The one in the box.
    #[serde(rename = "_id")]
    pub id: IssuedCouponId,
    /// Whose box.
    #[serde(rename = "_user")]
    pub user: MemberId,
    /// Their sign-in name; none: their account is closed.
    pub username: Option<String>,
    /// What they call themselves.
    pub name: String,
    /// Its definition.
    #[serde(rename = "_coupon")]
    pub coupon: CouponId,
    /// Its name, frozen when it was issued.
    pub coupon_name: String,
    /// Amount or percent.
    pub unit: ValueUnit,
    /// Hundredths, or whole percent.
    pub value: i64,
    /// The most it takes off, hundredths.
    pub limit: Option<Amount>,
    /// The seller whose coupon it is.
    #[serde(rename = "_seller")]
    pub seller: Option<MemberId>,
    /// Percent the seller bears.
    pub share: u8,
    /// Where it is.
    pub state: UserCouponState,
    /// The member's round of the issue rule; none: not recorded.
    pub round: Option<u32>,
    /// When it was issued.
    #[serde(with = "time::serde::rfc3339")]
    #[schema(value_type = String, format = DateTime)]
    pub issued_at: OffsetDateTime,
    /// Not before.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub starts_at: Option<OffsetDateTime>,
    /// Not at or after.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub ends_at: Option<OffsetDateTime>,
    /// Since when it is used.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub used_at: Option<OffsetDateTime>,
    /// The order it is used on.
    #[serde(rename = "_order")]
    pub order: Option<OrderId>,
    /// The number of that order.
    pub order_no: Option<String>,
    /// What it takes off there, hundredths.
    pub discount: Option<Amount>,
    /// What staff said last who gave, took or changed it.
    pub memo: Option<String>,
    /// The bulk grant it belongs to.
    #[serde(rename = "_grant")]
    pub grant: Option<BulkGrantId>,
}

impl UserCoupon {
    /// As it is at `now`; the names of its owner are the caller's to set.
    pub fn of(row: IssuedRow, order_no: Option<String>, now: OffsetDateTime) -> Self {
        Self {
            id: row.id,
            user: row.member,
            username: None,
            name: String::new(),
            coupon: row.coupon,
            state: row.status(now).into(),
            round: row.round,
            issued_at: row.issued_at,
            starts_at: row.terms.starts_at,
            ends_at: row.ends_at,
            used_at: row.used_at,
            order: row.order_id,
            order_no,
            discount: row.amount,
            memo: row.memo,
            grant: row.grant_id,
            unit: row.terms.unit,
            value: row.terms.value,
            limit: row.terms.limit,
            seller: row.terms.seller,
            share: row.terms.share,
            coupon_name: row.terms.name,
        }
    }
}

impl IssuedRow {
    /// As the events of its stream left it; none before it is issued.
    ///
    /// # Errors
    /// [`ReadError`] for events of something else.
    pub fn after(events: &[StoredEvent]) -> Result<Option<Self>, ReadError> {
        let mut issued = events
            .iter()
            .skip_while(|told| told.event_type != "CouponIssued");
        let Some(first) = issued.next() else {
            return Ok(None);
        };
        let mut row = Self::issued(first)?;
        for told in issued {
            row.take(event(told)?, told)?;
        }
        Ok(Some(row))
    }
}

const FOUND: List<'static> = List {
    select: "jsonb_build_object('coupon', to_jsonb(c), 'order_no', o.order_no)",
    from: "coupon_box c LEFT JOIN orders o ON o.id = c.order_id",
    narrow: "coupon_box c",
    key: "c.id",
    order: "c.issued_at DESC, c.id DESC",
};

/// Coupons in boxes at `now`, the newest first.
///
/// # Errors
/// [`ReadError`].
pub async fn user_coupons(
    pool: &PgPool,
    filter: &UserCouponFilter,
    now: OffsetDateTime,
    page: Page,
) -> Result<ListPage<UserCoupon>, ReadError> {
    let list = List {
        order: match filter.oldest_first {
            true => "c.issued_at, c.id",
            false => FOUND.order,
        },
        ..FOUND
    };
    let found: ListPage<UserCouponRow> = list
        .page(pool, page, |query| narrow(query, filter, now))
        .await?;
    Ok(found.map(|found| UserCoupon::of(found.coupon, found.order_no, now)))
}

fn narrow(query: &mut QueryBuilder<'_, Postgres>, filter: &UserCouponFilter, now: OffsetDateTime) {
    query.push("true");
    if let Some(member) = filter.member {
        query.push(" AND c.member = ").push_bind(member.0);
    }
    if let Some(coupon) = filter.coupon {
        query.push(" AND c.coupon = ").push_bind(coupon.0);
    }
    if let Some(order) = filter.order {
        query.push(" AND c.order_id = ").push_bind(order.0);
    }
    if let Some(grant) = filter.grant {
        query.push(" AND c.grant_id = ").push_bind(grant.0);
    }
    if let Some(from) = filter.from {
        query.push(" AND c.issued_at >= ").push_bind(from);
    }
    if let Some(to) = filter.to {
        query.push(" AND c.issued_at < ").push_bind(to);
    }
    match filter.state {
        None => {}
        Some(UserCouponState::Used) => {
            query.push(" AND c.used");
        }
        Some(UserCouponState::Taken) => {
            query.push(" AND NOT c.used AND c.taken");
        }
        Some(UserCouponState::Expired) => {
            query
                .push(" AND NOT c.used AND NOT c.taken AND c.ends_at <= ")
                .push_bind(now);
        }
        Some(UserCouponState::Held) => {
            query
                .push(" AND NOT c.used AND NOT c.taken AND (c.ends_at IS NULL OR c.ends_at > ")
                .push_bind(now)
                .push(")");
        }
    }
}

/// One coupon in a box, with the number of the order it is used on.
///
/// # Errors
/// [`ReadError`].
pub async fn boxed_coupon(
    pool: &PgPool,
    id: IssuedCouponId,
) -> Result<Option<(IssuedRow, Option<String>)>, ReadError> {
    let sql = format!(
        "SELECT {} FROM {} WHERE c.id = $1",
        FOUND.select, FOUND.from
    );
    let found: Option<Value> = sqlx::query_scalar(&sql)
        .bind(id.0)
        .fetch_optional(pool)
        .await?;
    let found: Option<UserCouponRow> = found.map(serde_json::from_value).transpose()?;
    Ok(found.map(|found| (found.coupon, found.order_no)))
}
