//! POST /api/v1/me/purchases/{purchaseNo}/exchange: requests the exchange of a delivered purchase, or of some of its pieces; GET: the goods
//! it can be exchanged for, and the fee.

use axum::extract::State;
use domain::Amount;
use domain::forms::{FormErrors, REASON, Validate};
use domain::ids::{ClaimPictureId, OptionId};
use domain::order::{CanceledBy, ClaimPieces, Fault, Reader};
use domain::personal::Party;
use serde::Deserialize;
use utoipa::ToSchema;

use super::own;
use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, Json, OrderViewer, Path, Query, ValidJson};
use crate::shop::orders::detail::{OrderAnswer, after};
use crate::shop::orders::exchange_choices::{ExchangeChoices, ExchangeQuery};
use application::executor::CommandContext;
use application::orders::exchanges::{ExchangeForm, request_exchange};
use application::orders::form::person;

/// The goods a purchase can be exchanged for, and the fee.
#[utoipa::path(
    get, path = "/api/v1/me/purchases/{purchaseNo}/exchange", tag = "me", operation_id = "listMyExchangeChoices",
    security(("access" = [])), params(("purchaseNo" = String, Path), ExchangeQuery),
    responses((status = OK, body = ExchangeChoices))
)]
pub(crate) async fn offered(
    State(app): State<AppState>,
    who: OrderViewer,
    Path(purchase_no): Path<String>,
    Query(query): Query<ExchangeQuery>,
) -> ApiResult<Json<ExchangeChoices>> {
    let (found, purchase_no) = own(&app, &purchase_no, &who).await?;
    let pieces = query.of(purchase_no);
    Ok(Json(ExchangeChoices::of(&app, &found, pieces).await?))
}

/// An exchange request.
#[derive(Deserialize, ToSchema)]
pub struct ExchangeBody {
    /// Quantity; default: all pieces.
    quantity: Option<u32>,
    /// The replacement option; default: the same goods.
    #[serde(rename = "_option")]
    option: Option<OptionId>,
    /// The reason.
    reason: String,
    /// The party at fault.
    fault: Fault,
    /// Address for the pickup and for the replacement.
    pickup: Party,
    /// Pictures of the goods, at most 5: the ids returned by their upload.
    #[serde(default)]
    pictures: Vec<ClaimPictureId>,
    /// The fee shown to the user, hundredths; `price_changed` if it differs by now.
    fee: Option<Amount>,
    /// The difference shown for the option, per piece, hundredths; `price_changed` if it differs by now.
    difference: Option<Amount>,
}

impl Validate for ExchangeBody {
    fn check(&self, checks: &mut FormErrors) {
        checks.text("reason", &self.reason, REASON);
        person(checks, "pickup", Some(&self.pickup), true);
    }
}

/// Exchange a purchase.
#[utoipa::path(
    post, path = "/api/v1/me/purchases/{purchaseNo}/exchange", tag = "me", operation_id = "exchangeMyPurchase",
    security(("access" = [])), params(("purchaseNo" = String, Path)), request_body = ExchangeBody,
    responses((status = OK, body = OrderAnswer), (status = CONFLICT, description = "not_allowed_now; price_changed"))
)]
pub(crate) async fn exchange_purchase(
    State(app): State<AppState>,
    who: OrderViewer,
    Path(purchase_no): Path<String>,
    ValidJson { body, origin }: ValidJson<ExchangeBody>,
) -> ApiResult<ApiResponse<OrderAnswer>> {
    let (found, purchase_no) = own(&app, &purchase_no, &who).await?;
    let command = CommandContext::new("exchange-purchase", who.actor(), &origin);
    let form = ExchangeForm {
        pieces: ClaimPieces {
            purchase_no,
            quantity: body.quantity,
        },
        option: body.option,
        by: CanceledBy::Buyer,
        reason: body.reason,
        fault: body.fault,
        pickup: Some(body.pickup),
        pictures: body.pictures,
        fee: body.fee,
        difference: body.difference,
    };
    let done = request_exchange(&app, &command, &found, form).await?;
    Ok(after(&app, &done, found.id, Reader::Buyer).await?)
}
