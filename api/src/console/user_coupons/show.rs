//! GET /api/console/users/coupons/{id}: one coupon in a box, with its terms in one sentence.

use application::coupons::{goods_names, name_owners};
use axum::extract::State;
use domain::ids::IssuedCouponId;
use projections::member_coupons::{self, UserCoupon, boxed_coupon};
use projections::{members, orders, records};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, AppError, ConsistencyToken, Path, Staff};

/// A coupon in a box, with its terms.
#[derive(Serialize, ToSchema)]
pub struct UserCouponDetail {
    /// What lists show of it.
    #[serde(flatten)]
    coupon: UserCoupon,
    /// What it does, in one sentence, by the terms frozen when it was issued.
    sentence: String,
}

/// One coupon in a box.
#[derive(Serialize, ToSchema)]
pub struct UserCouponDetailAnswer {
    /// It.
    coupon: UserCouponDetail,
}

/// A coupon in a member's box.
#[utoipa::path(
    get, path = "/api/console/users/coupons/{id}", tag = "console", operation_id = "showUserCoupon",
    params(("id" = IssuedCouponId, Path)), security(("access" = [])),
    responses((status = OK, body = UserCouponDetailAnswer), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    _who: Staff,
    Path(id): Path<IssuedCouponId>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<UserCouponDetailAnswer>> {
    let read = [
        member_coupons::NAME,
        members::NAME,
        orders::NAME,
        records::NAME,
    ];
    let fresh = wait.until(&app, &read).await?;
    let found = boxed_coupon(app.pool(), id).await?;
    let (row, order_no) = found.ok_or_else(AppError::not_found)?;
    let sentence = row
        .terms
        .sentence(&goods_names(&app, &[&row.terms]).await?.concat());
    let mut coupon = [UserCoupon::of(row, order_no, app.clock.now())];
    name_owners(&app, &mut coupon).await?;
    let [coupon] = coupon;
    let coupon = UserCouponDetail { coupon, sentence };
    Ok(fresh.answer(UserCouponDetailAnswer { coupon }))
}
