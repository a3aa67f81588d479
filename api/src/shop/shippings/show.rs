//! GET /api/v1/shop/shippings/{id}: one shipping group.

use axum::extract::State;
use domain::shipping::ShippingGroup;
use projections::records;
use serde::Serialize;
use utoipa::ToSchema;

use super::ShippingGroupView;
use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, AppError, ConsistencyToken, Path};

/// One shipping group.
#[derive(Serialize, ToSchema)]
pub struct Shipping {
    /// The group.
    shipping: ShippingGroupView,
}

/// A shipping group.
#[utoipa::path(
    get, path = "/api/v1/shop/shippings/{id}", tag = "shop", operation_id = "showShipping", params(("id" = String, Path)),
    responses((status = OK, body = Shipping), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    Path(id): Path<String>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<Shipping>> {
    let fresh = wait.until(&app, &[records::NAME]).await?;
    let found = records::found::<ShippingGroup>(app.pool(), &id).await?;
    let found = found.ok_or_else(AppError::not_found)?;
    Ok(fresh.answer(Shipping {
        shipping: found.into(),
    }))
}
