//! Queries for orders: lookup, lists and counts.

use domain::Amount;
use domain::ids::{MemberId, OrderId, PaymentId, ProductId};
use domain::order::{
    ClaimStatus, OrderStatus, PurchaseStatus, Reader, RuleVersion, awaits_confirmation,
};
use domain::rounding::RoundingStep;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::PgPool;
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use super::views::{OrderCard, OrderView, PurchaseRow};
use super::{OrderRow, OrderSlice, PaymentCard, PaymentRow, PurchaseColumns, TimesOfClaims};
use crate::error::ReadError;
use crate::page::{List, ListPage, Page, typed};

/// The order with this id or this number.
///
/// # Errors
/// [`ReadError`].
pub async fn order(pool: &PgPool, id_or_no: &str) -> Result<Option<OrderRow>, ReadError> {
    let query = match Uuid::parse_str(id_or_no) {
        Ok(id) => sqlx::query_scalar("SELECT to_jsonb(o) FROM orders o WHERE id = $1").bind(id),
        Err(_) => sqlx::query_scalar("SELECT to_jsonb(o) FROM orders o WHERE order_no = $1")
            .bind(id_or_no.to_uppercase()),
    };
    Ok(typed(query.fetch_all(pool).await?)?.pop())
}

/// The order that holds this purchase.
///
/// # Errors
/// [`ReadError`].
pub async fn order_of_purchase(
    pool: &PgPool,
    purchase_no: &str,
) -> Result<Option<OrderRow>, ReadError> {
    Ok(typed(
        sqlx::query_scalar(
            "SELECT to_jsonb(o) FROM orders_purchases p JOIN orders o ON o.id = p.order_id \
             WHERE p.purchase_no = $1",
        )
        .bind(purchase_no.to_uppercase())
        .fetch_all(pool)
        .await?,
    )?
    .pop())
}

/// Timestamps of the claims of an order.
///
/// # Errors
/// [`ReadError`].
pub async fn times_of_claims(pool: &PgPool, order: OrderId) -> Result<TimesOfClaims, ReadError> {
    let times: Option<serde_json::Value> =
        sqlx::query_scalar("SELECT claim_times FROM orders WHERE id = $1")
            .bind(order.0)
            .fetch_optional(pool)
            .await?;
    let times = times.map(serde_json::from_value).transpose()?;
    Ok(times.unwrap_or_default())
}

/// The payments of an order, first one first, then those of the fees of its exchanges.
///
/// # Errors
/// [`ReadError`].
pub async fn payments_of(pool: &PgPool, order: OrderId) -> Result<Vec<PaymentCard>, ReadError> {
    let rows: Vec<PaymentRow> = typed(
        sqlx::query_scalar(
            "SELECT to_jsonb(p) FROM orders_payments p WHERE order_id = $1 \
             ORDER BY user_payment_no COLLATE \"C\" NULLS FIRST, attempt, id",
        )
        .bind(order.0)
        .fetch_all(pool)
        .await?,
    )?;
    Ok(rows.into_iter().map(PaymentCard::from).collect())
}

/// One payment.
///
/// # Errors
/// [`ReadError`].
pub async fn payment(pool: &PgPool, id: PaymentId) -> Result<Option<PaymentRow>, ReadError> {
    Ok(typed(
        sqlx::query_scalar("SELECT to_jsonb(p) FROM orders_payments p WHERE id = $1")
            .bind(id.0)
            .fetch_all(pool)
            .await?,
    )?
    .pop())
}

/// The payment with this order id at the gateway.
///
/// # Errors
/// [`ReadError`].
pub async fn payment_by_gateway_id(
    pool: &PgPool,
    gateway_order_id: &str,
) -> Result<Option<PaymentRow>, ReadError> {
    Ok(typed(
        sqlx::query_scalar(
            "SELECT to_jsonb(p) FROM orders_payments p WHERE gateway_order_id = $1 ORDER BY id LIMIT 1",
        )
        .bind(gateway_order_id)
        .fetch_all(pool)
        .await?,
    )?
    .pop())
}

/// A member's payments, newest first.
///
/// # Errors
/// [`ReadError`].
pub async fn payments_by(
    pool: &PgPool,
    member: MemberId,
    page: Page,
) -> Result<ListPage<PaymentCard>, ReadError> {
    let rows: ListPage<PaymentRow> = List {
        select: "to_jsonb(p)",
        from: "orders_payments p",
        narrow: "orders_payments p",
        key: "p.id",
        order: "started_at DESC, id",
    }
    .page(pool, page, |query| {
        query.push("member = ").push_bind(member.0);
    })
    .await?;
    Ok(rows.map(PaymentCard::from))
}

/// Counts of the status strip of my page: purchases by status, and purchases in the lists of claims.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StatusCounts {
    /// Unpaid.
    pub nonpayment: i64,
    /// Paid.
    pub payment: i64,
    /// Being prepared.
    pub confirm: i64,
    /// Shipped or delayed.
    pub shipping: i64,
    /// Delivered, not yet confirmed.
    pub delivery: i64,
    /// In the list of cancellations (V104).
    pub cancel: i64,
    /// In the list of exchanges (V104).
    pub exchange: i64,
    /// In the list of returns (V104).
    #[serde(rename = "return")]
    pub returns: i64,
}

/// A member's status strip over the purchases of orders placed since `since`.
///
/// # Errors
/// [`ReadError`].
pub async fn status_counts(
    pool: &PgPool,
    buyer: MemberId,
    since: Option<OffsetDateTime>,
) -> Result<StatusCounts, ReadError> {
    let rows: Vec<(Option<String>, String, String, i64)> = sqlx::query_as(
        "SELECT claim_group, order_status, purchase_status, count(*) FROM orders_purchases \
         WHERE buyer = $1 AND ($2::timestamptz IS NULL OR created_at >= $2) \
         GROUP BY claim_group, order_status, purchase_status",
    )
    .bind(buyer.0)
    .bind(since)
    .fetch_all(pool)
    .await?;
    let mut counts = StatusCounts::default();
    for (claimed, order_status, purchase_status, number) in rows {
        let place = match (claimed.as_deref(), OrderStatus::from_code(&order_status)) {
            (Some("cancel"), _) => &mut counts.cancel,
            (Some("exchange"), _) => &mut counts.exchange,
            (Some(_), _) => &mut counts.returns,
            (None, Some(OrderStatus::Nonpayment)) => &mut counts.nonpayment,
            (None, Some(OrderStatus::Payment)) => &mut counts.payment,
            (None, Some(OrderStatus::Confirm)) => &mut counts.confirm,
            (None, Some(OrderStatus::Shipping | OrderStatus::Delayed)) => &mut counts.shipping,
            (None, Some(OrderStatus::Delivered)) if purchase_status != "PURCHASE_COMPLETE" => {
                &mut counts.delivery
            }
            (None, _) => continue,
        };
        *place += number;
    }
    Ok(counts)
}

/// A member's orders, newest first, with the purchases in the slice.
///
/// # Errors
/// [`ReadError`].
pub async fn my_orders(
    pool: &PgPool,
    buyer: MemberId,
    slice: OrderSlice,
    since: Option<OffsetDateTime>,
    page: Page,
) -> Result<ListPage<OrderCard>, ReadError> {
    let rows: ListPage<OrderRow> = List {
        select: "to_jsonb(o)",
        from: "orders o",
        narrow: "orders o",
        key: "o.id",
        order: "o.created_at DESC, o.id",
    }
    .page(pool, page, |query| {
        query.push("o.buyer = ").push_bind(buyer.0);
        if let Some(since) = since {
            query.push(" AND o.created_at >= ").push_bind(since);
        }
        query.push(format!(
            " AND EXISTS (SELECT FROM orders_purchases p WHERE p.order_id = o.id AND {})",
            slice.condition()
        ));
    })
    .await?;
    rows.try_map(|row| OrderView::from(&row).card(Reader::Buyer, Some(slice)))
}

/// A member's purchases in the slice, newest order first.
///
/// # Errors
/// [`ReadError`].
pub async fn my_purchases(
    pool: &PgPool,
    buyer: MemberId,
    slice: OrderSlice,
    page: Page,
) -> Result<ListPage<PurchaseRow>, ReadError> {
    let found: ListPage<PurchaseColumns> = List {
        select: "to_jsonb(p)",
        from: "orders_purchases p",
        narrow: "orders_purchases p",
        key: "p.purchase_no",
        order: "p.created_at DESC, p.purchase_no",
    }
    .page(pool, page, |query| {
        query.push("p.buyer = ").push_bind(buyer.0);
        query.push(format!(" AND {}", slice.condition()));
    })
    .await?;
    found.try_map(|row| row.shown(Reader::Buyer, false))
}

/// A purchase that is not confirmed yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComingPurchase {
    /// What the buyer pays for it, without fares, hundredths.
    pub paid: Amount,
    /// The membership level at the time of the order ([`domain::policies::purchase_points::level_of`]).
    pub level: Option<RuleVersion>,
    /// Rounding step of its order.
    pub step: RoundingStep,
}

/// The purchases of a member that are still to be confirmed.
///
/// # Errors
/// [`ReadError`].
pub async fn to_be_confirmed(
    pool: &PgPool,
    buyer: MemberId,
) -> Result<Vec<ComingPurchase>, ReadError> {
    type ComingRow = (String, String, i64, Option<Value>, Option<Value>);
    let rows: Vec<ComingRow> = sqlx::query_as(
        "SELECT p.purchase_status, p.claim_status, p.paid, o.state #> '{terms,step}', \
                jsonb_path_query_first(o.state, '$.terms.rules[*] ? (@.kind == \"level\")') \
         FROM orders_purchases p JOIN orders o ON o.id = p.order_id \
         WHERE p.buyer = $1 AND p.purchase_status <> ALL($2)",
    )
    .bind(buyer.0)
    .bind([PurchaseStatus::Complete, PurchaseStatus::Canceled].map(PurchaseStatus::code))
    .fetch_all(pool)
    .await?;
    let is_coming = |(purchase, claim, ..): &ComingRow| {
        let purchase = PurchaseStatus::from_code(purchase);
        purchase
            .zip(ClaimStatus::from_code(claim))
            .is_some_and(|(purchase, claim)| awaits_confirmation(purchase, claim))
    };
    let coming = rows.into_iter().filter(is_coming);
    coming
        .map(|(_, _, paid, step, level)| {
            Ok(ComingPurchase {
                paid: Amount::new(paid),
                level: level.map(serde_json::from_value).transpose()?,
                step: step
                    .map(serde_json::from_value)
                    .transpose()?
                    .unwrap_or_default(),
            })
        })
        .collect()
}

/// Guests' orders with this phone (keyed hash, hex), newest first.
///
/// # Errors
/// [`ReadError`].
pub async fn guest_orders(
    pool: &PgPool,
    contact_hash: &str,
    page: Page,
) -> Result<ListPage<OrderRow>, ReadError> {
    List {
        select: "to_jsonb(o)",
        from: "orders o",
        narrow: "orders o",
        key: "o.id",
        order: "created_at DESC, id",
    }
    .page(pool, page, |query| {
        query
            .push("contact_hash = ")
            .push_bind(contact_hash.to_owned());
    })
    .await
}

/// The best-selling products since a moment that shoppers see, by units paid for and not canceled: (product, units). `categories`: only
/// products with one of these codes.
///
/// # Errors
/// [`ReadError`].
pub async fn bests(
    pool: &PgPool,
    since: OffsetDateTime,
    categories: Option<&[String]>,
    most: i64,
) -> Result<Vec<(ProductId, i64)>, ReadError> {
    let rows: Vec<(Uuid, i64)> = sqlx::query_as(
        "SELECT s.product, sum(s.quantity)::bigint AS pieces FROM orders_purchases s \
         JOIN products p ON p.id = s.product AND p.shows AND NOT p.removed AND ($2::text[] IS NULL OR p.categories && $2) \
         WHERE s.paid_at >= $1 AND s.purchase_status <> $4 AND s.claim_status <> $5 \
         GROUP BY s.product ORDER BY pieces DESC, s.product LIMIT $3",
    )
    .bind(since)
    .bind(categories.map(<[String]>::to_vec))
    .bind(most)
    .bind(PurchaseStatus::Canceled.code())
    .bind(ClaimStatus::CancelCompleted.code())
    .fetch_all(pool)
    .await?;
    Ok(rows
        .into_iter()
        .map(|(product, pieces)| (ProductId(product), pieces))
        .collect())
}
