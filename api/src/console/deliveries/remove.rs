//! DELETE /api/console/shop/deliveries/{id}: rejected, a parcel that was sent stays in the log (decision 55).

use axum::extract::State;

use super::own_now;
use crate::app::AppState;
use crate::http::{ApiResult, AppError, Code, Json, Path, StaffOrSeller};

/// Always rejected: a parcel that was sent cannot be removed. Its tracking number can be corrected.
#[utoipa::path(
    delete, path = "/api/console/shop/deliveries/{id}", tag = "console", operation_id = "removeConsoleDelivery",
    params(("id" = String, Path)), security(("access" = [])),
    responses((status = METHOD_NOT_ALLOWED, description = "ledger_immutable"))
)]
pub(crate) async fn remove(
    State(app): State<AppState>,
    who: StaffOrSeller,
    Path(id): Path<String>,
) -> ApiResult<Json<()>> {
    own_now(&app, who.rows, &id).await?;
    Err(AppError::new(Code::LedgerImmutable).into())
}
