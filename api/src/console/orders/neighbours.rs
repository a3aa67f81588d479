//! GET /api/console/shop/orders/{id}/neighbours: the orders placed just before and after, for leafing through them.

use axum::extract::State;
use projections::orders::{self, OrderNeighbours, order_neighbours};

use super::within;
use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, ConsistencyToken, Path, StaffOrSeller};

/// The orders placed before and after this one; a seller leafs through those with their goods.
#[utoipa::path(
    get, path = "/api/console/shop/orders/{id}/neighbours", tag = "console", operation_id = "orderNeighbours",
    params(("id" = String, Path)), security(("access" = [])), responses((status = OK, body = OrderNeighbours))
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    who: StaffOrSeller,
    Path(id): Path<String>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<OrderNeighbours>> {
    let fresh = wait.until(&app, &[orders::NAME]).await?;
    let found = within(&app, who.rows, &id).await?;
    let seller = who.rows.seller();
    Ok(fresh.answer(order_neighbours(app.pool(), found.id, seller).await?))
}
