//! GET /api/console/shop/categories/{id}/history: what happened to one category.

use axum::extract::State;
use domain::catalogue::tree::{CategoryTree, CategoryTreeEvent, STREAM_ID};
use domain::ids::CategoryId;
use event_store::StreamId;

use crate::app::AppState;
use crate::console::history::{self, HistoryAnswer, HistoryEvent};
use crate::http::{ApiError, ApiResult, Console, Json, Path};

/// What happened to a category, also to a removed one.
#[utoipa::path(
    get, path = "/api/console/shop/categories/{id}/history", tag = "console", operation_id = "historyOfCategory",
    params(("id" = CategoryId, Path)), security(("access" = [])), responses((status = OK, body = HistoryAnswer))
)]
pub async fn history(
    State(app): State<AppState>,
    _who: Console,
    Path(category): Path<CategoryId>,
) -> ApiResult<Json<HistoryAnswer>> {
    let mut events = Vec::new();
    for recorded in app
        .store
        .read_stream(&StreamId::of::<CategoryTree>(STREAM_ID))
        .await?
    {
        let event = recorded.event::<CategoryTree>()?;
        if about(&event) != category {
            continue;
        }
        let told = HistoryEvent::of(&recorded, title(&event))?;
        events.push(told.saying(recorded.payload));
    }
    if events.is_empty() {
        return Err(ApiError::not_found());
    }
    Ok(Json(history::answer(&app, events).await?))
}

fn about(event: &CategoryTreeEvent) -> CategoryId {
    match event {
        CategoryTreeEvent::CategoryAdded { category, .. }
        | CategoryTreeEvent::CategoryRevised { category, .. }
        | CategoryTreeEvent::CategoryMoved { category, .. }
        | CategoryTreeEvent::CategoryRemoved { category } => *category,
    }
}

fn title(event: &CategoryTreeEvent) -> &'static str {
    match event {
        CategoryTreeEvent::CategoryAdded { .. } => "등록했습니다",
        CategoryTreeEvent::CategoryRevised { .. } => "수정했습니다",
        CategoryTreeEvent::CategoryMoved { .. } => "옮겼습니다",
        CategoryTreeEvent::CategoryRemoved { .. } => "삭제했습니다",
    }
}
