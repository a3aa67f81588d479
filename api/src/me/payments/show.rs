//! GET /api/v1/me/payments/{id}: one payment of the member.

use axum::extract::State;
use domain::ids::PaymentId;
use projections::orders::{self, PaymentCard};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, AppError, ConsistencyToken, OrderViewer, Path};

/// One payment.
#[derive(Serialize, ToSchema)]
pub struct MyPayment {
    /// The payment.
    payment: PaymentCard,
}

/// One payment.
#[utoipa::path(
    get, path = "/api/v1/me/payments/{id}", tag = "me", operation_id = "showMyPayment", security(("access" = [])),
    params(("id" = PaymentId, Path)), responses((status = OK, body = MyPayment), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    who: OrderViewer,
    Path(id): Path<PaymentId>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<MyPayment>> {
    let fresh = wait.until(&app, &[orders::NAME]).await?;
    let row = orders::payment(app.pool(), id)
        .await?
        .ok_or_else(AppError::not_found)?;
    who.reaches(row.order_id, row.member)?;
    Ok(fresh.answer(MyPayment {
        payment: row.into(),
    }))
}
