//! DELETE /api/console/shop/categories/{id}: removes a category and its subtree. Products keep its code.

use axum::extract::State;
use domain::catalogue::tree::CategoryTreeCommand;
use domain::ids::CategoryId;

use super::{CategoryAnswer, answer, change};
use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, Path, RequestMeta, Staff};
use application::executor::CommandContext;

/// Remove a category and its subtree.
#[utoipa::path(
    delete, path = "/api/console/shop/categories/{id}", tag = "console", operation_id = "removeCategory",
    params(("id" = CategoryId, Path)), security(("access" = [])), responses((status = OK, body = CategoryAnswer))
)]
pub(crate) async fn remove(
    State(app): State<AppState>,
    who: Staff,
    Path(category): Path<CategoryId>,
    origin: RequestMeta,
) -> ApiResult<ApiResponse<CategoryAnswer>> {
    let command = CommandContext::new("remove-category", who.actor(), &origin);
    let done = change(&app, &command, category, None, |_| {
        Ok(vec![CategoryTreeCommand::Remove { category }])
    })
    .await?;
    Ok(answer(&app, &done).await?)
}
