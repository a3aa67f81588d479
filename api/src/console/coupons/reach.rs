//! POST /api/console/shop/coupons/reach: whom a coupon would reach and what it would have cost, before it is saved.

use application::coupon_reach::{check, last_month, members};
use application::coupons::sentences;
use application::json::typed;
use application::members::profiles::shown_names;
use application::resources::input::Draft;
use axum::extract::State;
use domain::Amount;
use domain::coupon::Coupon;
use domain::ids::MemberId;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::{ApiResult, AppError, Json, Staff, ValidJson};

/// Whom a coupon would reach.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CouponReachAnswer {
    /// What it does and for whom, in one sentence.
    sentence: String,
    /// Members it is for now. An event, a download or a limit decides who of them gets it.
    members: i64,
    /// They, by level.
    by_level: Vec<LevelReach>,
    /// Up to ten of them, who joined last.
    sample: Vec<SampleMember>,
    /// What it would have cost.
    last_month: LastMonth,
}

/// Members of a level.
#[derive(Serialize, ToSchema)]
pub struct LevelReach {
    /// Code of the level; none: members without one.
    level: Option<String>,
    /// How many.
    members: i64,
}

/// A member it is for.
#[derive(Serialize, ToSchema)]
pub struct SampleMember {
    /// Who.
    #[serde(rename = "_id")]
    id: MemberId,
    /// What they call themselves.
    name: String,
}

/// What it takes off the paid orders that these members placed in the last 30 days, at most: once an order, on the lines as they were
/// placed, whatever other coupons were used.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LastMonth {
    /// Orders it takes something off.
    orders: u64,
    /// In all, hundredths.
    discount: Amount,
    /// Of it, what sellers bear, hundredths.
    sellers: Amount,
    /// Of it, what the shop bears, hundredths.
    shop: Amount,
    /// The amounts are the most it would have cost.
    upper_bound: bool,
    /// Only the newest orders were looked at.
    partial: bool,
}

/// Whom a coupon would reach, before it is saved. The body is that of a new coupon.
#[utoipa::path(
    post, path = "/api/console/shop/coupons/reach", tag = "console", operation_id = "reachCoupon",
    request_body = Coupon, security(("access" = [])), responses((status = OK, body = CouponReachAnswer))
)]
pub(crate) async fn reach(
    State(app): State<AppState>,
    _who: Staff,
    ValidJson { body, .. }: ValidJson<Draft>,
) -> ApiResult<Json<CouponReachAnswer>> {
    let coupon: Coupon = typed(Value::Object(body.0))?;
    check(&coupon)?;
    let found = members(&app, &coupon).await?;
    let names = shown_names(&app, found.sample.iter().copied()).await?;
    let cost = last_month(&app, &coupon).await?;
    let sample = found.sample.iter().filter_map(|id| {
        let name = names.get(id)?.clone();
        Some(SampleMember { id: *id, name })
    });
    Ok(Json(CouponReachAnswer {
        sentence: sentences(&app, &[&coupon]).await?.concat(),
        members: found.by_level.iter().map(|(_, members)| members).sum(),
        by_level: found
            .by_level
            .into_iter()
            .map(|(level, members)| LevelReach { level, members })
            .collect(),
        sample: sample.collect(),
        last_month: LastMonth {
            orders: cost.orders,
            discount: cost.discount,
            sellers: cost.sellers,
            shop: cost
                .discount
                .minus(cost.sellers)
                .map_err(AppError::internal)?,
            upper_bound: true,
            partial: cost.is_partial,
        },
    }))
}
