//! Sales as people ask for them: by day, month, weekday and product. A sale counts on the Seoul day it was paid; what was canceled
//! or returned since is told beside it.

use domain::Amount;
use domain::ids::{MemberId, ProductId};
use domain::order::{ClaimStatus, OrderStatus, PurchaseStatus};
use serde::{Deserialize, Serialize};
use sqlx::{PgPool, QueryBuilder};
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::error::ReadError;
use crate::page::typed;

/// Which sales.
#[derive(Clone, Copy, Debug)]
pub struct SalesFilter {
    /// Paid at or after.
    pub from: OffsetDateTime,
    /// Paid before.
    pub to: OffsetDateTime,
    /// Only this seller's.
    pub seller: Option<MemberId>,
}

/// What sales are summed by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SalesBy {
    /// `2026-11-21`.
    Day,
    /// `2026-11`.
    Month,
    /// `1` (Monday) to `7`.
    Weekday,
    /// The product's id; the best first.
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

/// How much was sold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Sales {
    /// Orders with a sale among them.
    pub orders: i64,
    /// Pieces.
    pub quantity: i64,
    /// What was paid for goods, fares apart, hundredths.
    pub sales: Amount,
    /// Of that, what was canceled or returned since, hundredths.
    pub canceled: Amount,
}

/// Sales of one day, month, weekday or product.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct KeyedSales {
    /// The day, month, weekday or product.
    pub key: String,
    /// The product's name, where it is one.
    pub name: String,
    /// How much.
    #[serde(flatten)]
    pub sales: Sales,
}

/// A product and how much of it was sold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ProductSales {
    /// Which.
    #[serde(rename = "_product")]
    pub product: ProductId,
    /// As it was last sold.
    pub name: String,
    /// How much.
    #[serde(flatten)]
    pub sales: Sales,
}

/// Writes the members of [`Sales`], and of which purchases they are.
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

/// Sales by what is asked for; at most `limit` rows.
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

/// All sales of a period together.
///
/// # Errors
/// [`ReadError`].
pub async fn sales_in_all(pool: &PgPool, filter: &SalesFilter) -> Result<Sales, ReadError> {
    let mut query = QueryBuilder::new("SELECT jsonb_build_object(");
    sums(&mut query, filter);
    let sums: serde_json::Value = query.build_query_scalar().fetch_one(pool).await?;
    Ok(serde_json::from_value(sums)?)
}
