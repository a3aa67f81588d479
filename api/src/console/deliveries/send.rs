//! POST /api/console/shop/deliveries: sends a parcel with the command of its direction.

use application::executor::CommandContext;
use application::orders::shipments::{Shipment, send as send_shipment};
use axum::extract::State;
use domain::forms::{self, FormErrors, Validate};
use projections::orders::ParcelDirection;
use serde::Deserialize;
use utoipa::ToSchema;

use super::{DeliveryAnswer, after, check_courier, invoice};
use crate::app::AppState;
use crate::console::purchases::{holder, reader};
use crate::http::{ApiResponse, ApiResult, Respond, StaffOrSeller, ValidJson};

/// A parcel to send.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryForm {
    /// The purchase whose goods are in it.
    purchase_no: String,
    /// `OUT` ships the purchase, `BACK` records the pickup of the goods of its return or exchange, `SENT_BACK` rejects that claim and sends
    /// the goods back to the buyer, `REPLACEMENT` sends the replacement.
    direction: ParcelDirection,
    /// Courier code, one of the site setting; optional for a pickup.
    courier: Option<String>,
    /// Tracking number, 8 to 20 digits.
    invoice_no: Option<String>,
    /// The reason for rejecting the claim, for `SENT_BACK`.
    reason: Option<String>,
}

impl Validate for DeliveryForm {
    fn check(&self, checks: &mut FormErrors) {
        let is_required = self.direction != ParcelDirection::Back || self.invoice_no.is_some();
        check_courier(checks, self.courier.as_deref(), is_required);
        checks.optional("reason", self.reason.as_deref(), forms::MESSAGE);
    }
}

/// Send a parcel.
#[utoipa::path(
    post, path = "/api/console/shop/deliveries", tag = "console", operation_id = "createConsoleDelivery",
    request_body = DeliveryForm, security(("access" = [])),
    responses(
        (status = CREATED, body = DeliveryAnswer),
        (status = CONFLICT, description = "not_allowed_now; claim_of_several_sellers: staff answer it")
    )
)]
pub(crate) async fn send(
    State(app): State<AppState>,
    who: StaffOrSeller,
    ValidJson { body, origin }: ValidJson<DeliveryForm>,
) -> ApiResult<ApiResponse<DeliveryAnswer>> {
    let (found, purchase_no) = holder(&app, who.rows, &body.purchase_no).await?;
    let shipment = Shipment {
        purchase_no,
        direction: body.direction,
        invoice: invoice(body.courier, body.invoice_no),
        reason: body.reason.unwrap_or_default(),
    };
    let command = CommandContext::new(shipment.command_name(), who.actor(), &origin);
    let by = reader(who.rows);
    let (done, id) = send_shipment(&app, &command, &found, (&shipment, by)).await?;
    Ok(done.created(after(&app, found.id, &id).await?))
}
