//! POST /api/v1/me/purchases/{purchaseNo}/withdraw: withdraws the claim on a purchase.

use axum::extract::State;
use domain::order::{OrderCommand, Reader};

use super::own;
use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, AppError, Code, OrderViewer, Path, RequestMeta};
use crate::shop::orders::detail::{OrderAnswer, after};
use application::executor::CommandContext;
use application::orders::claims::claim_on;
use application::orders::exchanges::handle;

/// Withdraw the claim on a purchase.
#[utoipa::path(
    post, path = "/api/v1/me/purchases/{purchaseNo}/withdraw", tag = "me", operation_id = "withdrawMyClaim",
    security(("access" = [])), params(("purchaseNo" = String, Path)),
    responses((status = OK, body = OrderAnswer), (status = CONFLICT, description = "not_allowed_now"))
)]
pub(crate) async fn withdraw(
    State(app): State<AppState>,
    who: OrderViewer,
    Path(purchase_no): Path<String>,
    RequestMeta(origin): RequestMeta,
) -> ApiResult<ApiResponse<OrderAnswer>> {
    let (found, purchase_no) = own(&app, &purchase_no, &who).await?;
    let none = |_| AppError::new(Code::NotAllowedNow);
    let claim = claim_on(&found.order.state, &purchase_no).map_err(none)?;
    let command = CommandContext::new("withdraw-claim", who.actor(), &origin);
    let act = OrderCommand::WithdrawClaim { claim };
    let done = handle(&app, &command, found.id, act).await?;
    Ok(after(&app, &done, found.id, Reader::Buyer).await?)
}
