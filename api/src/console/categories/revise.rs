//! PUT /api/console/shop/categories/{id}: renames and moves a category.

use axum::extract::State;
use domain::catalogue::tree::CategoryTreeCommand;
use domain::ids::CategoryId;

use super::{CategoryAnswer, CategoryForm, answer, branch, change};
use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, AppError, Path, Staff, ValidJson};
use application::executor::CommandContext;

/// Rename or move a category, if the tree has not changed since the form was opened.
#[utoipa::path(
    put, path = "/api/console/shop/categories/{id}", tag = "console", operation_id = "reviseCategory",
    params(("id" = CategoryId, Path)), request_body = CategoryForm, security(("access" = [])),
    responses((status = OK, body = CategoryAnswer), (status = CONFLICT, description = "version_conflict"))
)]
pub(crate) async fn revise(
    State(app): State<AppState>,
    who: Staff,
    Path(category): Path<CategoryId>,
    ValidJson { body, origin }: ValidJson<CategoryForm>,
) -> ApiResult<ApiResponse<CategoryAnswer>> {
    let command = CommandContext::new("revise-category", who.actor(), &origin);
    let done = change(&app, &command, category, body.version, |tree| {
        let before = tree.get(category).ok_or_else(AppError::not_found)?;
        let shown = branch(tree, category).map(|branch| branch.visual);
        Ok(vec![
            body.move_of(tree, before)?,
            CategoryTreeCommand::Revise {
                category,
                facts: body.facts(before.facts.clone(), shown.as_ref()),
            },
        ])
    });
    let done = done.await?;
    Ok(answer(&app, &done).await?)
}
