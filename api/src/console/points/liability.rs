//! GET /api/console/shop/points/liability: what the shop owes its members in points at the end of a day, from the log.

use axum::extract::State;
use domain::points::{Points, PointsLiability};
use domain::{Amount, business_day};
use serde::{Deserialize, Serialize};
use time::Duration;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use crate::app::AppState;
use crate::http::query::invalid_query;
use crate::http::{ApiResult, AppResult, Json, Query, Staff, routes};

/// Events read at a time.
const PAGE: i64 = 5_000;

/// The call.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(show))
}

/// Which day.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct LiabilityQuery {
    /// A Seoul day; today unless it says otherwise. Of a day to come: as things stand, with what will have expired by then.
    at: Option<String>,
}

/// What the shop owes in points at the end of a day: `granted = spent + expired + taken + left`. Hundredths.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Liability {
    /// The day.
    #[schema(format = Date)]
    at: String,
    /// Granted until then.
    granted: Amount,
    /// Spent by orders, less what they gave back.
    spent: Amount,
    /// Expired.
    expired: Amount,
    /// Taken back by returns and staff.
    taken: Amount,
    /// Left.
    left: Amount,
    /// What is left, by the month in which it expires.
    by_month: Vec<MonthlyExpiry>,
}

/// What expires in a month.
#[derive(Serialize, ToSchema)]
pub struct MonthlyExpiry {
    /// As `2026-11`.
    month: String,
    /// Hundredths.
    expires: Amount,
}

async fn fold(app: &AppState, query: &LiabilityQuery) -> AppResult<Liability> {
    let day = match query.at.as_deref() {
        None => business_day::day(app.clock.now()),
        Some(text) => business_day::parse(text).ok_or_else(|| invalid_query("at"))?,
    };
    let end = business_day::ends(day);
    let up_to = app.store.settle().await?;
    let (mut liability, mut after) = (PointsLiability::default(), 0);
    loop {
        let page = app
            .store
            .read_kinds(&["points"], after, up_to, PAGE)
            .await?;
        let Some(last) = page.last() else {
            break;
        };
        after = last.position;
        for recorded in page.iter().filter(|one| one.metadata.occurred_at < end) {
            liability.take(&recorded.event::<Points>()?)?;
        }
    }
    // the last moment of the day: what can be used on it is left
    let balance = liability.at(end - Duration::MICROSECOND)?;
    let months = balance.by_month.into_iter();
    Ok(Liability {
        at: day.to_string(),
        granted: balance.granted,
        spent: balance.spent,
        expired: balance.expired,
        taken: balance.taken,
        left: balance.left,
        by_month: months
            .map(|((year, month), expires)| MonthlyExpiry {
                month: format!("{year:04}-{month:02}"),
                expires,
            })
            .collect(),
    })
}

/// What the shop owes its members in points.
#[utoipa::path(
    get, path = "/api/console/shop/points/liability", tag = "console", operation_id = "showPointsLiability",
    params(LiabilityQuery), security(("access" = [])), responses((status = OK, body = Liability))
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    _who: Staff,
    Query(query): Query<LiabilityQuery>,
) -> ApiResult<Json<Liability>> {
    Ok(Json(fold(&app, &query).await?))
}
