//! POST /api/console/users/coupons: staff give a coupon.

use application::coupons;
use application::executor::CommandContext;
use axum::extract::State;
use axum::http::StatusCode;
use domain::forms::{FormErrors, MEMO, Validate};
use domain::ids::{CouponId, MemberId};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{UserCouponAnswer, after};
use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, Staff, ValidJson};

/// Which coupon, to whom and why.
#[derive(Debug, Deserialize, ToSchema)]
pub struct CouponGift {
    /// Its definition.
    #[serde(rename = "_coupon")]
    coupon: CouponId,
    /// The member who gets it.
    #[serde(rename = "_user")]
    user: MemberId,
    /// Why, for the member to read: plain text of 1 to 200 characters.
    memo: String,
}

impl Validate for CouponGift {
    fn check(&self, checks: &mut FormErrors) {
        checks.text("memo", &self.memo, MEMO);
    }
}

/// Give a coupon to a member: past the period, the members and the rounds of its issue rule, but within its limits. The answer is the
/// first of those that come at once.
#[utoipa::path(
    post, path = "/api/console/users/coupons", tag = "console", operation_id = "giveUserCoupon",
    request_body = CouponGift, security(("access" = [])),
    responses((status = CREATED, body = UserCouponAnswer), (status = CONFLICT, description = "coupon_used_up, coupon_expired"))
)]
pub(crate) async fn give(
    State(app): State<AppState>,
    who: Staff,
    ValidJson { body, origin }: ValidJson<CouponGift>,
) -> ApiResult<ApiResponse<UserCouponAnswer>> {
    let memo = body.memo.trim();
    let command = CommandContext::new("give-coupon", who.actor(), &origin).with_reason(memo);
    let done = coupons::give(&app, &command, (body.coupon, body.user), memo).await?;
    Ok(after(&app, StatusCode::CREATED, &done, done.result()?).await?)
}
