//! POST /api/v1/me/email/confirmation and /confirm: the link that confirms the member's e-mail address, asked for and used.

use application::executor::CommandContext;
use application::messages::account::request_confirmation;
use application::messages::confirmation::confirm_email;
use axum::extract::State;
use axum::http::StatusCode;

use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, CurrentMember, Respond, ValidJson};
use crate::me::info::MeAnswer;
use crate::users::find::LinkForm;

/// Ask for a mail with a link that confirms the address in the profile.
#[utoipa::path(
    post, path = "/api/v1/me/email/confirmation", tag = "me", operation_id = "requestEmailConfirmation", security(("access" = [])),
    responses(
        (status = NO_CONTENT, description = "a mail follows"),
        (status = CONFLICT, description = "not_allowed_now: the address is confirmed"),
        (status = TOO_MANY_REQUESTS, description = "too_many_requests: five links a day for a member and for an address")
    )
)]
pub(crate) async fn request(
    State(app): State<AppState>,
    who: CurrentMember,
) -> ApiResult<StatusCode> {
    request_confirmation(&app, who.member()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Confirm the address in the profile with a mail's link. The link is valid once, and only for the address the mail went to.
#[utoipa::path(
    post, path = "/api/v1/me/email/confirm", tag = "me", operation_id = "confirmEmail", request_body = LinkForm, security(("access" = [])),
    responses(
        (status = OK, body = MeAnswer),
        (status = BAD_REQUEST, description = "invalid"),
        (status = CONFLICT, description = "link_invalid, link_used, link_expired; email_taken: another member confirmed the address")
    )
)]
pub(crate) async fn confirm(
    State(app): State<AppState>,
    who: CurrentMember,
    ValidJson { body, origin }: ValidJson<LinkForm>,
) -> ApiResult<ApiResponse<MeAnswer>> {
    let command = CommandContext::new("confirm-email", who.actor(), &origin);
    let done = confirm_email(&app, &command, who.member(), body.token()).await?;
    Ok(done.answer(MeAnswer::of(&app, who.member()).await?))
}
