//! /api/v1/users/unsubscribe: the way out of advertising, from a mail and without signing in (RFC 8058).

use application::messages::consent;
use axum::extract::State;
use axum::response::Redirect;
use domain::ids::MemberId;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::{ApiResult, AppError, AppResult, Code, Json, Path};

/// A consent that was withdrawn.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnsubscribeAnswer {
    /// When the request was carried out.
    #[serde(with = "time::serde::rfc3339")]
    #[schema(value_type = String, format = DateTime)]
    withdrawn_at: OffsetDateTime,
}

fn member_of(id: &str) -> AppResult<MemberId> {
    id.parse().map_err(|_| AppError::new(Code::LinkInvalid))
}

/// Where people get who open the address of the header: the page, which asks before it does anything.
#[utoipa::path(
    get, path = "/api/v1/users/unsubscribe/{id}/{token}", tag = "shop", operation_id = "openUnsubscribe",
    params(("id" = MemberId, Path, description = "the member, from the mail"), ("token" = String, Path)),
    responses((status = SEE_OTHER, description = "to the page"), (status = CONFLICT, description = "link_invalid"))
)]
pub(crate) async fn open(Path((id, token)): Path<(String, String)>) -> ApiResult<Redirect> {
    let member = member_of(&id)?;
    let is_token = token
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    if !is_token {
        return Err(AppError::new(Code::LinkInvalid).into());
    }
    Ok(Redirect::to(&format!(
        "/center/unsubscribe/{member}#{token}"
    )))
}

/// Withdraw the consent to advertising with the token of a mail. Mail programs send `List-Unsubscribe=One-Click` as a form; any body is
/// accepted. Doing it again changes nothing.
#[utoipa::path(
    post, path = "/api/v1/users/unsubscribe/{id}/{token}", tag = "shop", operation_id = "unsubscribe",
    params(("id" = MemberId, Path, description = "the member, from the mail"), ("token" = String, Path)),
    responses((status = OK, body = UnsubscribeAnswer), (status = CONFLICT, description = "link_invalid"))
)]
pub(crate) async fn withdraw(
    State(app): State<AppState>,
    Path((id, token)): Path<(String, String)>,
) -> ApiResult<Json<UnsubscribeAnswer>> {
    let member = member_of(&id)?;
    consent::unsubscribe(&app, &consent::by_link(member), member, &token).await?;
    Ok(Json(UnsubscribeAnswer {
        withdrawn_at: app.clock.now(),
    }))
}
