//! GET /api/v1/shop/points/qualify: the points that can be used, and the rules of their use.

use axum::extract::State;
use domain::Amount;
use domain::ids::MemberId;
use domain::points::{self, Points, PointsCondition, PointsLimit};
use domain::rounding::RoundingStep;
use domain::site::PointsRules;
use domain::validation::AMOUNT_MOST;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::{ApiResult, AppResult, CurrentMember, Json};

/// Points for an order.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UsablePoints {
    /// The member's points, hundredths.
    pub available: Amount,
    /// Points of these that can be used now, hundredths.
    pub usable: Amount,
    /// The shop's rules for using points, in words.
    pub conditions: Vec<PointsCondition>,
    /// Which of them keep it from being more.
    pub limited_by: Vec<PointsLimit>,
}

impl UsablePoints {
    /// Of what a member has, for an order that costs so much without points.
    ///
    /// # Errors
    /// A negative amount.
    pub(crate) fn of(
        (rules, step): (PointsRules, RoundingStep),
        available: Amount,
        payable: Amount,
    ) -> AppResult<Self> {
        let (usable, limited_by) = rules.usable(available, payable, step)?;
        Ok(Self {
            available,
            usable,
            conditions: rules.conditions(),
            limited_by,
        })
    }
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
    // an order that is large enough for all of them
    let rules = (rules.points(), rules.step());
    let usable = UsablePoints::of(rules, available, AMOUNT_MOST.max(available))?;
    Ok(Json(usable))
}
