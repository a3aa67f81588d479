//! GET /api/console/shop/categories/{id}/history: the history of a category.

use std::collections::BTreeMap;

use axum::extract::State;
use domain::catalogue::tree::{CategoryTree, CategoryTreeEvent, STREAM_ID};
use domain::ids::CategoryId;
use domain::record::{Document, diff};
use domain::registry::event_title;
use event_store::StreamId;
use serde_json::json;

use crate::app::AppState;
use crate::console::history::{self, HistoryAnswer, HistoryEvent};
use crate::http::{ApiResult, AppError, Json, Path, Staff};

/// The history of a category, also of a removed one.
#[utoipa::path(
    get, path = "/api/console/shop/categories/{id}/history", tag = "console", operation_id = "historyOfCategory",
    params(("id" = CategoryId, Path)), security(("access" = [])), responses((status = OK, body = HistoryAnswer))
)]
pub(crate) async fn history(
    State(app): State<AppState>,
    _who: Staff,
    Path(category): Path<CategoryId>,
) -> ApiResult<Json<HistoryAnswer>> {
    let (mut tree, mut before) = (CategoryTree::default(), Document::new());
    let mut events = Vec::new();
    for recorded in app
        .store
        .read_stream(&StreamId::of::<CategoryTree>(STREAM_ID))
        .await?
    {
        let event = recorded.event::<CategoryTree>()?;
        tree.evolve(event.clone());
        if about(&event) != category {
            continue;
        }
        let after = shown(&tree, category);
        let changes = if before.is_empty() {
            BTreeMap::new()
        } else {
            diff(&before, &after)
        };
        let told = HistoryEvent::of(&recorded, event_title(&recorded.event_type))?;
        events.push(
            told.saying(recorded.value()?)
                .changing(changes, after.clone()),
        );
        before = after;
    }
    if events.is_empty() {
        return Err(AppError::not_found().into());
    }
    Ok(Json(history::answer(&app, events).await?))
}

/// A category as shown in the history; empty once it is removed.
fn shown(tree: &CategoryTree, category: CategoryId) -> Document {
    let Some(found) = tree.get(category) else {
        return Document::new();
    };
    let parent = found.parent.and_then(|parent| tree.get(parent));
    Document::from_iter([
        ("name".to_owned(), json!(found.facts.name)),
        (
            "parent".to_owned(),
            json!(parent.map(|parent| &parent.facts.name)),
        ),
        ("index".to_owned(), json!(found.index)),
        ("shows".to_owned(), json!(found.facts.shows)),
        ("visual".to_owned(), json!(found.facts.visual.url)),
        ("brands".to_owned(), json!(found.facts.brands)),
    ])
}

fn about(event: &CategoryTreeEvent) -> CategoryId {
    match event {
        CategoryTreeEvent::CategoryAdded { category, .. }
        | CategoryTreeEvent::CategoryRevised { category, .. }
        | CategoryTreeEvent::CategoryMoved { category, .. }
        | CategoryTreeEvent::CategoryRemoved { category } => *category,
    }
}
