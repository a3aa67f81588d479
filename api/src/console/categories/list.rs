//! GET /api/console/shop/categories: the whole tree with hidden categories. Sellers choose from it for their products.

use axum::extract::State;
use domain::catalogue::tree::Branch;
use serde::Serialize;
use utoipa::ToSchema;

use super::tree;
use crate::app::AppState;
use crate::http::{ApiResult, Json, StaffOrSeller};

/// The tree.
#[derive(Serialize, ToSchema)]
pub struct TreeAnswer {
    /// The top-level categories.
    categories: Vec<Branch>,
    /// Its version.
    version: u64,
}

/// The whole tree.
#[utoipa::path(
    get, path = "/api/console/shop/categories", tag = "console", operation_id = "listConsoleCategories",
    security(("access" = [])), responses((status = OK, body = TreeAnswer))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    _who: StaffOrSeller,
) -> ApiResult<Json<TreeAnswer>> {
    let tree = tree(&app).await?;
    Ok(Json(TreeAnswer {
        categories: tree.state.tree(),
        version: tree.version,
    }))
}
