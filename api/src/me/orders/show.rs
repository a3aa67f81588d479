//! GET /api/v1/me/orders/{id}: one order of the member, by id or number.

use axum::extract::State;
use domain::order::Reader;

use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, ConsistencyToken, OrderViewer, Path};
use crate::shop::orders::detail::{OrderAnswer, READS, detail};
use application::orders::find::FoundOrder;

/// One order.
#[utoipa::path(
    get, path = "/api/v1/me/orders/{id}", tag = "me", operation_id = "showMyOrder", security(("access" = [])), params(("id" = String, Path)),
    responses((status = OK, body = OrderAnswer), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    who: OrderViewer,
    Path(id): Path<String>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<OrderAnswer>> {
    let fresh = wait.until(&app, &READS).await?;
    let found = FoundOrder::own(&app, &id, &who).await?;
    Ok(fresh.answer(OrderAnswer {
        order: detail(&app, &found, Reader::Buyer).await?,
    }))
}
