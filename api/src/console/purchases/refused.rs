//! POST and DELETE of purchases: always rejected, because purchases come from orders and the log keeps everything.

use crate::http::{ApiResult, AppError, Code, Json, StaffOrSeller};

/// Always rejected.
#[utoipa::path(
    post, path = "/api/console/shop/purchases", tag = "console", operation_id = "createConsolePurchase",
    security(("access" = [])), responses((status = METHOD_NOT_ALLOWED, description = "ledger_immutable"))
)]
pub(crate) async fn create(_who: StaffOrSeller) -> ApiResult<Json<()>> {
    Err(AppError::new(Code::LedgerImmutable).into())
}

/// Always rejected.
#[utoipa::path(
    delete, path = "/api/console/shop/purchases/{purchaseNo}", tag = "console", operation_id = "removeConsolePurchase",
    params(("purchaseNo" = String, Path)), security(("access" = [])),
    responses((status = METHOD_NOT_ALLOWED, description = "ledger_immutable"))
)]
pub(crate) async fn remove(_who: StaffOrSeller) -> ApiResult<Json<()>> {
    Err(AppError::new(Code::LedgerImmutable).into())
}
