//! DELETE /api/v1/me/alarms/{id}: removes a notification (spec V119).

use axum::extract::State;
use axum::http::StatusCode;
use projections::state::notifications;
use uuid::Uuid;

use crate::app::AppState;
use crate::http::{ApiResult, AppError, CurrentMember, Path};

/// Remove a notification.
#[utoipa::path(
    delete, path = "/api/v1/me/alarms/{id}", tag = "me", operation_id = "removeMyAlarm", security(("access" = [])),
    params(("id" = Uuid, Path)), responses((status = NO_CONTENT), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn remove(
    State(app): State<AppState>,
    who: CurrentMember,
    Path(id): Path<Uuid>,
) -> ApiResult<StatusCode> {
    match notifications::remove(app.pool(), who.member(), id).await? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(AppError::not_found().into()),
    }
}
