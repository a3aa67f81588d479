//! GET /api/v1/shop/categories: the category tree.

use axum::extract::State;
use domain::catalogue::tree::Branch;
use projections::categories;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, ConsistencyToken, Query};

/// Part of the tree.
#[derive(Deserialize, IntoParams)]
pub struct CategoryTreeQuery {
    /// Only this category and its subtree.
    code: Option<String>,
    /// Number of levels returned.
    depth: Option<usize>,
}

/// The tree.
#[derive(Serialize, ToSchema)]
pub struct Categories {
    /// The top-level categories.
    categories: Vec<Branch>,
}

/// Categories.
#[utoipa::path(
    get, path = "/api/v1/shop/categories", tag = "shop", operation_id = "listCategories", params(CategoryTreeQuery),
    responses((status = OK, body = Categories))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    Query(query): Query<CategoryTreeQuery>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<Categories>> {
    let fresh = wait.until(&app, &[categories::NAME]).await?;
    let categories =
        categories::categories(app.pool(), query.code.as_deref(), query.depth, false).await?;
    Ok(fresh.answer(Categories { categories }))
}
