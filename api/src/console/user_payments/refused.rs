//! POST, PUT and DELETE of user payments: always rejected, because an inspection requests them and their money completes them.

use domain::ids::UserPaymentId;

use crate::http::{ApiResult, AppError, Code, Json, StaffOrSeller};

/// Always rejected.
#[utoipa::path(
    post, path = "/api/console/users/payments", tag = "console", operation_id = "createUserPayment",
    security(("access" = [])), responses((status = METHOD_NOT_ALLOWED, description = "ledger_immutable"))
)]
pub(crate) async fn create(_who: StaffOrSeller) -> ApiResult<Json<()>> {
    Err(AppError::new(Code::LedgerImmutable).into())
}

/// Always rejected.
#[utoipa::path(
    put, path = "/api/console/users/payments/{id}", tag = "console", operation_id = "reviseUserPayment",
    params(("id" = UserPaymentId, Path)), security(("access" = [])),
    responses((status = METHOD_NOT_ALLOWED, description = "ledger_immutable"))
)]
pub(crate) async fn revise(_who: StaffOrSeller) -> ApiResult<Json<()>> {
    Err(AppError::new(Code::LedgerImmutable).into())
}

/// Always rejected. It can be canceled.
#[utoipa::path(
    delete, path = "/api/console/users/payments/{id}", tag = "console", operation_id = "removeUserPayment",
    params(("id" = UserPaymentId, Path)), security(("access" = [])),
    responses((status = METHOD_NOT_ALLOWED, description = "ledger_immutable"))
)]
pub(crate) async fn remove(_who: StaffOrSeller) -> ApiResult<Json<()>> {
    Err(AppError::new(Code::LedgerImmutable).into())
}
