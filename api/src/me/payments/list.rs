//! GET /api/v1/me/payments: my attempts to pay, newest first.

use axum::extract::State;
use projections::orders::{self, PaymentCard};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, ConsistencyToken, CurrentMember, Page, Summary};

/// My payments.
#[derive(Serialize, ToSchema)]
pub struct MyPayments {
    /// How many there are.
    summary: Summary,
    /// This page's.
    payments: Vec<PaymentCard>,
}

/// My payments.
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
