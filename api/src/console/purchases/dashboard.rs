//! GET /api/console/shop/purchases/dashboard/{manage}: the numbers on the tabs.

use axum::extract::State;
use projections::orders::{self, ConsoleFilter, TabCounts, tab_counts};
use serde::Serialize;
use utoipa::ToSchema;

use super::searching;
use crate::app::AppState;
use crate::console::period::Period;
use crate::http::{Answer, ApiResult, ConsoleOrCompany, Path, Query, Wait};

/// The numbers.
#[derive(Serialize, ToSchema)]
pub struct DashboardAnswer {
    /// By tab.
    counts: TabCounts,
}

/// How many purchases stand in each tab.
#[utoipa::path(
    get, path = "/api/console/shop/purchases/dashboard/{manage}", tag = "console", operation_id = "purchaseDashboard",
    params(("manage" = String, Path), Period), security(("access" = [])), responses((status = OK, body = DashboardAnswer))
)]
pub(crate) async fn dashboard(
    State(app): State<AppState>,
    who: ConsoleOrCompany,
    Path(_manage): Path<String>,
    Query(period): Query<Period>,
    wait: Wait,
) -> ApiResult<Answer<DashboardAnswer>> {
    let fresh = wait.until(&app, &[orders::NAME]).await?;
    let filter = ConsoleFilter {
        from: period.from()?,
        to: period.to()?,
        seller: who.rows.seller(),
        ..searching(&app, None)
    };
    Ok(fresh.answer(DashboardAnswer {
        counts: tab_counts(app.pool(), &filter).await?,
    }))
}
