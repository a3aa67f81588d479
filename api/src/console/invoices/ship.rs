//! PUT /api/console/shop/invoices/{purchaseNo}: ships a purchase with a tracking number, or corrects its tracking number.

use axum::extract::State;
use domain::forms::{FormErrors, Validate};
use domain::order::{Order, OrderCommand};
use projections::orders::COURIERS;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::console::purchases::{PurchaseAnswer, current, holder, reader};
use crate::http::{ApiResponse, ApiResult, Path, Respond, StaffOrSeller, ValidJson};
use application::executor::CommandContext;
use application::orders::days::auto_deliver_days;

/// A parcel.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InvoiceForm {
    /// Courier code, one of the site setting.
    courier: String,
    /// Tracking number, 8 to 20 digits; none for own delivery, a quick service and pick-up.
    #[serde(default)]
    invoice_no: String,
}

impl Validate for InvoiceForm {
    fn check(&self, checks: &mut FormErrors) {
        let known = COURIERS.iter().any(|courier| courier.code == self.courier);
        checks.when(known, "courier", "courier", "택배사를 선택해 주세요.");
    }
}

/// Ship a purchase, or correct its tracking number.
#[utoipa::path(
    put, path = "/api/console/shop/invoices/{purchaseNo}", tag = "console", operation_id = "shipPurchase",
    params(("purchaseNo" = String, Path)), request_body = InvoiceForm, security(("access" = [])),
    responses((status = OK, body = PurchaseAnswer), (status = CONFLICT, description = "not_allowed_now"))
)]
pub(crate) async fn ship(
    State(app): State<AppState>,
    who: StaffOrSeller,
    Path(purchase_no): Path<String>,
    ValidJson { body, origin }: ValidJson<InvoiceForm>,
) -> ApiResult<ApiResponse<PurchaseAnswer>> {
    let (found, purchase_no) = holder(&app, who.rows, &purchase_no).await?;
    let command = CommandContext::new("ship-purchase", who.actor(), &origin);
    let InvoiceForm {
        courier,
        invoice_no,
    } = body;
    let shipping = OrderCommand::Ship {
        purchase_no: purchase_no.clone(),
        courier,
        invoice_no,
        auto_deliver_days: auto_deliver_days(&app).await?,
    };
    let shipped = app.executor.execute::<Order>(&command, found.id, shipping);
    let done = shipped.await?;
    let answer = current(&app, found.id, &purchase_no, reader(who.rows)).await?;
    Ok(done.answer(answer))
}
