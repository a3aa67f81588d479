//! Every snapshot the store would load equals the fold of the events it replaces.

use std::collections::HashSet;

use domain::SCHEMA_FINGERPRINT;
use domain::registry::replay;
use event_store::{Store, StoredEvent, StreamId};
use serde_json::{Value, json};
use sqlx::types::Json;

use super::{Difference, VerifyError};

/// Reports those that do not; returns the number of snapshots.
pub(super) async fn check(
    store: &Store,
    differences: &mut Vec<Difference>,
) -> Result<u64, VerifyError> {
    let rows: Vec<(String, String, i64, Json<Value>)> = sqlx::query_as(
        "SELECT aggregate_type, aggregate_id, version, state FROM snapshots WHERE rules = $1",
    )
    .bind(store.rules_named(SCHEMA_FINGERPRINT))
    .fetch_all(store.pool())
    .await?;
    let mut checked = 0_u64;
    for (kind, id, version, Json(found)) in rows {
        checked = checked.saturating_add(1);
        let stream = StreamId { kind, id };
        let mut events = store.read_stream(&stream).await?;
        events.retain(|event| i64::try_from(event.version).is_ok_and(|nr| nr <= version));
        let versions: HashSet<u64> = events.iter().map(|event| event.version).collect();
        let payloads: Vec<Value> = events
            .iter()
            .map(StoredEvent::value)
            .collect::<Result<_, _>>()?;
        let folded = match replay(&stream.kind, None, &payloads) {
            Some(Ok(state)) if i64::try_from(versions.len())? == version => state,
            // Unknown kind, unreadable event, or missing events.
            _ => Value::Null,
        };
        if folded != found {
            differences.push(Difference {
                model: "snapshots".to_owned(),
                key: stream.to_string(),
                expected: json!({ "version": version, "state": folded }),
                found: json!({ "version": version, "state": found }),
            });
        }
    }
    Ok(checked)
}
