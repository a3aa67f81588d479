//! Names of actors for staff. A member whose data is erased is shown as a former member.

use application::members::profiles::shown_members;
use domain::ids::MemberId;

use super::history::HistoryEvent;
use crate::app::AppState;
use crate::http::AppResult;

/// Adds the name of each event's actor to its id, and marks members who sell.
///
/// # Errors
/// Database errors.
pub(crate) async fn name_actors(app: &AppState, events: &mut [HistoryEvent]) -> AppResult<()> {
    let of = |event: &HistoryEvent| -> Option<MemberId> { event.actor.id.as_deref()?.parse().ok() };
    let members = shown_members(app, events.iter().filter_map(of)).await?;
    for event in events {
        if let Some(member) = of(event).and_then(|id| members.get(&id)) {
            event.actor.is(member);
        }
    }
    Ok(())
}
