//! GET /api/v1/me/purchases: the lines of the member's orders, newest order first.

use axum::extract::State;
use projections::orders::{self, PurchaseRow};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, ConsistencyToken, CurrentMember, Page, Query, Summary};
use crate::me::orders::OrderFilterQuery;
use crate::shop::orders::detail::open_purchases;

/// A page of the member's purchases.
#[derive(Serialize, ToSchema)]
pub struct MyPurchases {
    /// Number of purchases.
    summary: Summary,
    /// The purchases of the page.
    purchases: Vec<PurchaseRow>,
}

/// The member's purchases.
#[utoipa::path(
    get, path = "/api/v1/me/purchases", tag = "me", operation_id = "listMyPurchases", security(("access" = [])), params(OrderFilterQuery, Page),
    responses((status = OK, body = MyPurchases))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    who: CurrentMember,
    Query(filter): Query<OrderFilterQuery>,
    page: Page,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<MyPurchases>> {
    let slice = filter.slice()?;
    let fresh = wait.until(&app, &[orders::NAME]).await?;
    let listed = orders::my_purchases(app.pool(), who.member(), slice, page.into()).await?;
    let summary = Summary::of(&listed);
    let mut purchases = listed.rows;
    open_purchases(&app, &mut purchases).await?;
    Ok(fresh.answer(MyPurchases { summary, purchases }))
}
