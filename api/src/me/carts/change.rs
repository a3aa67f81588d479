//! PUT /api/v1/me/carts/{id}: changes the quantity of a cart line.

use axum::extract::State;
use domain::forms::{FormErrors, Validate};
use domain::ids::CartId;
use projections::state::carts;
use serde::Deserialize;
use utoipa::ToSchema;

use super::{CartAnswer, answer, refused};
use crate::app::AppState;
use crate::http::{ApiResult, AppError, CurrentMember, Json, Path, ValidJson};

/// The new quantity.
#[derive(Deserialize, ToSchema)]
pub struct HowMany {
    /// Quantity.
    quantity: u32,
}

impl Validate for HowMany {
    fn check(&self, _checks: &mut FormErrors) {}
}

/// Change a cart line.
#[utoipa::path(
    put, path = "/api/v1/me/carts/{id}", tag = "me", operation_id = "changeMyCart", security(("access" = [])),
    params(("id" = CartId, Path)), request_body = HowMany,
    responses((status = OK, body = CartAnswer), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn change(
    State(app): State<AppState>,
    who: CurrentMember,
    Path(id): Path<CartId>,
    ValidJson { body, .. }: ValidJson<HowMany>,
) -> ApiResult<Json<CartAnswer>> {
    let line = carts::set_quantity(app.pool(), who.member(), id, body.quantity, app.clock.now())
        .await
        .map_err(refused)?;
    let line = line.ok_or_else(AppError::not_found)?;
    Ok(Json(answer(&app, line).await?))
}
