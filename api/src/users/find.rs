//! Finding an id and setting a password again, by a mail with a link that is valid once, for 30 minutes.
//!
//! What is asked for is only noted: neither the answer nor its time tells whether there is such an account.

use application::AppResult;
use application::messages::account;
use axum::extract::State;
use axum::http::StatusCode;
use domain::forms::{self, FormErrors, Validate};
use domain::ids::MemberId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::{ApiResult, Json, Path, ValidJson};

/// Maximum length of a token.
const TOKEN_MOST: usize = 100;

/// Whose id to find.
#[derive(Deserialize, ToSchema)]
pub struct FindIdForm {
    /// E-mail (spec V136).
    email: String,
}

impl Validate for FindIdForm {
    fn check(&self, checks: &mut FormErrors) {
        checks.text("email", self.email.trim(), forms::EMAIL);
    }
}

/// Whose password to set again.
#[derive(Deserialize, ToSchema)]
pub struct FindPasswordForm {
    /// Sign-in name.
    username: String,
    /// E-mail (spec V136).
    email: String,
}

impl Validate for FindPasswordForm {
    fn check(&self, checks: &mut FormErrors) {
        checks
            .text("username", self.username.trim(), forms::REQUIRED)
            .text("email", self.email.trim(), forms::EMAIL);
    }
}

/// The token of a link from a mail.
#[derive(Deserialize, ToSchema)]
pub struct LinkForm {
    /// The part of the link behind the hash sign.
    token: String,
}

impl LinkForm {
    /// The token.
    pub(crate) fn token(&self) -> &str {
        &self.token
    }
}

impl Validate for LinkForm {
    fn check(&self, checks: &mut FormErrors) {
        check_token(&self.token, checks);
    }
}

/// A new password, and the token of a link from a mail.
#[derive(Deserialize, ToSchema)]
pub struct NewPasswordForm {
    /// The part of the link behind the hash sign.
    token: String,
    /// The new password (spec V130-V133).
    password: String,
}

impl Validate for NewPasswordForm {
    fn check(&self, checks: &mut FormErrors) {
        check_token(&self.token, checks);
        checks.text("password", &self.password, forms::PASSWORD);
    }
}

fn check_token(token: &str, checks: &mut FormErrors) {
    let fits = (1..=TOKEN_MOST).contains(&token.len());
    let message = "메일에 있는 주소를 다시 열어 주세요.";
    checks.when(fits, "token", "required", message);
}

/// A sign-in name.
#[derive(Serialize, ToSchema)]
pub struct SignInName {
    /// The sign-in name.
    username: String,
}

/// Ask for a mail that shows the sign-in name.
#[utoipa::path(
    post, path = "/api/v1/users/find-id", tag = "shop", operation_id = "findId", request_body = FindIdForm,
    responses(
        (status = NO_CONTENT, description = "a mail follows if there is such an account"),
        (status = BAD_REQUEST, description = "invalid"),
        (status = TOO_MANY_REQUESTS, description = "too_many_requests, of the client or for the address")
    )
)]
pub(crate) async fn find_id(
    State(app): State<AppState>,
    ValidJson { body, .. }: ValidJson<FindIdForm>,
) -> ApiResult<StatusCode> {
    account::find_id(&app, &body.email).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Show the sign-in name that a mail's link is for. The link is valid once.
#[utoipa::path(
    post, path = "/api/v1/users/find-id/{id}", tag = "shop", operation_id = "showFoundId", request_body = LinkForm,
    params(("id" = MemberId, Path, description = "the member, from the link")),
    responses(
        (status = OK, body = SignInName),
        (status = BAD_REQUEST, description = "invalid"),
        (status = CONFLICT, description = "link_invalid, link_used, link_expired"),
        (status = TOO_MANY_REQUESTS, description = "too_many_requests")
    )
)]
pub(crate) async fn show_id(
    State(app): State<AppState>,
    Path(id): Path<String>,
    ValidJson { body, .. }: ValidJson<LinkForm>,
) -> ApiResult<Json<SignInName>> {
    let username = account::show_id(&app, member_of(&id)?, &body.token).await?;
    Ok(Json(SignInName { username }))
}

/// Ask for a mail with which the password can be set again.
#[utoipa::path(
    post, path = "/api/v1/users/find-password", tag = "shop", operation_id = "findPassword", request_body = FindPasswordForm,
    responses(
        (status = NO_CONTENT, description = "a mail follows if there is such an account"),
        (status = BAD_REQUEST, description = "invalid"),
        (status = TOO_MANY_REQUESTS, description = "too_many_requests, of the client or for the address or the name")
    )
)]
pub(crate) async fn find_password(
    State(app): State<AppState>,
    ValidJson { body, .. }: ValidJson<FindPasswordForm>,
) -> ApiResult<StatusCode> {
    account::find_password(&app, &body.username, &body.email).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Set a new password with a mail's link. The link is valid once; every session of the member ends.
#[utoipa::path(
    post, path = "/api/v1/users/find-password/{id}", tag = "shop", operation_id = "setPassword", request_body = NewPasswordForm,
    params(("id" = MemberId, Path, description = "the member, from the link")),
    responses(
        (status = NO_CONTENT),
        (status = BAD_REQUEST, description = "invalid"),
        (status = CONFLICT, description = "link_invalid, link_used, link_expired"),
        (status = TOO_MANY_REQUESTS, description = "too_many_requests")
    )
)]
pub(crate) async fn set_password(
    State(app): State<AppState>,
    Path(id): Path<String>,
    ValidJson { body, .. }: ValidJson<NewPasswordForm>,
) -> ApiResult<StatusCode> {
    account::set_password(&app, member_of(&id)?, &body.token, body.password).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The member of a link; an id that is none makes the link invalid.
fn member_of(id: &str) -> AppResult<MemberId> {
    let invalid = |_| application::AppError::new(application::Code::LinkInvalid);
    id.parse().map_err(invalid)
}
