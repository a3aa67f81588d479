//! DELETE /api/console/users/coupons/{id}: staff take back a coupon.

use application::executor::CommandContext;
use axum::extract::State;
use axum::http::StatusCode;
use domain::coupon::{IssuedCoupon, IssuedCouponCommand};
use domain::forms::MEMO;
use domain::ids::IssuedCouponId;
use serde::Deserialize;
use utoipa::IntoParams;

use super::{UserCouponAnswer, after};
use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, AppError, Path, Query, RequestMeta, Staff};

/// Why it is taken back.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct TakeQuery {
    /// For the member to read: plain text of 1 to 200 characters.
    #[serde(default)]
    memo: String,
}

/// Take back a coupon that is not used. It stays in the member's box as one that was taken, and can be brought back.
#[utoipa::path(
    delete, path = "/api/console/users/coupons/{id}", tag = "console", operation_id = "takeUserCoupon",
    params(("id" = IssuedCouponId, Path), TakeQuery), security(("access" = [])),
    responses((status = OK, body = UserCouponAnswer), (status = CONFLICT, description = "coupon_used, coupon_taken"))
)]
pub(crate) async fn take(
    State(app): State<AppState>,
    who: Staff,
    Path(id): Path<IssuedCouponId>,
    Query(query): Query<TakeQuery>,
    origin: RequestMeta,
) -> ApiResult<ApiResponse<UserCouponAnswer>> {
    let memo = query.memo.trim();
    if !MEMO.holds(memo) {
        return Err(AppError::invalid_field("memo", MEMO.code, MEMO.message).into());
    }
    let command = CommandContext::new("take-coupon", who.actor(), &origin).with_reason(memo);
    let take = IssuedCouponCommand::Take {
        memo: memo.to_owned(),
    };
    let done = app
        .executor
        .execute::<IssuedCoupon>(&command, id, take)
        .await?;
    Ok(after(&app, StatusCode::OK, &done, id).await?)
}
