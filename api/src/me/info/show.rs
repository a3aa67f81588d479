//! GET /api/v1/me/info: the member's own account. Read from the log, so it is always current.

use axum::extract::State;

use super::MeAnswer;
use crate::app::AppState;
use crate::http::{ApiResult, CurrentMember, Json};

/// The member's own account.
#[utoipa::path(
    get, path = "/api/v1/me/info", tag = "me", operation_id = "showMe", security(("access" = [])),
    responses((status = OK, body = MeAnswer), (status = NOT_FOUND, description = "not_found, of whoever left"))
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    who: CurrentMember,
) -> ApiResult<Json<MeAnswer>> {
    Ok(Json(MeAnswer::of(&app, who.member()).await?))
}
