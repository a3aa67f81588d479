//! GET /api/console/shop/deliveries/{id}: one parcel.

use axum::extract::State;
use projections::orders;

use super::{DeliveryAnswer, answer, own};
use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, ConsistencyToken, Path, StaffOrSeller};

/// One parcel.
#[utoipa::path(
    get, path = "/api/console/shop/deliveries/{id}", tag = "console", operation_id = "showConsoleDelivery",
    params(("id" = String, Path)), security(("access" = [])), responses((status = OK, body = DeliveryAnswer))
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    who: StaffOrSeller,
    Path(id): Path<String>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<DeliveryAnswer>> {
    let fresh = wait.until(&app, &[orders::NAME]).await?;
    let found = own(&app, who.rows, &id).await?;
    Ok(fresh.answer(answer(&app, found).await?))
}
