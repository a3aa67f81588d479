//! Reads events of records without their type: all kinds have the same three events.

use std::collections::BTreeMap;

use domain::record::Change;
use event_store::StoredEvent;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::error::ReadError;
use crate::event_decode::event;

/// What happened to a document.
pub(crate) enum RecordChange {
    /// Created or restored, with this document.
    Created(Map<String, Value>),
    /// These fields were set to these values.
    Revised(Vec<(String, Value)>),
    /// It was marked as removed.
    Removed,
}

/// `domain::record::RecordEvent<R>` without the `R`.
#[derive(Deserialize)]
enum AnyRecordEvent {
    Created { data: Map<String, Value> },
    Revised { changes: BTreeMap<String, Change> },
    Removed {},
}

/// The text value of a field that this event replaced.
pub(crate) fn given_up(recorded: &StoredEvent, field: &str) -> Result<Option<String>, ReadError> {
    let AnyRecordEvent::Revised { changes } = event(recorded)? else {
        return Ok(None);
    };
    let change = changes.get(field).filter(|change| change.from != change.to);
    let before = change.and_then(|change| change.from.as_str());
    Ok(before.map(str::to_owned))
}

/// The change an event made to its record.
pub(crate) fn change(recorded: &StoredEvent) -> Result<RecordChange, ReadError> {
    Ok(match event(recorded)? {
        AnyRecordEvent::Created { data } => RecordChange::Created(data),
        AnyRecordEvent::Revised { changes } => RecordChange::Revised(
            changes
                .into_iter()
                .map(|(field, change)| (field, change.to))
                .collect(),
        ),
        AnyRecordEvent::Removed {} => RecordChange::Removed,
    })
}
