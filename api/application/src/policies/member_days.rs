//! Keeps the look-up of members' days beside the log: of every member, also those who joined before there was one.

use domain::ids::MemberId;
use domain::member::{Member, MemberEvent};
use domain::policies::coupon_days::days_of;
use event_store::{StoreError, StoredEvent, StreamId, Versioned, async_trait};
use projections::state::member_days::{self, MemberDay};

use super::Policy;
use crate::app::App;
use crate::error::{AppError, AppResult};

/// Keeps the look-up of members' days.
pub struct MemberDays;

/// Scope of the keyed hashes. It is stored with them, so it never changes.
pub const MEMBER_DAY: &str = "member-day";

#[async_trait]
impl Policy for MemberDays {
    fn name(&self) -> &'static str {
        "policy_member_days"
    }

    fn create_sql(&self) -> &'static str {
        event_store::refusals_table!("policy_member_days")
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["member"]
    }

    fn wants(&self, event: &StoredEvent) -> Result<bool, StoreError> {
        Ok(matches!(
            event.event::<Member>()?,
            MemberEvent::MemberJoined { .. }
                | MemberEvent::ProfileRevised { .. }
                | MemberEvent::MemberLeft { .. }
        ))
    }

    async fn react(&self, app: &App, event: &StoredEvent) -> AppResult<()> {
        set(app, event).await
    }
}

/// Sets the days that the member has now, so that an event that is read again changes nothing. A closed account has none.
async fn set(app: &App, event: &StoredEvent) -> AppResult<()> {
    let member: MemberId = event.stream.id.parse().map_err(AppError::internal)?;
    let stream = StreamId::of::<Member>(member);
    let events = app.store.read_stream(&stream).await?;
    let joined_at = events.first().map(|first| first.metadata.occurred_at);
    let state = Versioned::<Member>::fold(&events)?.state;
    let profile = match &state.profile {
        Some(sealed) => app.keys.open(sealed).await?.value(),
        None => None,
    };
    let days = days_of(
        profile.as_ref(),
        state.member_type,
        joined_at.unwrap_or(event.metadata.occurred_at),
    );
    let days: Vec<MemberDay> = days
        .iter()
        .map(|(kind, day)| (kind.code(), app.keys.lookup_hash(MEMBER_DAY, day)))
        .collect();
    let since = event.metadata.occurred_at;
    Ok(member_days::set(app.pool(), member, &days, since).await?)
}
