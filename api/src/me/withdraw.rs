//! POST /api/v1/me/withdraw: leaving the shop. The name is free again at once; whoever joins under it is somebody new.

use axum::extract::State;
use domain::forms::{Checks, Form};
use domain::member::LeavingReason;
use projections::state::sign_in;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::AppState;
use crate::commands::Command;
use crate::forgetting::{Wish, leave};
use crate::http::{Answer, ApiError, ApiResult, Asked, Signed};

/// Who leaves, and why.
#[derive(Clone, Deserialize, ToSchema)]
pub struct Withdrawal {
    /// Their password, so that nobody else leaves for them.
    password: String,
    /// Why.
    reason: Option<LeavingReason>,
}

impl Form for Withdrawal {
    fn check(&self, checks: &mut Checks) {
        checks.when(
            !self.password.is_empty(),
            "password",
            "required",
            "비밀번호를 입력해 주세요.",
        );
    }
}

/// They left.
#[derive(Serialize, ToSchema)]
pub struct Withdrawn {
    /// Always true.
    withdrawn: bool,
}

/// Leave the shop.
#[utoipa::path(
    post, path = "/api/v1/me/withdraw", tag = "me", operation_id = "withdraw", request_body = Withdrawal, security(("access" = [])),
    responses(
        (status = OK, body = Withdrawn),
        (status = BAD_REQUEST, description = "invalid: the password is not theirs"),
        (status = CONFLICT, description = "not_allowed_now: orders are under way")
    )
)]
pub async fn withdraw(
    State(app): State<AppState>,
    who: Signed,
    Asked { body, origin }: Asked<Withdrawal>,
) -> ApiResult<Answer<Withdrawn>> {
    let command = Command::new("leave", who.actor(), &origin);
    if app.commander.done_already(&command).await?.is_none() {
        check_password(&app, &who, body.password).await?;
    }
    let done = leave(&app, &command, who.member(), body.reason, Wish::Theirs).await?;
    Ok(done.answer(Withdrawn { withdrawn: true }))
}

async fn check_password(app: &AppState, who: &Signed, password: String) -> ApiResult<()> {
    let turn = app.passwords.turn().await?;
    let mut tx = app.pool().begin().await?;
    let kept = sign_in::lock_of(&mut tx, who.member())
        .await?
        .ok_or_else(ApiError::not_found)?;
    tx.commit().await?;
    if app
        .passwords
        .verify(&turn, password, Some(&kept.argon2))
        .await?
    {
        return Ok(());
    }
    Err(ApiError::invalid_field(
        "password",
        "password",
        "비밀번호가 올바르지 않습니다.",
    ))
}
