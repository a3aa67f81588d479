//! POST /api/v1/me/purchases/{purchaseNo}/return: requests the return of a sent purchase, or of some of its pieces; and previews the
//! refund.

use axum::extract::State;
use domain::checkout::ShownRefund;
use domain::forms::{FormErrors, REASON, Validate};
use domain::ids::ClaimPictureId;
use domain::order::{CanceledBy, ClaimPieces, Fault, Reader};
use domain::personal::Party;
use serde::Deserialize;
use utoipa::ToSchema;

use super::own;
use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, Json, OrderViewer, Path, ValidJson};
use crate::me::orders::cancel::RefundAnswer;
use crate::shop::orders::detail::{OrderAnswer, after};
use application::executor::CommandContext;
use application::orders::claims::{ReturnForm, preview_return, request_return};
use application::orders::form::person;

/// A return request.
#[derive(Deserialize, ToSchema)]
pub struct ReturnBody {
    /// Quantity; default: all pieces.
    quantity: Option<u32>,
    /// The reason.
    reason: String,
    /// The party at fault.
    fault: Fault,
    /// Pickup address.
    pickup: Party,
    /// Pictures of the goods, at most 5: the ids returned by their upload.
    #[serde(default)]
    pictures: Vec<ClaimPictureId>,
    /// The refund shown to the user; `refund_changed` if it differs by now.
    shown: Option<ShownRefund>,
}

impl Validate for ReturnBody {
    fn check(&self, checks: &mut FormErrors) {
        checks.text("reason", &self.reason, REASON);
        person(checks, "pickup", Some(&self.pickup), true);
    }
}

/// Return a purchase.
#[utoipa::path(
    post, path = "/api/v1/me/purchases/{purchaseNo}/return", tag = "me", operation_id = "returnMyPurchase",
    security(("access" = [])), params(("purchaseNo" = String, Path)), request_body = ReturnBody,
    responses((status = OK, body = OrderAnswer), (status = CONFLICT, description = "not_allowed_now; refund_changed"))
)]
pub(crate) async fn return_purchase(
    State(app): State<AppState>,
    who: OrderViewer,
    Path(purchase_no): Path<String>,
    ValidJson { body, origin }: ValidJson<ReturnBody>,
) -> ApiResult<ApiResponse<OrderAnswer>> {
    let (found, purchase_no) = own(&app, &purchase_no, &who).await?;
    let command = CommandContext::new("return-purchase", who.actor(), &origin);
    let form = ReturnForm {
        pieces: ClaimPieces {
            purchase_no,
            quantity: body.quantity,
        },
        by: CanceledBy::Buyer,
        reason: body.reason,
        fault: body.fault,
        pickup: Some(body.pickup),
        pictures: body.pictures,
        shown: body.shown,
    };
    let done = request_return(&app, &command, &found, form).await?;
    Ok(after(&app, &done, found.id, Reader::Buyer).await?)
}

/// The return to preview.
#[derive(Deserialize, ToSchema)]
pub struct ReturnWish {
    /// Quantity; default: all pieces.
    quantity: Option<u32>,
    /// The party at fault.
    fault: Fault,
}

impl Validate for ReturnWish {
    fn check(&self, _checks: &mut FormErrors) {}
}

/// Preview the refund of returning a purchase. Nothing is requested.
#[utoipa::path(
    post, path = "/api/v1/me/purchases/{purchaseNo}/return/preview", tag = "me", operation_id = "previewMyReturn",
    security(("access" = [])), params(("purchaseNo" = String, Path)), request_body = ReturnWish,
    responses((status = OK, body = RefundAnswer), (status = CONFLICT, description = "not_allowed_now"))
)]
pub(crate) async fn preview(
    State(app): State<AppState>,
    who: OrderViewer,
    Path(purchase_no): Path<String>,
    ValidJson { body, .. }: ValidJson<ReturnWish>,
) -> ApiResult<Json<RefundAnswer>> {
    let (found, purchase_no) = own(&app, &purchase_no, &who).await?;
    let pieces = ClaimPieces {
        purchase_no,
        quantity: body.quantity,
    };
    let preview = preview_return(&app, &found, (pieces, body.fault), CanceledBy::Buyer).await?;
    Ok(Json(RefundAnswer { preview }))
}
