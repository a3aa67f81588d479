//! GET /api/console/users/coupons: who has which coupon, and who used it.

use application::coupons::name_owners;
use axum::extract::State;
use domain::ids::{BulkGrantId, CouponId, MemberId, OrderId};
use projections::member_coupons::{
    self, UserCoupon, UserCouponFilter, UserCouponState, user_coupons,
};
use projections::{members, orders};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app::AppState;
use crate::console::period::Period;
use crate::http::query::oldest_first;
use crate::http::{ApiResponse, ApiResult, ConsistencyToken, Page, Query, Staff, Summary};

/// Filters of the list of coupons in boxes.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct UserCouponListQuery {
    /// In this member's box.
    #[serde(rename = "_user")]
    user: Option<MemberId>,
    /// Of this definition.
    #[serde(rename = "_coupon")]
    coupon: Option<CouponId>,
    /// In this state.
    #[param(inline)]
    state: Option<UserCouponState>,
    /// Used on this order.
    #[serde(rename = "_order")]
    order: Option<OrderId>,
    /// Of this bulk grant.
    #[serde(rename = "_grant")]
    grant: Option<BulkGrantId>,
    /// `-createdAt` (usual) or `createdAt`: when they were issued.
    sort: Option<String>,
}

/// A page of coupons in boxes.
#[derive(Serialize, ToSchema)]
pub struct UserCouponListAnswer {
    summary: Summary,
    /// The page.
    coupons: Vec<UserCoupon>,
}

/// Coupons in members' boxes.
#[utoipa::path(
    get, path = "/api/console/users/coupons", tag = "console", operation_id = "listUserCoupons",
    params(UserCouponListQuery, Period, Page), security(("access" = [])), responses((status = OK, body = UserCouponListAnswer))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    _who: Staff,
    Query(query): Query<UserCouponListQuery>,
    Query(period): Query<Period>,
    page: Page,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<UserCouponListAnswer>> {
    let read = [member_coupons::NAME, members::NAME, orders::NAME];
    let fresh = wait.until(&app, &read).await?;
    let filter = UserCouponFilter {
        member: query.user,
        coupon: query.coupon,
        state: query.state,
        order: query.order,
        grant: query.grant,
        from: period.from()?,
        to: period.to()?,
        oldest_first: oldest_first(query.sort.as_deref(), "createdAt")?,
    };
    let now = app.clock.now();
    let mut found = user_coupons(app.pool(), &filter, now, page.into()).await?;
    name_owners(&app, &mut found.rows).await?;
    Ok(fresh.answer(UserCouponListAnswer {
        summary: Summary::of(&found),
        coupons: found.rows,
    }))
}
