//! DELETE /api/v1/me/carts/{id}: removes a cart line.

use axum::extract::State;
use axum::http::StatusCode;
use domain::ids::CartId;
use projections::state::carts;

use crate::app::AppState;
use crate::http::{ApiResult, AppError, CurrentMember, Path};

/// Remove a cart line.
#[utoipa::path(
    delete, path = "/api/v1/me/carts/{id}", tag = "me", operation_id = "removeMyCart", security(("access" = [])),
    params(("id" = CartId, Path)), responses((status = NO_CONTENT), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn remove(
    State(app): State<AppState>,
    who: CurrentMember,
    Path(id): Path<CartId>,
) -> ApiResult<StatusCode> {
    match carts::remove(app.pool(), who.member(), id).await? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(AppError::not_found().into()),
    }
}
