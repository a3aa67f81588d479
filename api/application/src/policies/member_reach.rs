//! Keeps beside the log what decides whether a sending reaches a member: of every member, also those who joined before there was such a
//! table.

use domain::ids::MemberId;
use domain::member::{Member, MemberEvent};
use domain::message::{Channel, mobile_number};
use event_store::{StoreError, StoredEvent, async_trait};
use projections::state::member_reach::{self, MemberReach};

use super::Policy;
use crate::app::App;
use crate::error::{AppError, AppResult};
use crate::messages::stops::hash_of;

/// Keeps what decides whether a sending reaches a member.
pub struct MemberReaches;

#[async_trait]
impl Policy for MemberReaches {
    fn name(&self) -> &'static str {
        member_reach::POLICY
    }

    fn create_sql(&self) -> &'static str {
        event_store::refusals_table!("policy_member_reach")
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["member"]
    }

    fn wants(&self, event: &StoredEvent) -> Result<bool, StoreError> {
        Ok(matches!(
            event.event::<Member>()?,
            MemberEvent::MemberJoined { .. }
                | MemberEvent::ProfileRevised { .. }
                | MemberEvent::ConsentGiven { .. }
                | MemberEvent::ConsentWithdrawn { .. }
                | MemberEvent::MemberLeft { .. }
        ))
    }

    async fn react(&self, app: &App, event: &StoredEvent) -> AppResult<()> {
        let member: MemberId = event.stream.id.parse().map_err(AppError::internal)?;
        // As it is now, so that an event that is read again changes nothing.
        let state = app.store.load::<Member>(&member.to_string()).await?.state;
        let profile = match &state.profile {
            Some(sealed) => app.open(sealed).await?,
            None => None,
        };
        let reach = profile.map(|profile| MemberReach {
            consents: state.terms.into_iter().map(|term| term.code).collect(),
            number: mobile_number(&profile.phone).map(|number| hash_of(app, Channel::Sms, &number)),
        });
        Ok(member_reach::set(app.pool(), member, reach.as_ref()).await?)
    }
}
