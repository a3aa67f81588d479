//! DELETE /api/v1/me/likes/{id}: removes a like.

use axum::extract::State;
use projections::state::likes;
use uuid::Uuid;

use super::LikeAnswer;
use crate::app::AppState;
use crate::http::{ApiResult, AppError, CurrentMember, Json, Path};

/// Remove a like; returns the removed like.
#[utoipa::path(
    delete, path = "/api/v1/me/likes/{id}", tag = "me", operation_id = "removeMyLike", security(("access" = [])),
    params(("id" = Uuid, Path)), responses((status = OK, body = LikeAnswer), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn remove(
    State(app): State<AppState>,
    who: CurrentMember,
    Path(id): Path<Uuid>,
) -> ApiResult<Json<LikeAnswer>> {
    let gone = likes::remove(app.pool(), who.member(), id)
        .await?
        .ok_or_else(AppError::not_found)?;
    Ok(Json(LikeAnswer { like: Some(gone) }))
}
