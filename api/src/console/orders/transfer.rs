//! POST /api/console/shop/orders/{id}/refunds/{refund}/transfer: records that staff sent the money of a refused refund to the buyer's bank
//! account.

use axum::extract::State;
use domain::forms::{FormErrors, TRANSFER_REFERENCE, Validate};
use domain::ids::RefundId;
use domain::order::Reader;
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, Path, Staff, ValidJson};
use crate::shop::orders::detail::{OrderAnswer, after};
use application::executor::CommandContext;
use application::orders::find::FoundOrder;
use application::payments::transfer::record;

/// The transfer.
#[derive(Deserialize, ToSchema)]
pub struct TransferBody {
    /// The bank's reference of the transfer.
    reference: String,
}

impl Validate for TransferBody {
    fn check(&self, checks: &mut FormErrors) {
        checks.text("reference", &self.reference, TRANSFER_REFERENCE);
    }
}

/// Record that the money of a refused refund was sent by bank transfer.
#[utoipa::path(
    post, path = "/api/console/shop/orders/{id}/refunds/{refund}/transfer", tag = "console",
    operation_id = "transferConsoleRefund", params(("id" = String, Path), ("refund" = Uuid, Path)),
    request_body = TransferBody, security(("access" = [])),
    responses(
        (status = OK, body = OrderAnswer),
        (status = CONFLICT, description = "not_allowed_now: the gateway did not refuse the refund")
    )
)]
pub(crate) async fn transfer(
    State(app): State<AppState>,
    who: Staff,
    Path((id, refund)): Path<(String, Uuid)>,
    ValidJson { body, origin }: ValidJson<TransferBody>,
) -> ApiResult<ApiResponse<OrderAnswer>> {
    let found = FoundOrder::by_id_or_no(&app, &id).await?;
    let command = CommandContext::new("transfer-refund", who.actor(), &origin);
    let done = record(
        &app,
        &command,
        found.id,
        RefundId(refund),
        body.reference.trim(),
    )
    .await?;
    Ok(after(&app, &done, found.id, Reader::Staff).await?)
}
