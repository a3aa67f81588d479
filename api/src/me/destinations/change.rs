//! PUT /api/v1/me/destinations/{id}: changes a destination.

use axum::extract::State;
use projections::state::destinations;
use uuid::Uuid;

use super::{DestinationAnswer, DestinationForm};
use crate::app::AppState;
use crate::http::{ApiResult, AppError, CurrentMember, Json, Path, ValidJson};

/// Change a destination.
#[utoipa::path(
    put, path = "/api/v1/me/destinations/{id}", tag = "me", operation_id = "changeMyDestination", security(("access" = [])),
    params(("id" = Uuid, Path)), request_body = DestinationForm,
    responses((status = OK, body = DestinationAnswer), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn change(
    State(app): State<AppState>,
    who: CurrentMember,
    Path(id): Path<Uuid>,
    ValidJson { body, .. }: ValidJson<DestinationForm>,
) -> ApiResult<Json<DestinationAnswer>> {
    let party = body.sealed(&app, who.member()).await?;
    let is_default = destinations::change(
        app.pool(),
        who.member(),
        id,
        &party,
        body.is_default,
        app.clock.now(),
    )
    .await?
    .ok_or_else(AppError::not_found)?;
    let body = DestinationForm { is_default, ..body };
    Ok(Json(DestinationAnswer {
        destination: body.view(id),
    }))
}
