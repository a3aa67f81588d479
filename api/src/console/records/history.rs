//! GET {id}/history: the events of a record, oldest first, with the changes and the document after each.

use std::collections::BTreeMap;

use application::resources::AdminResource;
use application::resources::load::Step;
use axum::extract::State;
use domain::record::{Change, Document, RecordEvent, diff};

use projections::mask::masked;

use crate::app::AppState;
use crate::console::history::{self, HistoryAnswer, HistoryEvent};
use crate::http::{ApiResult, AppResult, Json, Path, StaffOrSeller};

/// The history of a record, also of a removed one.
///
/// # Errors
/// `not_found`.
pub(super) async fn history(
    resource: &'static AdminResource,
    State(app): State<AppState>,
    who: StaffOrSeller,
    Path(id): Path<String>,
) -> ApiResult<Json<HistoryAnswer>> {
    let record = resource.past(&app, who.rows, &id).await?;
    let mut before = Document::new();
    let mut events = Vec::with_capacity(record.steps.len());
    for step in &record.steps {
        let after = step.after.document.clone().unwrap_or_default();
        events.push(history_event(step, &before, &after)?);
        before = after;
    }
    Ok(Json(history::answer(&app, events).await?))
}

fn history_event(step: &Step, before: &Document, after: &Document) -> AppResult<HistoryEvent> {
    let (title, changes) = match &step.event {
        RecordEvent::Created { .. } if before.is_empty() => ("등록했습니다", BTreeMap::new()),
        RecordEvent::Created { .. } => ("복원했습니다", diff(before, after)),
        RecordEvent::Revised { changes } => ("수정했습니다", changes.clone()),
        RecordEvent::Removed {} => ("삭제했습니다", BTreeMap::<String, Change>::new()),
    };
    let changes = changes.into_iter().map(|(field, change)| {
        let change = Change {
            from: masked(&change.from),
            to: masked(&change.to),
        };
        (field, change)
    });
    let after = after
        .iter()
        .map(|(field, value)| (field.clone(), masked(value)));
    Ok(HistoryEvent::of(&step.recorded, title)?.changing(changes.collect(), after.collect()))
}
