//! GET {id}/history: everything that happened to a record, oldest first, with what it changed and the document after it.

use std::collections::BTreeMap;

use axum::extract::State;
use domain::record::{Change, Document, RecordEvent, diff};
use serde_json::{Value, json};

use super::draft::{may_keep, reaches};
use super::kinds::Kept;
use super::stored::{Step, moment, named, stored};
use crate::app::AppState;
use crate::console::people;
use crate::http::{ApiResult, ConsoleOrCompany, Json, Path};

/// Everything that happened to a record, also to a removed one.
///
/// # Errors
/// `not_found`.
pub async fn history<R: Kept>(
    State(app): State<AppState>,
    who: ConsoleOrCompany,
    Path(id): Path<String>,
) -> ApiResult<Json<Document>> {
    may_keep::<R>(&who)?;
    let record = stored::<R>(&app, &id).await?;
    reaches(who.rows, &record.data()?)?;
    let mut before = Document::new();
    let mut events = Vec::with_capacity(record.steps.len());
    for step in &record.steps {
        let after = step.after.document.clone().unwrap_or_default();
        events.push(told(step, &before, &after)?);
        before = after;
    }
    people::name_actors(&app, &mut events).await?;
    Ok(Json(named("events", events)))
}

fn told<R: Kept>(step: &Step<R>, before: &Document, after: &Document) -> ApiResult<Value> {
    let (title, changes) = match &step.event {
        RecordEvent::Created { .. } if before.is_empty() => ("등록했습니다", BTreeMap::new()),
        RecordEvent::Created { .. } => ("복원했습니다", diff(before, after)),
        RecordEvent::Revised { changes } => ("수정했습니다", changes.clone()),
        RecordEvent::Removed {} => ("삭제했습니다", BTreeMap::<String, Change>::new()),
    };
    let recorded = &step.recorded;
    let meta = &recorded.metadata;
    Ok(json!({
        "position": recorded.position,
        "eventId": recorded.event_id,
        "at": moment(meta.occurred_at)?,
        "recordedAt": moment(recorded.recorded_at)?,
        "stream": { "kind": recorded.stream.kind, "id": recorded.stream.id },
        "version": recorded.version,
        "type": recorded.event_type,
        "title": title,
        "actor": meta.actor,
        "reason": meta.reason,
        "command": meta.command,
        "commandId": meta.command_id,
        "correlationId": meta.correlation_id,
        "causationId": meta.causation_id,
        "changes": changes,
        "document": after,
    }))
}
