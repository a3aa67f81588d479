//! Sales by day, month, weekday and product. A sale counts on the Seoul day it was paid; later cancellations and returns are reported
//! separately.

use domain::Amount;
use domain::ids::{MemberId, ProductId};
use domain::order::{ClaimStatus, OrderStatus, PurchaseStatus};
use serde::{Deserialize, Serialize};
use sqlx::{PgPool, QueryBuilder};
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::error::ReadError;
use crate::page::typed;

/// Filter of sales.
#[derive(Clone, Copy, Debug)]
pub struct SalesFilter {
    /// Paid at or after.
    pub from: OffsetDateTime,
    /// Paid before.
    pub to: OffsetDateTime,
    /// Only this seller's.
    pub seller: Option<MemberId>,
}

/// Grouping of sales.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SalesBy {
    /// `2026-11-21`.
    Day,
    /// `2026-11`.
    Month,
    /// `1` (Monday) to `7`.
    Weekday,
    /// The product's id; best sellers first.
    Product,
}

impl SalesBy {
    const fn key(self) -> &'static str {
        match self {
            Self::Day => "to_char(p.paid_at AT TIME ZONE INTERVAL '+09:00', 'YYYY-MM-DD')",
            Self::Month => "to_char(p.paid_at AT TIME ZONE INTERVAL '+09:00', 'YYYY-MM')",
            Self::Weekday => "to_char(p.paid_at AT TIME ZONE INTERVAL '+09:00', 'ID')",
            Self::Product => "p.product::text",
        }
    }

    const fn order(self) -> &'static str {
        match self {
            Self::Day | Self::Month | Self::Weekday => "",
            Self::Product => "sum(p.paid) DESC, ",
        }
    }
}

/// Totals of sales.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Sales {
    /// Number of orders with a sale.
    pub orders: i64,
    /// Pieces.
    pub quantity: i64,
    /// What was paid for goods, without fares, hundredths.
    pub sales: Amount,
    /// The part of it that was canceled or returned since, hundredths.
    pub canceled: Amount,
}

/// Sales of one day, month, weekday or product.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct KeyedSales {
    /// The day, month, weekday or product.
    pub key: String,
    /// The product's name, if grouped by product.
    pub name: String,
    /// Totals.
    #[serde(flatten)]
    pub sales: Sales,
}

/// Sales of a product.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ProductSales {
    /// The product.
    #[serde(rename = "_product")]
    pub product: ProductId,
    /// Its name at its latest sale.
    pub name: String,
    /// Totals.
    #[serde(flatten)]
    pub sales: Sales,
}

/// Writes the columns of [`Sales`] and the condition on purchases.
fn sums(query: &mut QueryBuilder<'_, sqlx::Postgres>, filter: &SalesFilter) {
    query
        .push(
            "'orders', count(DISTINCT p.order_id), \
             'quantity', coalesce(sum(p.quantity), 0)::bigint, \
             'sales', coalesce(sum(p.paid), 0)::bigint, \
             'canceled', coalesce(sum(p.paid) FILTER (WHERE p.order_status = ",
        )
        .push_bind(OrderStatus::Canceled.code())
        .push(" OR p.purchase_status = ")
        .push_bind(PurchaseStatus::Canceled.code())
        .push(" OR p.claim_status = ANY(")
        .push_bind(
            [ClaimStatus::CancelCompleted, ClaimStatus::ReturnCompleted].map(ClaimStatus::code),
        )
        .push(")), 0)::bigint)");
    query
        .push(" FROM orders_purchases p WHERE p.paid_at >= ")
        .push_bind(filter.from)
        .push(" AND p.paid_at < ")
        .push_bind(filter.to);
    if let Some(seller) = filter.seller {
        query.push(" AND p.seller = ").push_bind(seller.0);
    }
}

/// Sales grouped as requested; at most `limit` rows.
///
/// # Errors
/// [`ReadError`].
pub async fn sales_by(
    pool: &PgPool,
    by: SalesBy,
    filter: &SalesFilter,
    limit: i64,
) -> Result<Vec<KeyedSales>, ReadError> {
    let key = by.key();
    let mut query = QueryBuilder::new(format!(
        "SELECT jsonb_build_object('key', {key}, 'name', max(p.name), "
    ));
    sums(&mut query, filter);
    query
        .push(format!(
            " GROUP BY {key} ORDER BY {}{key} LIMIT ",
            by.order()
        ))
        .push_bind(limit);
    typed(query.build_query_scalar().fetch_all(pool).await?)
}

/// Total sales of a period.
///
/// # Errors
/// [`ReadError`].
pub async fn sales_in_all(pool: &PgPool, filter: &SalesFilter) -> Result<Sales, ReadError> {
    let mut query = QueryBuilder::new("SELECT jsonb_build_object(");
    sums(&mut query, filter);
    let sums: serde_json::Value = query.build_query_scalar().fetch_one(pool).await?;
    Ok(serde_json::from_value(sums)?)
}
