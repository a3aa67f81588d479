//! POST /api/v1/me/withdraw: closes the member's account. The sign-in name is free at once; an account that is later opened with it is
//! unrelated.

use axum::extract::State;
use domain::forms::{FormErrors, Validate};
use domain::member::LeavingReason;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, CurrentMember, Respond, ValidJson};
use application::executor::CommandContext;
use application::members::closing;

/// Confirmation and reason of closing the account.
#[derive(Clone, Deserialize, ToSchema)]
pub struct Withdrawal {
    /// The password, as confirmation.
    password: String,
    /// The reason.
    reason: Option<LeavingReason>,
}

impl Validate for Withdrawal {
    fn check(&self, checks: &mut FormErrors) {
        checks.when(
            !self.password.is_empty(),
            "password",
            "required",
            "비밀번호를 입력해 주세요.",
        );
    }
}

/// The account is closed.
#[derive(Serialize, ToSchema)]
pub struct Withdrawn {
    /// Always true.
    withdrawn: bool,
}

/// Close the account.
#[utoipa::path(
    post, path = "/api/v1/me/withdraw", tag = "me", operation_id = "withdraw", request_body = Withdrawal, security(("access" = [])),
    responses(
        (status = OK, body = Withdrawn),
        (status = BAD_REQUEST, description = "invalid: the password is not theirs"),
        (status = CONFLICT, description = "not_allowed_now: orders are under way"),
        (status = TOO_MANY_REQUESTS, description = "too_many_requests: five wrong passwords in a row")
    )
)]
pub(crate) async fn withdraw(
    State(app): State<AppState>,
    who: CurrentMember,
    ValidJson { body, origin }: ValidJson<Withdrawal>,
) -> ApiResult<ApiResponse<Withdrawn>> {
    let command = CommandContext::new("leave", who.actor(), &origin);
    let Withdrawal { password, reason } = body;
    let done = closing::close_own(&app, &command, who.member(), (password, reason)).await?;
    Ok(done.answer(Withdrawn { withdrawn: true }))
}
