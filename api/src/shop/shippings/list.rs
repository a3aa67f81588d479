//! GET /api/v1/shop/shippings: the shipping groups in use.

use axum::extract::State;
use projections::products::shipping_groups;
use projections::records;
use serde::Serialize;
use utoipa::ToSchema;

use super::ShippingGroupView;
use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, ConsistencyToken};

/// All shipping groups in use.
#[derive(Serialize, ToSchema)]
pub struct Shippings {
    /// The groups.
    shippings: Vec<ShippingGroupView>,
}

/// Shipping groups.
#[utoipa::path(get, path = "/api/v1/shop/shippings", tag = "shop", operation_id = "listShippings", responses((status = OK, body = Shippings)))]
pub(crate) async fn list(
    State(app): State<AppState>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<Shippings>> {
    let fresh = wait.until(&app, &[records::NAME]).await?;
    let groups = shipping_groups(app.pool(), app.clock.now()).await?;
    let shippings = groups.into_iter().map(Into::into).collect();
    Ok(fresh.answer(Shippings { shippings }))
}
