//! POST /api/v1/me/orders/{id}/cancel: cancels an order, as a whole if unpaid, otherwise everything in it that can be canceled; and
//! previews the refund.

use axum::extract::State;
use domain::checkout::{RefundPreview, ShownRefund};
use domain::forms::{FormErrors, REASON, Validate};
use domain::order::{CanceledBy, ClaimPieces, Reader};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, Json, OrderViewer, Path, ValidJson};
use crate::shop::orders::detail::{OrderAnswer, after};
use application::executor::CommandContext;
use application::orders::cancel::{self as canceling, Cancel, cancel};
use application::orders::claims::reason_of_buyer;
use application::orders::find::FoundOrder;
use application::orders::parcels;

/// Reason of a cancellation.
#[derive(Deserialize, ToSchema)]
pub struct WhyCancel {
    /// The reason.
    reason: String,
    /// The refund shown to the user; `refund_changed` if it differs by now.
    shown: Option<ShownRefund>,
}

impl Validate for WhyCancel {
    fn check(&self, checks: &mut FormErrors) {
        checks.text("reason", &self.reason, REASON);
    }
}

/// Cancel an order.
#[utoipa::path(
    post, path = "/api/v1/me/orders/{id}/cancel", tag = "me", operation_id = "cancelMyOrder", security(("access" = [])),
    params(("id" = String, Path)), request_body = WhyCancel,
    responses((status = OK, body = OrderAnswer), (status = CONFLICT, description = "not_allowed_now; refund_changed"))
)]
pub(crate) async fn cancel_order(
    State(app): State<AppState>,
    who: OrderViewer,
    Path(id): Path<String>,
    ValidJson { body, origin }: ValidJson<WhyCancel>,
) -> ApiResult<ApiResponse<OrderAnswer>> {
    let found = FoundOrder::own(&app, &id, &who).await?;
    let command = CommandContext::new("cancel-order", who.actor(), &origin);
    let asked = Cancel {
        order: found.id,
        by: CanceledBy::Buyer,
        pieces: None,
        parcels: parcels::for_cancel(&app, &found.order.state).await?,
        reason: reason_of_buyer(&app, &found, &body.reason).await?,
        shown: body.shown,
    };
    let done = cancel(&app, &command, &asked).await?;
    Ok(after(&app, &done, found.id, Reader::Buyer).await?)
}

/// Maximum number of purchases in a claim.
pub(crate) const PURCHASES_MOST: usize = 100;

/// The cancellation to preview.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
pub struct CancelWish {
    /// Numbers of purchases of the order; default: all that can be canceled.
    #[serde(rename = "_purchases")]
    purchases: Option<Vec<String>>,
    /// Quantity of each, in the same order; default: all pieces.
    quantities: Option<Vec<u32>>,
}

/// The pieces given by purchase numbers and, in the same order, quantities.
pub(crate) fn pieces(purchases: Vec<String>, quantities: Option<Vec<u32>>) -> Vec<ClaimPieces> {
    let quantities = quantities.into_iter().flatten().map(Some);
    purchases
        .into_iter()
        .zip(quantities.chain(std::iter::repeat(None)))
        .map(|(purchase_no, quantity)| ClaimPieces {
            purchase_no,
            quantity,
        })
        .collect()
}

/// Checks that there are as many quantities as purchases, each at least one.
pub(crate) fn check_quantities(
    checks: &mut FormErrors,
    purchases: Option<usize>,
    quantities: Option<&Vec<u32>>,
) {
    let fits = quantities.is_none_or(|quantities| {
        Some(quantities.len()) == purchases && quantities.iter().all(|quantity| *quantity > 0)
    });
    checks.when(fits, "quantities", "quantity", "수량을 확인해 주세요.");
}

impl Validate for CancelWish {
    fn check(&self, checks: &mut FormErrors) {
        let fits = |named: &Vec<String>| (1..=PURCHASES_MOST).contains(&named.len());
        let message = "취소할 상품을 선택해 주세요.";
        let fits = self.purchases.as_ref().is_none_or(fits);
        checks.when(fits, "_purchases", "required", message);
        let named = self.purchases.as_ref().map(Vec::len);
        check_quantities(checks, named, self.quantities.as_ref());
    }
}

/// The refund of a cancellation.
#[derive(Serialize, ToSchema)]
pub struct RefundAnswer {
    /// The preview.
    pub(crate) preview: RefundPreview,
}

/// Preview the refund of canceling an order or purchases of it. Nothing is canceled.
#[utoipa::path(
    post, path = "/api/v1/me/orders/{id}/cancel/preview", tag = "me", operation_id = "previewMyCancel",
    security(("access" = [])), params(("id" = String, Path)), request_body = CancelWish,
    responses((status = OK, body = RefundAnswer), (status = CONFLICT, description = "not_allowed_now"))
)]
pub(crate) async fn preview_cancel(
    State(app): State<AppState>,
    who: OrderViewer,
    Path(id): Path<String>,
    ValidJson { body, .. }: ValidJson<CancelWish>,
) -> ApiResult<Json<RefundAnswer>> {
    let found = FoundOrder::own(&app, &id, &who).await?;
    let named = body.purchases.map(|named| pieces(named, body.quantities));
    let rules = parcels::for_cancel(&app, &found.order.state).await?;
    let asked = Cancel::to_see(found.id, CanceledBy::Buyer, named, rules);
    let preview = canceling::preview(&app, &asked).await?;
    Ok(Json(RefundAnswer { preview }))
}
