//! POST and DELETE of orders: always rejected, because orders are placed in the shop and never deleted.

use crate::http::{ApiResult, AppError, AppResult, Code, Json, StaffOrSeller};

fn immutable(_who: StaffOrSeller) -> AppResult<Json<()>> {
    Err(AppError::new(Code::LedgerImmutable))
}

/// Always rejected.
#[utoipa::path(
    post, path = "/api/console/shop/orders", tag = "console", operation_id = "createConsoleOrder",
    security(("access" = [])), responses((status = METHOD_NOT_ALLOWED, description = "ledger_immutable"))
)]
pub(crate) async fn create(who: StaffOrSeller) -> ApiResult<Json<()>> {
    Ok(immutable(who)?)
}

/// Always rejected.
#[utoipa::path(
    delete, path = "/api/console/shop/orders/{id}", tag = "console", operation_id = "removeConsoleOrder",
    params(("id" = String, Path)), security(("access" = [])),
    responses((status = METHOD_NOT_ALLOWED, description = "ledger_immutable"))
)]
pub(crate) async fn remove(who: StaffOrSeller) -> ApiResult<Json<()>> {
    Ok(immutable(who)?)
}
