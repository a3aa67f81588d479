//! Lists of refunds for finance.

use std::collections::{BTreeMap, BTreeSet};

use domain::Amount;
use domain::holiday::Holiday;
use domain::ids::{ClaimId, OrderId, PaymentId, RefundId};
use domain::order::ClaimKind;
use serde::{Deserialize, Serialize};
use sqlx::PgPool;
use time::{Date, OffsetDateTime};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::error::ReadError;
use crate::page::{ListPage, Page, typed};
use crate::records;

/// Lists of refunds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum RefundList {
    /// Money that is owed, or in progress at the gateway.
    Due,
    /// The gateway's response is unknown.
    Unknown,
    /// Refused by the gateway.
    Refused,
    /// Sent by bank transfer outside the gateway.
    Redirected,
}

impl RefundList {
    /// Conditions for claims `c` with their refunds `f`, and for refunds `f` without a claim. Those for claims that are not closed use an
    /// index.
    const fn conditions(self) -> (&'static str, &'static str) {
        match self {
            Self::Due => (
                "NOT c.closed AND c.owed_since IS NOT NULL AND c.money > 0 AND (f.id IS NULL OR f.stage = 'requested')",
                "f.stage = 'requested'",
            ),
            Self::Unknown => (
                "NOT c.closed AND f.stage = 'unknown'",
                "f.stage = 'unknown'",
            ),
            Self::Refused => (
                "NOT c.closed AND f.stage = 'refused'",
                "f.stage = 'refused'",
            ),
            Self::Redirected => (
                "f.by_transfer OR c.transferred_at IS NOT NULL",
                "f.by_transfer",
            ),
        }
    }

    /// Owed longest first; transfers newest first.
    const fn order(self) -> &'static str {
        match self {
            Self::Due | Self::Unknown | Self::Refused => "since, key",
            Self::Redirected => "settled_at DESC, key",
        }
    }
}

/// A refund for a claim, or for a payment that no order accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwedRefund {
    /// Its order.
    pub order: OrderId,
    /// The number of that order.
    pub order_no: String,
    /// The claim; none for a payment that no order accepted.
    pub claim: Option<ClaimId>,
    /// Its kind.
    pub kind: Option<ClaimKind>,
    /// The purchases it covers.
    pub purchase_nos: Vec<String>,
    /// Approved, so the amount is final.
    pub approved: bool,
    /// Hundredths.
    pub amount: Amount,
    /// When it was requested.
    #[serde(with = "crate::timestamp")]
    pub requested_at: OffsetDateTime,
    /// Since when it is owed.
    #[serde(with = "crate::timestamp")]
    pub since: OffsetDateTime,
    /// The refund, once requested.
    pub refund: Option<RefundId>,
    /// Its payment.
    pub payment: Option<PaymentId>,
    /// When it was completed.
    #[serde(with = "crate::timestamp::option")]
    pub settled_at: Option<OffsetDateTime>,
    /// Result code of the gateway's last refusal.
    pub refusal_code: Option<String>,
    /// Its message.
    pub refusal_message: Option<String>,
    /// The bank's reference of the transfer.
    pub reference: Option<String>,
}

/// A page of refunds.
///
/// # Errors
/// [`ReadError`].
pub async fn owed_refunds(
    pool: &PgPool,
    list: RefundList,
    page: Page,
) -> Result<ListPage<OwedRefund>, ReadError> {
    let (claimed, unclaimed) = list.conditions();
    // What a claim gives back with payments of differences is listed as refunds of their own.
    let found = format!(
        "FROM (SELECT c.claim AS key, c.claim, c.order_id, c.kind, c.purchase_nos, c.approved, c.money AS amount, c.requested_at, \
                   coalesce(c.owed_since, c.requested_at) AS since, coalesce(f.id, c.transfer) AS refund, f.payment, \
                   coalesce(f.settled_at, c.transferred_at) AS settled_at, f.refusal_code, f.refusal_message, \
                   coalesce(f.reference, c.reference) AS reference \
               FROM (SELECT claim, order_id, kind, purchase_nos, approved, requested_at, owed_since, closed, refund, transfer, \
                         transferred_at, reference, \
                         money - (SELECT coalesce(sum((o->>'amount')::bigint), 0) FROM jsonb_array_elements(others) o)::bigint AS money \
                     FROM refunds_claims) c \
               LEFT JOIN refunds f ON f.id = c.refund WHERE {claimed} \
               UNION ALL \
               SELECT f.id, c.claim, c.order_id, c.kind, c.purchase_nos, true, f.amount, c.requested_at, \
                   coalesce(c.owed_since, c.requested_at), f.id, f.payment, f.settled_at, f.refusal_code, f.refusal_message, f.reference \
               FROM refunds_claims c CROSS JOIN jsonb_array_elements(c.others) o JOIN refunds f ON f.id = (o->>'_refund')::uuid \
               WHERE c.others <> '[]' AND {unclaimed} \
               UNION ALL \
               SELECT f.id, NULL, NULL, NULL, '{{}}', true, f.amount, f.requested_at, f.requested_at, f.id, f.payment, f.settled_at, \
                   f.refusal_code, f.refusal_message, f.reference \
               FROM refunds f \
               WHERE {unclaimed} AND NOT EXISTS (SELECT FROM refunds_claims c WHERE c.refund = f.id) \
                 AND NOT EXISTS (SELECT FROM refunds_claims c WHERE c.others <> '[]' \
                     AND c.others @> jsonb_build_array(jsonb_build_object('_refund', f.id)))) r"
    );
    let total_count = sqlx::query_scalar(&format!("SELECT count(*) {found}"))
        .fetch_one(pool)
        .await?;
    let order = list.order();
    let rows = sqlx::query_scalar(&format!(
        "SELECT to_jsonb(r) || jsonb_build_object('order', coalesce(r.order_id, p.order_id), 'order_no', coalesce(o.order_no, p.order_no)) \
         FROM (SELECT * {found} ORDER BY {order} LIMIT $1 OFFSET $2) r \
         LEFT JOIN orders o ON o.id = r.order_id LEFT JOIN orders_payments p ON p.id = r.payment \
         ORDER BY {order}"
    ))
    .bind(page.limit)
    .bind(page.skip)
    .fetch_all(pool)
    .await?;
    Ok(ListPage {
        total_count,
        rows: typed(rows)?,
    })
}

/// Since when the money of these claims is owed; claims that owe none are left out.
///
/// # Errors
/// [`ReadError`].
pub async fn owed_since(
    pool: &PgPool,
    claims: &[ClaimId],
) -> Result<BTreeMap<ClaimId, OffsetDateTime>, ReadError> {
    let claims: Vec<Uuid> = claims.iter().map(|claim| claim.0).collect();
    let rows: Vec<(Uuid, OffsetDateTime)> = sqlx::query_as(
        "SELECT claim, owed_since FROM refunds_claims WHERE claim = ANY($1) AND owed_since IS NOT NULL",
    )
    .bind(claims)
    .fetch_all(pool)
    .await?;
    let rows = rows.into_iter();
    Ok(rows.map(|(claim, since)| (ClaimId(claim), since)).collect())
}

/// The public holidays.
///
/// # Errors
/// [`ReadError`].
pub async fn holidays(pool: &PgPool) -> Result<BTreeSet<Date>, ReadError> {
    let records = records::all::<Holiday>(pool).await?;
    Ok(records.into_iter().map(|record| record.data.date).collect())
}
