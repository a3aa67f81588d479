//! DELETE /api/console/shop/categories/{id}: removes a category and what is under it. Products keep its code.

use axum::extract::State;
use domain::catalogue::tree::CategoryTreeAct;
use domain::ids::CategoryId;

use super::{CategoryAnswer, answer, change};
use crate::app::AppState;
use crate::commands::Command;
use crate::http::{Answer, ApiResult, Console, Origin, Path};

/// Remove a category and what is under it.
#[utoipa::path(
    delete, path = "/api/console/shop/categories/{id}", tag = "console", operation_id = "removeCategory",
    params(("id" = CategoryId, Path)), security(("access" = [])), responses((status = OK, body = CategoryAnswer))
)]
pub(crate) async fn remove(
    State(app): State<AppState>,
    who: Console,
    Path(category): Path<CategoryId>,
    origin: Origin,
) -> ApiResult<Answer<CategoryAnswer>> {
    let command = Command::new("remove-category", who.actor(), &origin);
    let done = change(&app, &command, category, None, |_| {
        Ok(vec![CategoryTreeAct::Remove { category }])
    })
    .await?;
    answer(&app, &done).await
}
