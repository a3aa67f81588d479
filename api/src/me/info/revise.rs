//! PUT /api/v1/me/info: changes the member's profile, and the password if one is given.

use application::executor::CommandContext;
use application::members;
use application::members::revise::MyChanges;
use axum::extract::State;

use super::MeAnswer;
use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, CurrentMember, Respond, ValidJson};

/// Change the profile.
#[utoipa::path(
    put, path = "/api/v1/me/info", tag = "me", operation_id = "reviseMe", request_body = MyChanges, security(("access" = [])),
    responses(
        (status = OK, body = MeAnswer),
        (status = BAD_REQUEST, description = "invalid; of `currentPassword`: missing or wrong where it is needed"),
        (status = CONFLICT, description = "nickname_taken"),
        (status = TOO_MANY_REQUESTS, description = "too_many_requests: five wrong current passwords in a row")
    )
)]
pub(crate) async fn revise(
    State(app): State<AppState>,
    who: CurrentMember,
    ValidJson { body, origin }: ValidJson<MyChanges>,
) -> ApiResult<ApiResponse<MeAnswer>> {
    let id = who.member();
    let command = CommandContext::new("revise-profile", who.actor(), &origin);
    let done = members::revise::revise(&app, &command, id, &body).await?;
    Ok(done.answer(MeAnswer::of(&app, id).await?))
}
