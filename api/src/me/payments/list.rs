//! GET /api/v1/me/payments: the member's payments, including failed attempts, newest first.

use axum::extract::State;
use projections::orders::{self, PaymentCard};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, ConsistencyToken, CurrentMember, Page, Summary};

/// A page of the member's payments.
#[derive(Serialize, ToSchema)]
pub struct MyPayments {
    /// Number of payments.
    summary: Summary,
    /// The payments of the page.
    payments: Vec<PaymentCard>,
}

/// The member's payments.
#[utoipa::path(get, path = "/api/v1/me/payments", tag = "me", operation_id = "listMyPayments", params(Page), security(("access" = [])), responses((status = OK, body = MyPayments)))]
pub(crate) async fn list(
    State(app): State<AppState>,
    who: CurrentMember,
    page: Page,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<MyPayments>> {
    let fresh = wait.until(&app, &[orders::NAME]).await?;
    let listed = orders::payments_by(app.pool(), who.member(), page.into()).await?;
    Ok(fresh.answer(MyPayments {
        summary: Summary::of(&listed),
        payments: listed.rows,
    }))
}
