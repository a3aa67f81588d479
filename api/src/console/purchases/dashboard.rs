//! GET /api/console/shop/purchases/dashboard/{manage}: the counts on the tabs of the list, with the filters of the list.

use axum::extract::State;
use projections::orders::{self, PurchaseTab, TabCounts, tab_counts};
use serde::Serialize;
use utoipa::ToSchema;

use super::filter::PurchaseListQuery;
use crate::app::AppState;
use crate::console::period::Period;
use crate::http::{ApiResponse, ApiResult, ConsistencyToken, Path, Query, StaffOrSeller};

/// Counts of the tabs.
#[derive(Serialize, ToSchema)]
pub struct DashboardAnswer {
    /// Counts by tab.
    counts: TabCounts,
}

/// The number of purchases in each tab of the list, whichever tab is requested.
#[utoipa::path(
    get, path = "/api/console/shop/purchases/dashboard/{manage}", tag = "console", operation_id = "purchaseDashboard",
    params(("manage" = inline(PurchaseTab), Path), PurchaseListQuery, Period), security(("access" = [])), responses((status = OK, body = DashboardAnswer))
)]
pub(crate) async fn dashboard(
    State(app): State<AppState>,
    who: StaffOrSeller,
    Path(_manage): Path<PurchaseTab>,
    Query(query): Query<PurchaseListQuery>,
    Query(period): Query<Period>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<DashboardAnswer>> {
    let fresh = wait.until(&app, &[orders::NAME]).await?;
    let filter = query.filter(&app, who.rows, &period).await?;
    Ok(fresh.answer(DashboardAnswer {
        counts: tab_counts(app.pool(), &filter).await?,
    }))
}
