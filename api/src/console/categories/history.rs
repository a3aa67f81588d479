//! GET /api/console/shop/categories/{id}/history: what happened to one category.

use axum::extract::State;
use domain::catalogue::tree::{CategoryTree, CategoryTreeEvent, STREAM_ID};
use domain::ids::CategoryId;
use domain::record::Document;
use event_store::StreamId;
use serde_json::json;

use crate::app::AppState;
use crate::console::people;
use crate::console::records::stored::{moment, named};
use crate::http::{ApiError, ApiResult, Console, Json, Path};

/// What happened to a category, also to a removed one.
#[utoipa::path(
    get, path = "/api/console/shop/categories/{id}/history", tag = "console", operation_id = "historyOfCategory",
    params(("id" = CategoryId, Path)), security(("access" = [])), responses((status = OK, body = Object))
)]
pub async fn history(
    State(app): State<AppState>,
    _who: Console,
    Path(category): Path<CategoryId>,
) -> ApiResult<Json<Document>> {
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
        let meta = &recorded.metadata;
        events.push(json!({
            "position": recorded.position, "eventId": recorded.event_id, "at": moment(meta.occurred_at)?, "recordedAt": moment(recorded.recorded_at)?,
            "stream": { "kind": recorded.stream.kind, "id": recorded.stream.id }, "version": recorded.version,
            "type": recorded.event_type, "title": title(&event), "actor": meta.actor, "reason": meta.reason,
            "command": meta.command, "commandId": meta.command_id, "correlationId": meta.correlation_id,
            "causationId": meta.causation_id, "data": recorded.payload,
        }));
    }
    if events.is_empty() {
        return Err(ApiError::not_found());
    }
    people::name_actors(&app, &mut events).await?;
    Ok(Json(named("events", events)))
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
