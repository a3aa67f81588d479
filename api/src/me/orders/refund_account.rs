//! PUT /api/v1/me/orders/{id}/refundAccount: sets the bank account for refunds of virtual-account payments.

use axum::extract::State;
use domain::order::Reader;

use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, OrderViewer, Path, ValidJson};
use crate::shop::orders::detail::{OrderAnswer, after};
use crate::shop::orders::refund_account::RefundAccountForm;
use application::executor::CommandContext;
use application::orders::find::FoundOrder;
use application::payments::refund_account::give;

/// Set the refund account.
#[utoipa::path(
    put, path = "/api/v1/me/orders/{id}/refundAccount", tag = "me", operation_id = "giveRefundAccount", security(("access" = [])),
    params(("id" = String, Path)), request_body = RefundAccountForm,
    responses(
        (status = OK, body = OrderAnswer),
        (status = CONFLICT, description = "not_allowed_now: the order has no virtual account")
    )
)]
pub(crate) async fn refund_account(
    State(app): State<AppState>,
    who: OrderViewer,
    Path(id): Path<String>,
    ValidJson { body, origin }: ValidJson<RefundAccountForm>,
) -> ApiResult<ApiResponse<OrderAnswer>> {
    let found = FoundOrder::own(&app, &id, &who).await?;
    let command = CommandContext::new("give-refund-account", who.actor(), &origin);
    let done = give(&app, &command, found.id, &body.account).await?;
    Ok(after(&app, &done, found.id, Reader::Buyer).await?)
}
