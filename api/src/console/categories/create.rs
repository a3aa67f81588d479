//! POST /api/console/shop/categories: creates a category, by default as the last of its siblings.

use axum::extract::State;
use domain::catalogue::tree::{CategoryFacts, CategoryTreeCommand};
use domain::ids::CategoryId;
use uuid::Uuid;

use super::{CategoryAnswer, CategoryForm, after, change};
use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, Respond, Staff, ValidJson};
use application::executor::CommandContext;

/// Add a category.
#[utoipa::path(
    post, path = "/api/console/shop/categories", tag = "console", operation_id = "createCategory",
    request_body = CategoryForm, security(("access" = [])),
    responses((status = CREATED, body = CategoryAnswer), (status = CONFLICT, description = "code_taken"))
)]
pub(crate) async fn create(
    State(app): State<AppState>,
    who: Staff,
    ValidJson { body, origin }: ValidJson<CategoryForm>,
) -> ApiResult<ApiResponse<CategoryAnswer>> {
    let category = CategoryId(Uuid::now_v7());
    let command = CommandContext::new("create-category", who.actor(), &origin);
    let done = change(&app, &command, category, body.version, |tree| {
        let parent = body.parent(tree)?.flatten();
        let last = tree
            .categories
            .iter()
            .filter(|other| other.parent == parent)
            .map(|other| other.index)
            .max();
        let plain = CategoryFacts {
            shows: true,
            ..CategoryFacts::default()
        };
        let facts = body.facts(plain, None);
        let index = body
            .index
            .unwrap_or_else(|| last.map_or(0, |last| last.saturating_add(1)));
        let code = body.code.clone().unwrap_or_default();
        Ok(vec![CategoryTreeCommand::Add {
            category,
            code,
            parent,
            index,
            facts,
        }])
    });
    let done = done.await?;
    Ok(done.created(after(&app, &done).await?))
}
