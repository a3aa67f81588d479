//! GET /api/console/users/payments/{id}: one user payment.

use axum::extract::State;
use domain::ids::UserPaymentId;
use projections::user_payments::{self, orders_of_awaiting, user_payment};
use projections::{members, orders};

use super::{UserPaymentAnswer, named};
use crate::app::AppState;
use crate::console::purchases::reader;
use crate::http::{ApiResponse, ApiResult, AppError, ConsistencyToken, Path, StaffOrSeller};

/// One user payment; a seller sees those for their own goods.
#[utoipa::path(
    get, path = "/api/console/users/payments/{id}", tag = "console", operation_id = "showUserPayment",
    params(("id" = UserPaymentId, Path)), security(("access" = [])),
    responses((status = OK, body = UserPaymentAnswer), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    who: StaffOrSeller,
    Path(id): Path<UserPaymentId>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<UserPaymentAnswer>> {
    let read = [user_payments::NAME, orders::NAME, members::NAME];
    let fresh = wait.until(&app, &read).await?;
    let found = user_payment(app.pool(), id).await?;
    let found = found.ok_or_else(AppError::not_found)?;
    who.rows.reaches(found.seller)?;
    let found = vec![found];
    let orders = orders_of_awaiting(app.pool(), &found).await?;
    let shown = named(&app, (found, &orders), reader(who.rows)).await?.pop();
    let payment = shown.ok_or_else(AppError::not_found)?;
    Ok(fresh.answer(UserPaymentAnswer { payment }))
}
