//! GET /api/console/shop/purchases: purchases by tab, with search and period; a seller sees their own.

use axum::extract::State;
use projections::orders::{self, ConsolePurchase, console_purchases};
use serde::Serialize;
use utoipa::ToSchema;

use super::filter::PurchaseListQuery;
use super::{named, reader};
use crate::app::AppState;
use crate::console::period::Period;
use crate::http::{ApiResponse, ApiResult, ConsistencyToken, Page, Query, StaffOrSeller, Summary};

/// A page of purchases.
#[derive(Serialize, ToSchema)]
pub struct PurchasesAnswer {
    summary: Summary,
    /// The page.
    purchases: Vec<ConsolePurchase>,
}

/// Purchases.
#[utoipa::path(
    get, path = "/api/console/shop/purchases", tag = "console", operation_id = "listConsolePurchases",
    params(PurchaseListQuery, Period, Page), security(("access" = [])), responses((status = OK, body = PurchasesAnswer))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    who: StaffOrSeller,
    Query(query): Query<PurchaseListQuery>,
    Query(period): Query<Period>,
    page: Page,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<PurchasesAnswer>> {
    let fresh = wait.until(&app, &[orders::NAME]).await?;
    let filter = query.filter(&app, who.rows, &period).await?;
    let found = console_purchases(app.pool(), &filter, reader(who.rows), page.into()).await?;
    let summary = Summary::of(&found);
    Ok(fresh.answer(PurchasesAnswer {
        summary,
        purchases: named(&app, found.rows).await?,
    }))
}
