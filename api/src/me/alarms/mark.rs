//! PUT /api/v1/me/alarms/{id}: marks a notification as read (spec V118).

use axum::extract::State;
use domain::forms::{FormErrors, Validate};
use projections::state::notifications;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::list::AlarmView;
use crate::app::AppState;
use crate::http::{ApiResult, AppError, CurrentMember, Json, Path, ValidJson};

/// New state of a notification.
#[derive(Deserialize, ToSchema)]
pub struct AlarmForm {
    /// Whether it is unread.
    shows: bool,
}

impl Validate for AlarmForm {
    fn check(&self, _checks: &mut FormErrors) {}
}

/// A notification of the member.
#[derive(Serialize, ToSchema)]
pub struct AlarmAnswer {
    /// The notification.
    alarm: AlarmView,
}

/// Mark a notification as read.
#[utoipa::path(
    put, path = "/api/v1/me/alarms/{id}", tag = "me", operation_id = "markMyAlarm", security(("access" = [])),
    params(("id" = Uuid, Path)), request_body = AlarmForm,
    responses((status = OK, body = AlarmAnswer), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn mark(
    State(app): State<AppState>,
    who: CurrentMember,
    Path(id): Path<Uuid>,
    ValidJson { body, .. }: ValidJson<AlarmForm>,
) -> ApiResult<Json<AlarmAnswer>> {
    let alarm = notifications::mark(app.pool(), who.member(), id, body.shows)
        .await?
        .ok_or_else(AppError::not_found)?
        .into();
    Ok(Json(AlarmAnswer { alarm }))
}
