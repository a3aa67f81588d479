//! PUT /api/console/shop/deliveries/{id}: corrects courier and tracking number of a parcel.

use application::executor::CommandContext;
use application::orders::find::FoundOrder;
use application::orders::shipments::correct;
use axum::extract::State;
use domain::forms::{FormErrors, Validate};
use domain::order::Invoice;
use serde::Deserialize;
use utoipa::ToSchema;

use super::{DeliveryAnswer, after, check_courier, own_now};
use crate::app::AppState;
use crate::console::purchases::reader;
use crate::http::{ApiResponse, ApiResult, Path, Respond, StaffOrSeller, ValidJson};

/// The corrected values.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryChange {
    /// Courier code, one of the site setting.
    courier: String,
    /// Tracking number, 8 to 20 digits.
    invoice_no: String,
}

impl Validate for DeliveryChange {
    fn check(&self, checks: &mut FormErrors) {
        check_courier(checks, Some(&self.courier), true);
    }
}

/// Correct courier and tracking number of a parcel. A delayed parcel is in transit again afterwards.
#[utoipa::path(
    put, path = "/api/console/shop/deliveries/{id}", tag = "console", operation_id = "reviseConsoleDelivery",
    params(("id" = String, Path)), request_body = DeliveryChange, security(("access" = [])),
    responses((status = OK, body = DeliveryAnswer), (status = CONFLICT, description = "not_allowed_now"))
)]
pub(crate) async fn revise(
    State(app): State<AppState>,
    who: StaffOrSeller,
    Path(id): Path<String>,
    ValidJson { body, origin }: ValidJson<DeliveryChange>,
) -> ApiResult<ApiResponse<DeliveryAnswer>> {
    let parcel = own_now(&app, who.rows, &id).await?;
    let found = FoundOrder::by_id(&app, parcel.order_id).await?;
    let command = CommandContext::new("correct-parcel", who.actor(), &origin);
    let invoice = Invoice {
        courier: body.courier,
        invoice_no: body.invoice_no,
    };
    let correction = (&parcel, invoice, reader(who.rows));
    let done = correct(&app, &command, &found, correction).await?;
    Ok(done.answer(after(&app, found.id, &parcel.id).await?))
}
