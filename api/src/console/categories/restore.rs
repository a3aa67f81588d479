//! POST /api/console/shop/categories/{id}/restore: restores a category as it was at a version of the tree, also a removed one.

use axum::extract::State;
use domain::catalogue::tree::{CategoryTree, CategoryTreeCommand, STREAM_ID};
use domain::ids::CategoryId;
use event_store::At;

use super::{CategoryAnswer, answer, change, tree};
use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, AppError, Path, Staff, ValidJson};
use application::executor::CommandContext;
use application::resources::write::RestoreRequest;

/// Restore a category to an earlier version.
#[utoipa::path(
    post, path = "/api/console/shop/categories/{id}/restore", tag = "console", operation_id = "restoreCategory",
    params(("id" = CategoryId, Path)), request_body = RestoreRequest, security(("access" = [])),
    responses((status = OK, body = CategoryAnswer))
)]
pub(crate) async fn restore(
    State(app): State<AppState>,
    who: Staff,
    Path(category): Path<CategoryId>,
    ValidJson { body, origin }: ValidJson<RestoreRequest>,
) -> ApiResult<ApiResponse<CategoryAnswer>> {
    body.within(tree(&app).await?.version)?;
    let then = app
        .store
        .load_at::<CategoryTree>(STREAM_ID, At::Version(body.version))
        .await?
        .state;
    let then = then
        .get(category)
        .cloned()
        .ok_or_else(AppError::not_found)?;
    let command = CommandContext::new("restore-category", who.actor(), &origin);
    let done = change(&app, &command, category, None, |tree| {
        let domain::catalogue::tree::Category {
            code,
            parent,
            index,
            facts,
            ..
        } = then.clone();
        Ok(match tree.get(category) {
            None => vec![CategoryTreeCommand::Add {
                category,
                code,
                parent,
                index,
                facts,
            }],
            Some(_) => vec![
                CategoryTreeCommand::Move {
                    category,
                    parent,
                    index,
                },
                CategoryTreeCommand::Revise { category, facts },
            ],
        })
    });
    let done = done.await?;
    Ok(answer(&app, &done).await?)
}
