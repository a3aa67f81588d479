//! POST /api/v1/me/purchases/cancel: cancels some purchases of a paid order, or some of their pieces.

use axum::extract::State;
use domain::checkout::ShownRefund;
use domain::forms::{FormErrors, REASON, Validate};
use domain::order::{CanceledBy, Reader};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, AppError, OrderViewer, ValidJson};
use crate::me::orders::cancel::{PURCHASES_MOST, check_quantities, pieces};
use crate::shop::orders::detail::{OrderAnswer, after};
use application::executor::CommandContext;
use application::orders::cancel::{Cancel, cancel};
use application::orders::claims::reason_of_buyer;
use application::orders::find::{FoundOrder, order_no_of};
use application::orders::parcels;

/// The purchases to cancel, and the reason.
#[derive(Deserialize, ToSchema)]
pub struct CancelPurchases {
    /// Their numbers, all of one order.
    #[serde(rename = "_purchases")]
    purchases: Vec<String>,
    /// Quantity of each, in the same order; default: all pieces.
    quantities: Option<Vec<u32>>,
    /// The reason.
    reason: String,
    /// The refund shown to the user; `refund_changed` if it differs by now.
    shown: Option<ShownRefund>,
}

impl Validate for CancelPurchases {
    fn check(&self, checks: &mut FormErrors) {
        let some = (1..=PURCHASES_MOST).contains(&self.purchases.len());
        checks
            .when(
                some,
                "_purchases",
                "required",
                "취소할 상품을 선택해 주세요.",
            )
            .text("reason", &self.reason, REASON);
        check_quantities(checks, Some(self.purchases.len()), self.quantities.as_ref());
    }
}

/// Cancel purchases.
#[utoipa::path(
    post, path = "/api/v1/me/purchases/cancel", tag = "me", operation_id = "cancelMyPurchases", security(("access" = [])),
    request_body = CancelPurchases,
    responses((status = OK, body = OrderAnswer), (status = CONFLICT, description = "not_allowed_now; refund_changed"))
)]
pub(crate) async fn cancel_purchases(
    State(app): State<AppState>,
    who: OrderViewer,
    ValidJson { body, origin }: ValidJson<CancelPurchases>,
) -> ApiResult<ApiResponse<OrderAnswer>> {
    let first = body.purchases.first().ok_or_else(AppError::not_found)?;
    let found = FoundOrder::own(&app, order_no_of(first)?, &who).await?;
    let command = CommandContext::new("cancel-purchases", who.actor(), &origin);
    let asked = Cancel {
        order: found.id,
        by: CanceledBy::Buyer,
        pieces: Some(pieces(body.purchases, body.quantities)),
        parcels: parcels::for_cancel(&app, &found.order.state).await?,
        reason: reason_of_buyer(&app, &found, &body.reason).await?,
        shown: body.shown,
    };
    let done = cancel(&app, &command, &asked).await?;
    Ok(after(&app, &done, found.id, Reader::Buyer).await?)
}
