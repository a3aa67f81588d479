//! GET /api/v1/shop/inquires/{id}: one inquiry, if the reader may read it.

use axum::extract::State;
use projections::inquires;
use uuid::Uuid;

use super::{InquireAnswer, Reading, views};
use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, AppError, ConsistencyToken, OptionalMember, Path};

/// One inquiry; not found if it is a secret one of another member.
#[utoipa::path(
    get, path = "/api/v1/shop/inquires/{id}", tag = "shop", operation_id = "showInquire", params(("id" = Uuid, Path)),
    security((), ("access" = [])), responses((status = OK, body = InquireAnswer), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    Path(id): Path<Uuid>,
    who: OptionalMember,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<InquireAnswer>> {
    let fresh = wait.until(&app, &[inquires::NAME]).await?;
    let row = inquires::inquire(app.pool(), id)
        .await?
        .filter(|row| !row.removed)
        .ok_or_else(AppError::not_found)?;
    let seen = views(&app, Reading::by(who.0.as_ref()), &[row])
        .await?
        .pop();
    let inquire = seen
        .filter(|view| view.readable)
        .ok_or_else(AppError::not_found)?;
    Ok(fresh.answer(InquireAnswer { inquire }))
}
