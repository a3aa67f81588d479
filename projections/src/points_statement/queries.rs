//! Looking at a member's points.

use domain::Amount;
use domain::ids::{LotId, MemberId};
use serde::{Deserialize, Serialize};
use sqlx::PgPool;
use time::{Duration, OffsetDateTime};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{Direction, LotRow};
use crate::error::ReadError;
use crate::page::{List, ListPage, Page, typed};

/// Points within this many days of their end count as expiring soon.
pub const SOON_DAYS: i64 = 30;

/// One movement, as `GET /api/v1/me/points` shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PointEntry {
    /// The movement.
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// How much, hundredths; 0 where all that came back had expired meanwhile.
    pub amounts: Amount,
    /// What is left of a grant, hundredths.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount_left: Option<Amount>,
    /// Which way.
    pub kind: Direction,
    /// Why.
    pub reason: String,
    /// The order it was for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order_no: Option<String>,
    /// When.
    #[serde(with = "crate::timestamp")]
    #[schema(value_type = String, format = DateTime)]
    pub created_at: OffsetDateTime,
    /// When a grant expires.
    #[serde(
        with = "crate::timestamp::option",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub expires_at: Option<OffsetDateTime>,
}

/// What a member's points are worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PointsSummary {
    /// Can be spent now, hundredths.
    pub available: Amount,
    /// The part of it that expires within [`SOON_DAYS`] days, hundredths.
    pub expiring_soon: Amount,
}

/// A member's movements, newest first.
///
/// # Errors
/// [`ReadError`].
pub async fn point_entries(
    pool: &PgPool,
    member: MemberId,
    page: Page,
) -> Result<ListPage<PointEntry>, ReadError> {
    let mut entries: ListPage<PointEntry> = List {
        select: "jsonb_build_object('_id', e.id, 'amounts', e.amounts, 'amountLeft', l.\"left\", 'kind', e.kind, 'reason', e.reason, \
                 'orderNo', o.order_no, 'createdAt', e.created_at, 'expiresAt', e.expires_at)",
        from: "points_book e LEFT JOIN points_book_lots l ON l.id = e.lot LEFT JOIN orders o ON o.id = e.order_id",
        narrow: "points_book e",
        key: "e.position, e.part",
        order: "e.position DESC, e.part",
    }
    .page(pool, page, |query| {
        query.push("e.member = ").push_bind(member.0);
    })
    .await?;
    for spent in entries
        .rows
        .iter_mut()
        .filter(|entry| entry.kind == Direction::Decrease)
    {
        spent.amount_left = None;
    }
    Ok(entries)
}

/// What a member's points are worth at `now`.
///
/// # Errors
/// [`ReadError`].
pub async fn points_summary(
    pool: &PgPool,
    member: MemberId,
    now: OffsetDateTime,
) -> Result<PointsSummary, ReadError> {
    let (available, expiring_soon): (i64, i64) = sqlx::query_as(
        "SELECT coalesce(sum(\"left\"), 0)::bigint, \
                coalesce(sum(\"left\") FILTER (WHERE expires_at <= $3), 0)::bigint \
         FROM points_book_lots WHERE member = $1 AND expires_at > $2",
    )
    .bind(member.0)
    .bind(now)
    .bind(now + Duration::days(SOON_DAYS))
    .fetch_one(pool)
    .await?;
    Ok(PointsSummary {
        available: Amount::new(available),
        expiring_soon: Amount::new(expiring_soon),
    })
}

/// One lot.
///
/// # Errors
/// [`ReadError`].
pub async fn lot(pool: &PgPool, id: LotId) -> Result<Option<LotRow>, ReadError> {
    Ok(typed(
        sqlx::query_scalar("SELECT to_jsonb(l) FROM points_book_lots l WHERE id = $1")
            .bind(id.0)
            .fetch_all(pool)
            .await?,
    )?
    .pop())
}
