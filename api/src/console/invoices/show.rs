//! GET /api/console/shop/invoices/{purchaseNo}: one shipment.

use axum::extract::State;
use projections::orders;
use serde::Serialize;
use utoipa::ToSchema;

use super::InvoiceRow;
use crate::app::AppState;
use crate::console::purchases::{holder, reader, shown};
use crate::http::{ApiResponse, ApiResult, ConsistencyToken, Path, StaffOrSeller};

/// One shipment.
#[derive(Serialize, ToSchema)]
pub struct InvoiceAnswer {
    /// The shipment.
    invoice: InvoiceRow,
}

/// One shipment.
#[utoipa::path(
    get, path = "/api/console/shop/invoices/{purchaseNo}", tag = "console", operation_id = "showInvoice",
    params(("purchaseNo" = String, Path)), security(("access" = [])), responses((status = OK, body = InvoiceAnswer))
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    who: StaffOrSeller,
    Path(purchase_no): Path<String>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<InvoiceAnswer>> {
    let (found, purchase_no) = holder(&app, who.rows, &purchase_no).await?;
    let fresh = wait.until(&app, &[orders::NAME]).await?;
    let shown = shown(&app, found.id, &purchase_no, reader(who.rows)).await?;
    Ok(fresh.answer(InvoiceAnswer {
        invoice: shown.purchase.into(),
    }))
}
