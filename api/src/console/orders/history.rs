//! GET /api/console/shop/orders/{id}/history: the events of an order and those it caused, in log order.

use axum::extract::State;
use projections::order_timeline;

use super::within;
use crate::app::AppState;
use crate::console::history::{self, HistoryAnswer, HistoryEvent};
use crate::http::{ApiResponse, ApiResult, AppResult, ConsistencyToken, Path, RowScope, Staff};

/// The history of an order: its own events, payments, stock, coupons and points. Personal data is masked.
#[utoipa::path(
    get, path = "/api/console/shop/orders/{id}/history", tag = "console", operation_id = "historyOfOrder",
    params(("id" = String, Path)), security(("access" = [])), responses((status = OK, body = HistoryAnswer))
)]
pub(crate) async fn history(
    State(app): State<AppState>,
    _who: Staff,
    Path(id): Path<String>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<HistoryAnswer>> {
    let fresh = wait.until(&app, &[order_timeline::NAME]).await?;
    let found = within(&app, RowScope::All, &id).await?;
    let told = order_timeline::history(app.pool(), found.id).await?;
    let events = told
        .into_iter()
        .map(HistoryEvent::of_order)
        .collect::<AppResult<_>>()?;
    Ok(fresh.answer(history::answer(&app, events).await?))
}
