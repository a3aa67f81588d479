//! GET /api/v1/me/destinations/{id}: one destination of the member.

use axum::extract::State;
use projections::state::destinations;
use uuid::Uuid;

use super::{DestinationAnswer, DestinationView};
use crate::app::AppState;
use crate::http::{ApiResult, AppError, CurrentMember, Json, Path};

/// One destination.
#[utoipa::path(
    get, path = "/api/v1/me/destinations/{id}", tag = "me", operation_id = "showMyDestination", security(("access" = [])),
    params(("id" = Uuid, Path)), responses((status = OK, body = DestinationAnswer), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    who: CurrentMember,
    Path(id): Path<Uuid>,
) -> ApiResult<Json<DestinationAnswer>> {
    let kept = destinations::find(app.pool(), who.member(), id)
        .await?
        .ok_or_else(AppError::not_found)?;
    let destination = DestinationView::opened(&app, kept)
        .await?
        .ok_or_else(AppError::not_found)?;
    Ok(Json(DestinationAnswer { destination }))
}
