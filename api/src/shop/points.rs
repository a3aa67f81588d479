//! GET /api/v1/shop/points/qualify: the points that can be used.

use axum::extract::State;
use domain::Amount;
use domain::ids::MemberId;
use domain::points::{self, Points};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::{ApiResult, AppResult, CurrentMember, Json};

/// Points for an order.
#[derive(Clone, Copy, Debug, Default, Serialize, ToSchema)]
pub struct UsablePoints {
    /// The member's points, hundredths.
    pub available: Amount,
    /// Points of these that can be used now, hundredths.
    pub usable: Amount,
}

/// The sum of a member's valid lots, from the log.
///
/// # Errors
/// Database errors.
pub(crate) async fn available(app: &AppState, member: MemberId) -> AppResult<Amount> {
    let points = app
        .store
        .load::<Points>(&points::stream_id(member))
        .await?
        .state;
    Ok(points.remain(app.clock.now())?)
}

/// Usable points.
#[utoipa::path(
    get, path = "/api/v1/shop/points/qualify", tag = "shop", operation_id = "qualifyPoints", security(("access" = [])),
    responses((status = OK, body = UsablePoints))
)]
pub(crate) async fn qualify(
    State(app): State<AppState>,
    who: CurrentMember,
) -> ApiResult<Json<UsablePoints>> {
    let available = available(&app, who.member()).await?;
    let rules = app.pricing_rules.rules(&app.store, &[]).await?;
    Ok(Json(UsablePoints {
        available,
        usable: rules.step().down(available),
    }))
}
