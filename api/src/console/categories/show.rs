//! GET /api/console/shop/categories/{id}: one category.

use axum::extract::State;
use domain::ids::CategoryId;

use super::{CategoryAnswer, branch, tree};
use crate::app::AppState;
use crate::http::{ApiResult, AppError, Json, Path, Staff};

/// One category with its subtree.
#[utoipa::path(
    get, path = "/api/console/shop/categories/{id}", tag = "console", operation_id = "showConsoleCategory",
    params(("id" = CategoryId, Path)), security(("access" = [])), responses((status = OK, body = CategoryAnswer))
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    _who: Staff,
    Path(id): Path<CategoryId>,
) -> ApiResult<Json<CategoryAnswer>> {
    let tree = tree(&app).await?;
    let category = branch(&tree.state, id).ok_or_else(AppError::not_found)?;
    Ok(Json(CategoryAnswer {
        category: Some(category),
        version: tree.version,
    }))
}
