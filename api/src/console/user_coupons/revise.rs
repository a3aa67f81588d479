//! PUT /api/console/users/coupons/{id}: staff set another last day, or bring back a coupon that was taken.

use application::coupons;
use application::executor::CommandContext;
use axum::extract::State;
use axum::http::StatusCode;
use domain::business_day;
use domain::forms::{FormErrors, MEMO, Validate};
use domain::ids::IssuedCouponId;
use serde::Deserialize;
use time::UtcOffset;
use utoipa::ToSchema;

use super::{UserCouponAnswer, after};
use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, Path, Staff, ValidJson};

/// What to change, and why.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserCouponChange {
    /// The last day it can be used, a Seoul day as `2026-12-31`; or the moment when it ends.
    ends_at: Option<String>,
    /// `false` brings back a coupon that was taken.
    taken: Option<bool>,
    /// For the member to read: plain text of 1 to 200 characters.
    memo: String,
}

impl Validate for UserCouponChange {
    fn check(&self, checks: &mut FormErrors) {
        let ends_at = self.ends_at.as_deref();
        checks
            .text("memo", &self.memo, MEMO)
            .when(
                ends_at.is_some() || self.taken.is_some(),
                "endsAt",
                "required",
                "사용 종료일을 입력해 주세요.",
            )
            .when(
                ends_at.is_none_or(|day| business_day::end(day).is_some()),
                "endsAt",
                "date",
                "사용 종료일을 2026-12-31처럼 입력해 주세요.",
            )
            .when(
                self.taken != Some(true),
                "taken",
                "unknown_value",
                "회수는 삭제로 요청해 주세요.",
            );
    }
}

/// Set another last day of a coupon that is not used, also of one that has expired; or bring back one that was taken. Both at once are
/// done together, or neither.
#[utoipa::path(
    put, path = "/api/console/users/coupons/{id}", tag = "console", operation_id = "reviseUserCoupon",
    params(("id" = IssuedCouponId, Path)), request_body = UserCouponChange, security(("access" = [])),
    responses((status = OK, body = UserCouponAnswer), (status = CONFLICT, description = "coupon_used, coupon_taken"))
)]
pub(crate) async fn revise(
    State(app): State<AppState>,
    who: Staff,
    Path(id): Path<IssuedCouponId>,
    ValidJson { body, origin }: ValidJson<UserCouponChange>,
) -> ApiResult<ApiResponse<UserCouponAnswer>> {
    let memo = body.memo.trim();
    let ends_at = body.ends_at.as_deref().and_then(business_day::end);
    let change = coupons::IssuedCouponChange {
        ends_at: ends_at.map(|end| end.to_offset(UtcOffset::UTC)),
        bring_back: body.taken == Some(false),
    };
    let command = CommandContext::new(change.command(), who.actor(), &origin).with_reason(memo);
    let done = coupons::change(&app, &command, id, (change, memo)).await?;
    Ok(after(&app, StatusCode::OK, &done, id).await?)
}
