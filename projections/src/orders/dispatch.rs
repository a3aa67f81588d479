//! The dispatch list of the console: paid purchases by what has to be done to send them, and what a shipment from a file refers to.

use domain::Amount;
use domain::ids::{MemberId, OrderId};
use domain::order::OrderStatus;
use domain::shipping::ShippingMethod;
use serde::{Deserialize, Serialize};
use sqlx::{FromRow, PgPool, Postgres, QueryBuilder};
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::ConsoleFilter;
use crate::error::ReadError;

/// The state of a paid purchase on its way to the buyer. Purchases with an open claim are in none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DispatchState {
    /// Paid, not yet being prepared, and in time.
    New,
    /// Being prepared, and in time.
    Preparing,
    /// Not sent although it should have been, or reported as late.
    Late,
    /// On its way.
    Shipping,
    /// Delivered, not yet confirmed.
    Arrived,
}

impl DispatchState {
    /// All of them, in their order.
    pub const EACH: [Self; 5] = [
        Self::New,
        Self::Preparing,
        Self::Late,
        Self::Shipping,
        Self::Arrived,
    ];

    const fn word(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Preparing => "preparing",
            Self::Late => "late",
            Self::Shipping => "shipping",
            Self::Arrived => "arrived",
        }
    }
}

/// A dispatch state at some time.
#[derive(Clone, Copy, Debug)]
pub struct DispatchFilter {
    /// The state.
    pub state: DispatchState,
    /// Unsent purchases that were paid before are late.
    pub late_before: OffsetDateTime,
}

const TABS: &str = "p.tab IN ('payment', 'delivery')";

fn push_state(query: &mut QueryBuilder<'_, Postgres>, late_before: OffsetDateTime) {
    query
        .push("CASE WHEN p.order_status = ")
        .push_bind(OrderStatus::Delivered.code())
        .push(" THEN 'arrived' WHEN p.courier IS NOT NULL THEN 'shipping' WHEN p.order_status = ")
        .push_bind(OrderStatus::Delayed.code())
        .push(" OR p.paid_at < ")
        .push_bind(late_before)
        .push(" THEN 'late' WHEN p.tab = 'payment' THEN 'new' ELSE 'preparing' END");
}

impl DispatchFilter {
    pub(super) fn push(self, query: &mut QueryBuilder<'_, Postgres>) {
        query.push(format!(" AND {TABS} AND "));
        push_state(query, self.late_before);
        query.push(format!(" = '{}'", self.state.word()));
    }
}

/// Narrows to purchases sent by one method.
pub(super) fn push_method(query: &mut QueryBuilder<'_, Postgres>, method: ShippingMethod) {
    query
        .push(
            " AND EXISTS (SELECT FROM orders o WHERE o.id = p.order_id AND jsonb_path_exists(o.state, \
             '$.terms.fares[*] ? (@.method == $method && @.purchaseNos[*] == $no)', jsonb_build_object('no', p.purchase_no, 'method', ",
        )
        .push_bind(method.code())
        .push("::text)))");
}

/// Purchases of a dispatch state, counted and added up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DispatchSum {
    /// The state.
    pub state: DispatchState,
    /// Purchases.
    pub purchases: i64,
    /// Pieces.
    pub quantity: i64,
    /// What the buyers pay for them, fares apart, hundredths.
    pub paid: Amount,
    /// Purchases of these that are not sent and due on this day.
    pub due_today: i64,
}

/// The states with their sums, in their order; the filter's own tab and state are ignored. What was paid from `late_before` until
/// `due_before` is due today.
///
/// # Errors
/// [`ReadError`].
pub async fn dispatch_sums(
    pool: &PgPool,
    filter: &ConsoleFilter,
    (late_before, due_before): (OffsetDateTime, OffsetDateTime),
) -> Result<Vec<DispatchSum>, ReadError> {
    let filter = ConsoleFilter {
        dispatch: None,
        ..filter.clone()
    };
    let mut query = QueryBuilder::new("SELECT ");
    push_state(&mut query, late_before);
    query
        .push(
            " AS state, count(*), sum(p.quantity)::bigint, sum(p.paid)::bigint, \
             count(*) FILTER (WHERE p.courier IS NULL AND p.order_status <> ",
        )
        .push_bind(OrderStatus::Delivered.code())
        .push(" AND p.paid_at >= ")
        .push_bind(late_before)
        .push(" AND p.paid_at < ")
        .push_bind(due_before)
        .push(") FROM orders_purchases p WHERE ");
    filter.push(&mut query, false);
    query.push(format!(" AND {TABS} GROUP BY 1"));
    let rows: Vec<(String, i64, i64, i64, i64)> = query.build_query_as().fetch_all(pool).await?;
    Ok(DispatchState::EACH
        .into_iter()
        .map(|state| {
            let found = rows.iter().find(|row| row.0 == state.word());
            let (purchases, quantity, paid, due_today) =
                found.map_or((0, 0, 0, 0), |row| (row.1, row.2, row.3, row.4));
            DispatchSum {
                state,
                purchases,
                quantity,
                paid: Amount::new(paid),
                due_today,
            }
        })
        .collect())
}

/// A purchase that a row of a file may mean.
#[derive(Clone, Debug, FromRow)]
pub struct NamedPurchase {
    /// Its number.
    pub purchase_no: String,
    /// The number of its order.
    pub order_no: String,
    /// Its order.
    #[sqlx(try_from = "uuid::Uuid")]
    pub order_id: OrderId,
    /// Product name.
    pub name: String,
    /// Status of the order, as stored.
    order_status: String,
    /// The console tab.
    tab: String,
    /// Courier code, once sent.
    pub courier: Option<String>,
    /// Tracking number, once sent.
    pub invoice_no: Option<String>,
}

impl NamedPurchase {
    /// Whether it was sent.
    pub fn is_sent(&self) -> bool {
        self.courier.is_some()
    }

    /// Whether it is prepared and not sent, without an open claim.
    pub fn is_ready(&self) -> bool {
        let status = OrderStatus::from_code(&self.order_status);
        let is_open = matches!(status, Some(OrderStatus::Confirm | OrderStatus::Delayed));
        !self.is_sent() && is_open && self.tab == "delivery"
    }

    /// Whether it is paid but not prepared.
    pub fn is_new(&self) -> bool {
        self.tab == "payment"
    }
}

/// The purchases with these numbers, or of the orders with these numbers; of one seller, if given. By number.
///
/// # Errors
/// [`ReadError`].
pub async fn named_purchases(
    pool: &PgPool,
    numbers: &[String],
    seller: Option<MemberId>,
) -> Result<Vec<NamedPurchase>, ReadError> {
    let orders = "order_id = ANY(ARRAY(SELECT o.id FROM orders o WHERE o.order_no = ANY($1)))";
    Ok(sqlx::query_as(&format!(
        "SELECT purchase_no, order_no, order_id, name, order_status, tab, courier, invoice_no FROM orders_purchases \
         WHERE (purchase_no = ANY($1) OR {orders}) AND ($2::uuid IS NULL OR seller = $2) ORDER BY order_no, line",
    ))
    .bind(numbers)
    .bind(seller.map(|seller| seller.0))
    .fetch_all(pool)
    .await?)
}

/// The courier, number and order of parcels with these tracking numbers.
///
/// # Errors
/// [`ReadError`].
pub async fn parcels_numbered(
    pool: &PgPool,
    invoice_nos: &[String],
) -> Result<Vec<(String, String, String)>, ReadError> {
    Ok(sqlx::query_as(
        "SELECT DISTINCT courier, invoice_no, order_no FROM orders_parcels WHERE invoice_no = ANY($1) AND courier IS NOT NULL",
    )
    .bind(invoice_nos)
    .fetch_all(pool)
    .await?)
}

/// The orders placed just before and after one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct OrderNeighbours {
    /// The one before.
    pub previous: Option<OrderId>,
    /// The one after.
    pub next: Option<OrderId>,
}

/// The neighbours of an order by the time they were placed; of a seller, among the orders with their goods.
///
/// # Errors
/// [`ReadError`].
pub async fn order_neighbours(
    pool: &PgPool,
    order: OrderId,
    seller: Option<MemberId>,
) -> Result<OrderNeighbours, ReadError> {
    let own = "($2::uuid IS NULL OR EXISTS (SELECT FROM orders_purchases p WHERE p.order_id = o.id AND p.seller = $2))";
    let neighbour = |sign: &str, direction: &str| {
        format!(
            "SELECT o.id FROM orders o WHERE (o.created_at, o.id) {sign} (SELECT t.created_at, t.id FROM orders t WHERE t.id = $1) \
             AND {own} ORDER BY o.created_at {direction}, o.id {direction} LIMIT 1"
        )
    };
    let found = async |sql: String| -> Result<Option<OrderId>, ReadError> {
        let id: Option<uuid::Uuid> = sqlx::query_scalar(&sql)
            .bind(order.0)
            .bind(seller.map(|seller| seller.0))
            .fetch_optional(pool)
            .await?;
        Ok(id.map(OrderId))
    };
    Ok(OrderNeighbours {
        previous: found(neighbour("<", "DESC")).await?,
        next: found(neighbour(">", "ASC")).await?,
    })
}
