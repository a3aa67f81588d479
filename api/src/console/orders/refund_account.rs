//! PUT /api/console/shop/orders/{id}/refundAccount: staff enter the buyer's bank account.

use axum::extract::State;
use domain::order::Reader;

use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, Path, Staff, ValidJson};
use crate::shop::orders::detail::{OrderAnswer, after};
use crate::shop::orders::refund_account::RefundAccountForm;
use application::executor::CommandContext;
use application::orders::find::FoundOrder;
use application::payments::refund_account::give;

/// Set the refund account.
#[utoipa::path(
    put, path = "/api/console/shop/orders/{id}/refundAccount", tag = "console", operation_id = "giveConsoleRefundAccount",
    params(("id" = String, Path)), request_body = RefundAccountForm, security(("access" = [])),
    responses(
        (status = OK, body = OrderAnswer),
        (status = CONFLICT, description = "not_allowed_now: the order has no virtual account")
    )
)]
pub(crate) async fn refund_account(
    State(app): State<AppState>,
    who: Staff,
    Path(id): Path<String>,
    ValidJson { body, origin }: ValidJson<RefundAccountForm>,
) -> ApiResult<ApiResponse<OrderAnswer>> {
    let found = FoundOrder::by_id_or_no(&app, &id).await?;
    let command = CommandContext::new("give-refund-account", who.actor(), &origin);
    let done = give(&app, &command, found.id, &body.account).await?;
    Ok(after(&app, &done, found.id, Reader::Staff).await?)
}
