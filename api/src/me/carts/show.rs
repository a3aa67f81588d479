//! GET /api/v1/me/carts/{id}: one cart line.

use axum::extract::State;
use domain::ids::CartId;
use projections::state::carts;
use projections::{products, stock};

use super::{CartAnswer, answer};
use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, AppError, ConsistencyToken, CurrentMember, Path};

/// One cart line.
#[utoipa::path(
    get, path = "/api/v1/me/carts/{id}", tag = "me", operation_id = "showMyCart", security(("access" = [])),
    params(("id" = CartId, Path)), responses((status = OK, body = CartAnswer), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    who: CurrentMember,
    Path(id): Path<CartId>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<CartAnswer>> {
    let fresh = wait.until(&app, &[products::NAME, stock::NAME]).await?;
    let lines = carts::lines(app.pool(), who.member()).await?;
    let line = lines.into_iter().find(|line| line.id == id);
    let line = line.ok_or_else(AppError::not_found)?;
    Ok(fresh.answer(answer(&app, line).await?))
}
