//! GET /api/console/shop/invoices: purchases that were sent or have to be sent, newest first.

use axum::extract::State;
use projections::orders::{self, ConsoleFilter, PurchaseTab, console_purchases};
use serde::Serialize;
use utoipa::ToSchema;

use super::InvoiceRow;
use crate::app::AppState;
use crate::console::purchases::{named, reader, searching};
use crate::http::{ApiResponse, ApiResult, ConsistencyToken, Page, StaffOrSeller, Summary};

/// A page of invoices.
#[derive(Serialize, ToSchema)]
pub struct InvoicesAnswer {
    summary: Summary,
    /// The page.
    invoices: Vec<InvoiceRow>,
}

/// Purchases that were sent or have to be sent.
#[utoipa::path(
    get, path = "/api/console/shop/invoices", tag = "console", operation_id = "listInvoices", params(Page),
    security(("access" = [])), responses((status = OK, body = InvoicesAnswer))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    who: StaffOrSeller,
    page: Page,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<InvoicesAnswer>> {
    let fresh = wait.until(&app, &[orders::NAME]).await?;
    let filter = ConsoleFilter {
        tab: PurchaseTab::Delivery,
        seller: who.rows.seller(),
        ..searching(&app, None).await?
    };
    let found = console_purchases(app.pool(), &filter, reader(who.rows), page.into()).await?;
    let summary = Summary::of(&found);
    let invoices = named(&app, found.rows)
        .await?
        .into_iter()
        .map(InvoiceRow::from)
        .collect();
    Ok(fresh.answer(InvoicesAnswer { summary, invoices }))
}
