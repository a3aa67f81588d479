//! POST and DELETE of invoices: always rejected, because a purchase is shipped by PUT and the log keeps everything.

use crate::http::{ApiResult, AppError, Code, Json, StaffOrSeller};

/// Always rejected.
#[utoipa::path(
    post, path = "/api/console/shop/invoices", tag = "console", operation_id = "createConsoleInvoice",
    security(("access" = [])), responses((status = METHOD_NOT_ALLOWED, description = "ledger_immutable"))
)]
pub(crate) async fn create(_who: StaffOrSeller) -> ApiResult<Json<()>> {
    Err(AppError::new(Code::LedgerImmutable).into())
}

/// Always rejected.
#[utoipa::path(
    delete, path = "/api/console/shop/invoices/{purchaseNo}", tag = "console", operation_id = "removeConsoleInvoice",
    params(("purchaseNo" = String, Path)), security(("access" = [])),
    responses((status = METHOD_NOT_ALLOWED, description = "ledger_immutable"))
)]
pub(crate) async fn remove(_who: StaffOrSeller) -> ApiResult<Json<()>> {
    Err(AppError::new(Code::LedgerImmutable).into())
}
