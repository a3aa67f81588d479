//! GET /api/console/shop/orders: orders, with search and period; a seller sees those with their own goods.

use axum::extract::State;
use projections::orders::{self, ConsoleFilter, OrderCard, console_orders};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app::AppState;
use crate::console::period::Period;
use crate::console::purchases::{reader, searching};
use crate::http::query::oldest_first;
use crate::http::{ApiResponse, ApiResult, ConsistencyToken, Page, Query, StaffOrSeller, Summary};
use crate::shop::orders::detail::open_purchases;

/// Filters of the order list.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct OrderListQuery {
    /// A number, a product's name, or the exact name or phone number of a buyer or receiver.
    search_value: Option<String>,
    /// `-createdAt` (default) or `createdAt`.
    sort: Option<String>,
}

/// A page of orders.
#[derive(Serialize, ToSchema)]
pub struct OrdersAnswer {
    summary: Summary,
    /// The page.
    orders: Vec<ConsoleOrder>,
}

/// One order in the console's list.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConsoleOrder {
    /// The order's card, as in lists.
    #[serde(flatten)]
    card: OrderCard,
    /// Name of the sender; null once erased.
    buyer_name: Option<String>,
    /// Name of the receiver; null once erased.
    receiver_name: Option<String>,
}

/// Orders.
#[utoipa::path(
    get, path = "/api/console/shop/orders", tag = "console", operation_id = "listConsoleOrders",
    params(OrderListQuery, Period, Page), security(("access" = [])), responses((status = OK, body = OrdersAnswer))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    who: StaffOrSeller,
    Query(query): Query<OrderListQuery>,
    Query(period): Query<Period>,
    page: Page,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<OrdersAnswer>> {
    let fresh = wait.until(&app, &[orders::NAME]).await?;
    let filter = ConsoleFilter {
        from: period.from()?,
        to: period.to()?,
        seller: who.rows.seller(),
        oldest_first: oldest_first(query.sort.as_deref(), "createdAt")?,
        ..searching(&app, query.search_value.as_deref()).await?
    };
    let found = console_orders(app.pool(), &filter, reader(who.rows), page.into()).await?;
    let summary = Summary::of(&found);
    let mut orders = Vec::with_capacity(found.rows.len());
    for one in found.rows {
        let terms = one.row.state.terms()?;
        orders.push(ConsoleOrder {
            buyer_name: app.open(&terms.sender).await?.map(|party| party.name),
            receiver_name: app
                .open(one.row.state.receiver()?)
                .await?
                .map(|party| party.name),
            card: one.card,
        });
    }
    open_purchases(
        &app,
        orders
            .iter_mut()
            .flat_map(|order| &mut order.card.purchases),
    )
    .await?;
    Ok(fresh.answer(OrdersAnswer { summary, orders }))
}
