//! POST /api/v1/me/verify: confirms that the request comes from the member, before a page that changes something personal is opened.
//!
//! It grants nothing: the calls that change an address, a phone number or a password ask for the password themselves.

use application::members::confirm::{Proof, confirm};
use axum::extract::State;
use axum::http::StatusCode;
use domain::forms::{FormErrors, Validate};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::{ApiResult, AppError, CurrentMember, ValidJson};

/// Proof of identity.
#[derive(Deserialize, ToSchema)]
pub struct VerifyForm {
    /// The password.
    password: String,
}

impl Validate for VerifyForm {
    fn check(&self, checks: &mut FormErrors) {
        checks.when(
            !self.password.is_empty(),
            "password",
            "required",
            "비밀번호를 입력해 주세요.",
        );
    }
}

/// Verify the member's password. Wrong ones are counted together with those of other confirmations.
#[utoipa::path(
    post, path = "/api/v1/me/verify", tag = "me", operation_id = "verifyMe", request_body = VerifyForm, security(("access" = [])),
    responses(
        (status = NO_CONTENT),
        (status = BAD_REQUEST, description = "invalid: the password is not theirs"),
        (status = TOO_MANY_REQUESTS, description = "too_many_requests: five wrong passwords in a row")
    )
)]
pub(crate) async fn verify(
    State(app): State<AppState>,
    who: CurrentMember,
    ValidJson { body, .. }: ValidJson<VerifyForm>,
) -> ApiResult<StatusCode> {
    let proof = Proof::Password(body.password);
    match confirm(&app, who.member(), proof).await? {
        Some(_) => Ok(StatusCode::NO_CONTENT),
        None => Err(AppError::invalid_field(
            "password",
            "current_password",
            "비밀번호를 확인해 주세요.",
        )
        .into()),
    }
}
