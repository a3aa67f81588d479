//! POST /api/v1/me/coupons/codes: redeems a code from paper, which puts its coupon into my box.

use application::coupon_codes;
use application::executor::CommandContext;
use axum::extract::State;
use domain::forms::{FormErrors, Validate};
use serde::Deserialize;
use utoipa::ToSchema;

use super::draw::{DrawAnswer, issued};
use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, CurrentMember, ValidJson};
use crate::limits::Client;

/// Most characters of a code as people type it.
const TYPED_MOST: usize = 64;

/// A code.
#[derive(Deserialize, ToSchema)]
pub struct RedeemForm {
    /// The code as it is printed; small letters, spaces and dashes do not matter.
    code: String,
}

impl Validate for RedeemForm {
    fn check(&self, checks: &mut FormErrors) {
        let is_given = !self.code.trim().is_empty();
        checks.when(is_given, "code", "required", "쿠폰 코드를 입력해 주세요.");
        checks.when(
            self.code.chars().count() <= TYPED_MOST,
            "code",
            "mistyped",
            "쿠폰 코드는 16자리입니다.",
        );
    }
}

/// Redeem a coupon code. Each code is valid once. Wrong ones are counted by account and by address of the client; what was mistyped is
/// noticed by the check character and is not counted.
#[utoipa::path(
    post, path = "/api/v1/me/coupons/codes", tag = "me", operation_id = "redeemCouponCode", security(("access" = [])),
    request_body = RedeemForm,
    responses(
        (status = CREATED, body = DrawAnswer),
        (status = BAD_REQUEST, description = "invalid at code: mistyped; unusable: it does not exist, was redeemed or was stopped"),
        (status = CONFLICT, description = "coupon_drawn, coupon_used_up, coupon_expired, coupon_not_applicable: the code stays good"),
        (status = TOO_MANY_REQUESTS, description = "too_many_requests: too many wrong codes of the account or from the address")
    )
)]
pub(crate) async fn redeem(
    State(app): State<AppState>,
    who: CurrentMember,
    client: Client,
    ValidJson { body, origin }: ValidJson<RedeemForm>,
) -> ApiResult<ApiResponse<DrawAnswer>> {
    let command = CommandContext::new("redeem-coupon-code", who.actor(), &origin);
    let address = client.address().to_string();
    let typed = (body.code.as_str(), address.as_str());
    let done = coupon_codes::redeem(&app, &command, who.member(), typed).await?;
    issued(&app, done).await
}
