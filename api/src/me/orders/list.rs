//! GET /api/v1/me/orders: the member's orders, with counts by status.

use axum::extract::State;
use domain::ids::MemberId;
use projections::orders::{self, OrderCard, StatusCounts};
use serde::{Deserialize, Serialize};
use time::{Duration, OffsetDateTime};
use utoipa::{IntoParams, ToSchema};

use super::OrderFilterQuery;
use crate::app::AppState;
use crate::http::{
    ApiResponse, ApiResult, AppResult, ConsistencyToken, CurrentMember, Page, Query,
};
use crate::shop::orders::detail::open_purchases;

/// Length of a month in "the last n months".
const MONTH: Duration = Duration::days(31);
/// Maximum number of months.
const MONTHS_MOST: u16 = 120;

/// Period of the order list.
#[derive(Deserialize, IntoParams)]
pub struct MyOrderListQuery {
    /// Only orders of the last `months` months.
    months: Option<u16>,
}

/// A page of the member's orders.
#[derive(Serialize, ToSchema)]
pub struct MyOrders {
    /// Counts.
    summary: OrdersSummary,
    /// The orders of the page.
    orders: Vec<OrderCard>,
}

/// Counts of the orders and purchases.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrdersSummary {
    /// Number of orders in the list.
    total_count: i64,
    /// Purchases by status.
    counts: OrderCounts,
}

/// Purchases by status.
#[derive(Serialize, ToSchema)]
pub struct OrderCounts {
    /// Unpaid.
    nonpayment: i64,
    /// Paid.
    payment: i64,
    /// Being prepared.
    confirm: i64,
    /// In transit.
    shipping: i64,
    /// Delivered, not confirmed.
    delivered: i64,
    /// In the list of cancellations.
    cancel: i64,
    /// In the list of exchanges.
    exchange: i64,
    /// In the list of returns.
    #[serde(rename = "return")]
    returns: i64,
}

impl From<StatusCounts> for OrderCounts {
    fn from(counts: StatusCounts) -> Self {
        let StatusCounts {
            nonpayment,
            payment,
            confirm,
            shipping,
            delivery,
            cancel,
            exchange,
            returns,
        } = counts;
        Self {
            nonpayment,
            payment,
            confirm,
            shipping,
            delivered: delivery,
            cancel,
            exchange,
            returns,
        }
    }
}

/// The member's orders.
#[utoipa::path(
    get, path = "/api/v1/me/orders", tag = "me", operation_id = "listMyOrders", security(("access" = [])), params(OrderFilterQuery, MyOrderListQuery, Page),
    responses((status = OK, body = MyOrders))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    who: CurrentMember,
    Query(filter): Query<OrderFilterQuery>,
    Query(query): Query<MyOrderListQuery>,
    page: Page,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<MyOrders>> {
    let slice = filter.slice()?;
    let fresh = wait.until(&app, &[orders::NAME]).await?;
    let since = query.months.map(|months| since(app.clock.now(), months));
    let mut listed = orders::my_orders(app.pool(), who.member(), slice, since, page.into()).await?;
    open_purchases(
        &app,
        listed.rows.iter_mut().flat_map(|card| &mut card.purchases),
    )
    .await?;
    let counts = counts(&app, who.member(), since).await?;
    Ok(fresh.answer(MyOrders {
        summary: OrdersSummary {
            total_count: listed.total_count,
            counts,
        },
        orders: listed.rows,
    }))
}

async fn counts(
    app: &AppState,
    member: MemberId,
    since: Option<OffsetDateTime>,
) -> AppResult<OrderCounts> {
    Ok(orders::status_counts(app.pool(), member, since)
        .await?
        .into())
}

fn since(now: OffsetDateTime, months: u16) -> OffsetDateTime {
    now - MONTH * i32::from(months.min(MONTHS_MOST))
}
