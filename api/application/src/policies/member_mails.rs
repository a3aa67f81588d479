//! Keeps the look-up of members by e-mail address beside the log: of every member, also those who joined before there was one.

use domain::ids::MemberId;
use domain::member::{Member, MemberEvent};
use event_store::{StoreError, StoredEvent, async_trait};
use projections::state::account_mail;

use super::Policy;
use crate::app::App;
use crate::error::{AppError, AppResult};
use crate::messages::account::mail_hash;

/// Keeps the look-up of members' addresses.
pub struct MemberMails;

#[async_trait]
impl Policy for MemberMails {
    fn name(&self) -> &'static str {
        "policy_member_mails"
    }

    fn create_sql(&self) -> &'static str {
        event_store::refusals_table!("policy_member_mails")
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
        let member: MemberId = event.stream.id.parse().map_err(AppError::internal)?;
        // As it is now, so that an event that is read again changes nothing.
        let state = app.store.load::<Member>(&member.to_string()).await?.state;
        let profile = match &state.profile {
            Some(sealed) => app.open(sealed).await?,
            None => None,
        };
        let hash = profile.map(|profile| mail_hash(app, &profile.email));
        Ok(account_mail::set_mail(app.pool(), member, hash).await?)
    }
}
