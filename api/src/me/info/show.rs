//! GET /api/v1/me/info: who I am. Read from the log, so it never waits.

use axum::extract::State;

use super::MeAnswer;
use crate::app::AppState;
use crate::http::{ApiResult, CurrentMember, Json};

/// Who am I?
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
