//! GET /api/v1/shop/shippings/{id}: one shipping group.

use axum::extract::State;
use domain::record::Resource;
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
    let row = records::record(app.pool(), ShippingGroup::KIND, &id)
        .await?
        .filter(|row| !row.removed);
    let found = row
        .ok_or_else(AppError::not_found)?
        .into_found::<ShippingGroup>()?;
    Ok(fresh.answer(Shipping {
        shipping: found.into(),
    }))
}
