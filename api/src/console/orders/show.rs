//! GET /api/console/shop/orders/{id}: one order in full; a seller sees only their part.

use axum::extract::State;

use super::within;
use crate::app::AppState;
use crate::console::purchases::reader;
use crate::http::{ApiResponse, ApiResult, ConsistencyToken, Path, StaffOrSeller};
use crate::shop::orders::detail::{OrderAnswer, READS, detail};

/// One order.
#[utoipa::path(
    get, path = "/api/console/shop/orders/{id}", tag = "console", operation_id = "showConsoleOrder",
    params(("id" = String, Path)), security(("access" = [])), responses((status = OK, body = OrderAnswer))
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    who: StaffOrSeller,
    Path(id): Path<String>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<OrderAnswer>> {
    let fresh = wait.until(&app, &READS).await?;
    let found = within(&app, who.rows, &id).await?;
    let order = detail(&app, &found, reader(who.rows)).await?;
    Ok(fresh.answer(OrderAnswer { order }))
}
