//! Who did something, by name, for staff to read. Somebody who was forgotten has none.

use std::collections::HashMap;

use domain::ids::MemberId;
use event_store::Opened;
use projections::members;

use super::history::HistoryEvent;
use crate::app::AppState;
use crate::http::ApiResult;

/// The names members show to others.
///
/// # Errors
/// The database's.
pub async fn names(app: &AppState, ids: &[MemberId]) -> ApiResult<HashMap<MemberId, String>> {
    let mut names = HashMap::new();
    for row in members::members(app.pool(), ids).await? {
        if let Opened::Value(profile) = app.keys.open(&row.profile).await? {
            names.insert(row.id, profile.nickname);
        }
    }
    Ok(names)
}

/// Puts the name of each event's actor beside its id.
///
/// # Errors
/// The database's.
pub async fn name_actors(app: &AppState, events: &mut [HistoryEvent]) -> ApiResult<()> {
    let of = |event: &HistoryEvent| -> Option<MemberId> { event.actor.id.as_deref()?.parse().ok() };
    let mut ids: Vec<MemberId> = events.iter().filter_map(of).collect();
    ids.sort_unstable();
    ids.dedup();
    let names = names(app, &ids).await?;
    for event in events {
        if let Some(name) = of(event).and_then(|id| names.get(&id)) {
            event.actor.name = Some(name.clone());
        }
    }
    Ok(())
}
