//! GET /api/console/shop/purchases/dispatch: what has to be sent, by state, with the filters of the list.

use axum::extract::State;
use domain::business_day::day;
use domain::order::paid_for_due;
use projections::orders::{self, ConsoleFilter, DispatchSum, dispatch_sums};
use projections::refunds::holidays;
use serde::Serialize;
use utoipa::ToSchema;

use super::filter::PurchaseListQuery;
use crate::app::AppState;
use crate::console::period::Period;
use crate::http::{ApiResponse, ApiResult, AppResult, ConsistencyToken, Query, StaffOrSeller};

/// The states of paid purchases on their way to the buyer.
#[derive(Serialize, ToSchema)]
pub struct DispatchAnswer {
    /// Sums by state.
    states: Vec<DispatchSum>,
}

/// Count and sums of what has to be sent, is under way and arrived; the filters of the list apply, whichever state is requested.
#[utoipa::path(
    get, path = "/api/console/shop/purchases/dispatch", tag = "console", operation_id = "dispatchSums",
    params(PurchaseListQuery, Period), security(("access" = [])), responses((status = OK, body = DispatchAnswer))
)]
pub(crate) async fn sums(
    State(app): State<AppState>,
    who: StaffOrSeller,
    Query(query): Query<PurchaseListQuery>,
    Query(period): Query<Period>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<DispatchAnswer>> {
    let fresh = wait.until(&app, &[orders::NAME]).await?;
    let filter = query.filter(&app, who.rows, &period).await?;
    Ok(fresh.answer(DispatchAnswer {
        states: sums_of(&app, &filter).await?,
    }))
}

/// The states of the purchases that match.
pub(crate) async fn sums_of(app: &AppState, filter: &ConsoleFilter) -> AppResult<Vec<DispatchSum>> {
    let holidays = holidays(app.pool()).await?;
    let today = day(app.clock.now());
    let bounds = (
        paid_for_due(today, &holidays),
        paid_for_due(today.next_day().unwrap_or(today), &holidays),
    );
    Ok(dispatch_sums(app.pool(), filter, bounds).await?)
}
