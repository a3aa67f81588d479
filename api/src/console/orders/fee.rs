//! POST /api/console/shop/orders/{id}/claims/{claim}/fee: records that the buyer's exchange fee arrived in the shop's bank account.

use axum::extract::State;
use domain::Amount;
use domain::forms::{FormErrors, TRANSFER_REFERENCE, Validate};
use domain::ids::ClaimId;
use domain::order::{OrderCommand, Reader};
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, Path, Staff, ValidJson};
use crate::shop::orders::detail::{OrderAnswer, after};
use application::executor::CommandContext;
use application::orders::exchanges::handle;
use application::orders::find::FoundOrder;

/// The buyer's transfer.
#[derive(Deserialize, ToSchema)]
pub struct FeeBody {
    /// The whole fee, hundredths.
    amount: Amount,
    /// The bank's reference of the transfer.
    reference: String,
}

impl Validate for FeeBody {
    fn check(&self, checks: &mut FormErrors) {
        checks.text("reference", &self.reference, TRANSFER_REFERENCE);
    }
}

/// Record that the buyer's exchange fee arrived.
#[utoipa::path(
    post, path = "/api/console/shop/orders/{id}/claims/{claim}/fee", tag = "console",
    operation_id = "receiveConsoleClaimFee", params(("id" = String, Path), ("claim" = Uuid, Path)),
    request_body = FeeBody, security(("access" = [])),
    responses(
        (status = OK, body = OrderAnswer),
        (status = CONFLICT, description = "not_allowed_now: no fee is due, or another amount")
    )
)]
pub(crate) async fn receive(
    State(app): State<AppState>,
    who: Staff,
    Path((id, claim)): Path<(String, Uuid)>,
    ValidJson { body, origin }: ValidJson<FeeBody>,
) -> ApiResult<ApiResponse<OrderAnswer>> {
    let found = FoundOrder::by_id_or_no(&app, &id).await?;
    let command = CommandContext::new("receive-claim-fee", who.actor(), &origin);
    let act = OrderCommand::ReceiveFee {
        claim: ClaimId(claim),
        amount: body.amount,
        reference: body.reference.trim().to_owned(),
        payment: None,
    };
    let done = handle(&app, &command, found.id, act).await?;
    Ok(after(&app, &done, found.id, Reader::Staff).await?)
}
